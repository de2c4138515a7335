//! What is known about a conversation when the agent is told where it is.
//!
//! It is what stays the same from turn to turn. The id of the message that started a turn is not
//! here on purpose: the prompt must not change with it, or nothing of it could be reused.
//! A text that is given but shows nothing counts as not given.

use super::names::{Names, Who};
use crate::session::key::Sharing;

/// The platform that is this machine's own terminal.
pub const LOCAL: &str = "local";

/// Everything the agent may be told.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The platform, by its name.
    pub platform: &'a str,
    /// Where people speak.
    pub place: Place<'a>,
    /// Who speaks, if it is one person.
    pub person: Who<'a>,
    /// Whether several people share the conversation.
    pub sharing: Sharing,
    /// Where else answers can go.
    pub reach: Reach<'a>,
    /// What the agent can do on the platform besides answering.
    pub tools: Tools,
    /// What starts the turns.
    pub trigger: Trigger,
    /// Whether identifiers are hidden.
    pub names: Names<'a>,
}

/// A chat, room or channel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place<'a> {
    /// What kind of place it is: `dm`, `group`, `channel`, or a word of the platform.
    pub kind: &'a str,
    /// The platform's id.
    pub id: &'a str,
    /// The name that people gave it.
    pub name: Option<&'a str>,
    /// What people say it is about.
    pub topic: Option<&'a str>,
    /// The thread inside the place.
    pub thread: Option<&'a str>,
    /// The server or workspace around it.
    pub scope: Option<&'a str>,
    /// The channel that a thread hangs under.
    pub parent: Option<&'a str>,
}

/// The places that can be reached without their ids.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reach<'a> {
    /// The platforms that are connected, in any order.
    pub connected: &'a [&'a str],
    /// Their home channels; those of other platforms are left out.
    pub homes: &'a [Home<'a>],
}

/// The channel of a platform that takes what is addressed to nobody else.
#[derive(Debug, Clone, Copy)]
pub struct Home<'a> {
    /// The platform.
    pub platform: &'a str,
    /// The platform's id of the channel.
    pub id: &'a str,
    /// The name that people gave it.
    pub name: &'a str,
}

/// Whether the agent has tools that act on the platform itself, such as reading a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tools {
    /// None, or nobody knows: it can only answer.
    #[default]
    Missing,
    /// Configured and signed in.
    Ready,
}

/// What starts the turns of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trigger {
    /// Something without an id on the platform, such as a schedule.
    #[default]
    Other,
    /// A message that the platform can point at.
    Message,
}
