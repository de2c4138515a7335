//! What people are told when the gateway stops or begins anew.
//!
//! Who waits for an answer is told once that the gateway goes, and never that the answer is lost: it is not. Who wished
//! for the restart is told that it begins, and afterwards that it is over, or why there was none.
//!
//! Nothing is decided here about turns: those that run may end first, and those that cannot go on later
//! (`recovery`).

use crate::limits;
use crate::session::lifecycle::Interrupted;
use crate::text::preview;
use crate::time::Span;

/// Why the gateway goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    /// To stay away until somebody starts it.
    Stop,
    /// To come back at once.
    Restart,
}

impl Going {
    /// What it is to a turn that is let go.
    pub const fn interrupts(self) -> Interrupted {
        match self {
            Self::Stop => Interrupted::ShutdownTimeout,
            Self::Restart => Interrupted::RestartTimeout,
        }
    }

    /// What somebody is told who waits for an answer.
    pub const fn banner(self) -> &'static str {
        match self {
            Self::Stop => {
                "I am being shut down. If I am not done in time, your answer is not lost: I go on with it as soon as I \
                 am started again."
            }
            Self::Restart => {
                "I am being restarted. If I am not done in time, your answer is not lost: I go on with it as soon as I \
                 am back."
            }
        }
    }
}

/// What a wish to restart is answered with: how many answers are being made, and how long they may take.
pub fn begins(running: usize, drain: Span) -> String {
    let seconds = drain.as_ms() / 1000;
    match running {
        0 => "I restart now, and tell you here when I am back.".to_owned(),
        1 => format!(
            "I restart now, and tell you here when I am back. One answer is being made: it may take {seconds} s \
             more, and goes on afterwards otherwise."
        ),
        more => format!(
            "I restart now, and tell you here when I am back. {more} answers are being made: they may take \
             {seconds} s more, and go on afterwards otherwise."
        ),
    }
}

/// What a wish is answered with whose restart is over by then: the gateway ended before it could answer.
pub fn is_over() -> String {
    "I have restarted.".to_owned()
}

/// What tells that it is over.
pub fn back(version: &str) -> String {
    format!("I am back, as Angelia {version}.")
}

/// What tells that there was none, and why.
pub fn called_off(why: &str) -> String {
    let why = preview(why, limits::PREVIEW_CHARS);
    format!(
        "I did not restart, because I would not come back: {why}. Mend that, then send /restart again."
    )
}

#[cfg(test)]
#[path = "restart_tests.rs"]
mod tests;
