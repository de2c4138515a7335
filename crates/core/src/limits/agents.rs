//! The numbers of agents that are programs of their own.

use super::{AGENT_STOP_TIME, KILL_GRACE};
use crate::time::Span;

/// How long a turn that ends waits for a command that is being started: with the grace that the command has to end, less
/// than its agent has to stop.
pub const STARTED_LATE_TIME: Span = Span::seconds(2);

const _: () = assert!(
    STARTED_LATE_TIME.as_ms() + KILL_GRACE.as_ms() < AGENT_STOP_TIME.as_ms(),
    "a command that began late ends before its turn does without it"
);
