//! The rules of conversations, as one value that the door hands along with every message.
//!
//! Which people share one, when one begins anew by itself, in whose clock its day ends, how long
//! after an interruption it is still taken up, and how long after its end it is kept. They come from the configuration and never change while
//! the gateway runs. The default is the plainest house: nothing begins anew by itself, except what was
//! interrupted too long ago.
//!
//! Nothing is decided here; that is `lifecycle`.

use super::key::Isolation;
use super::reset::ResetPolicies;
use crate::limits;
use crate::time::Span;
use crate::zone::Zone;

/// What the operator chose about conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// How places with several people are divided.
    pub isolation: Isolation,
    /// When conversations begin anew by themselves.
    pub resets: ResetPolicies,
    /// The zone in which a day has its hour.
    pub zone: Zone,
    /// How long after an interruption a conversation is still taken up; nothing: always.
    pub resume_window: Option<Span>,
    /// How long after its end a conversation is kept; nothing: always.
    pub forget_after: Option<Span>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            isolation: Isolation::default(),
            resets: ResetPolicies::default(),
            zone: Zone::utc(),
            resume_window: Some(limits::RESUME_WINDOW),
            forget_after: None,
        }
    }
}
