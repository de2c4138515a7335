//! The numbers of agents that are programs of their own.

use super::{AGENT_STOP_TIME, KILL_GRACE};
use crate::time::Span;

/// What is kept of the thoughts about one answer: far more than anybody is shown, and little beside the answer.
pub const AGENT_THOUGHTS_BYTES_MAX: usize = 64 * 1024;

/// Revisions of its plan that one turn writes down, of a plan which changes with each thing that is done. Of more,
/// the last is written down with the answer.
pub const AGENT_PLANS_MAX: usize = 100;

/// The least time between two looks at what running tools of such an agent say: it comes in lines, and each time
/// all of it goes out anew.
pub const AGENT_OUTPUT_EVERY: Span = Span::ms(250);

/// Commands of its own that are remembered of such an agent: more than any has, and little in one row.
pub const AGENT_COMMANDS_MAX: usize = 100;
/// The longest name of one.
pub const AGENT_COMMAND_CHARS: usize = 64;
/// How many of them the help names.
pub const AGENT_COMMANDS_TOLD: usize = 30;

/// How long a turn that ends waits for a command that is being started: with the grace that the command has to end, less
/// than its agent has to stop.
pub const STARTED_LATE_TIME: Span = Span::seconds(2);

const _: () = assert!(
    STARTED_LATE_TIME.as_ms() + KILL_GRACE.as_ms() < AGENT_STOP_TIME.as_ms(),
    "a command that began late ends before its turn does without it"
);
