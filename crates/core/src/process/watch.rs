//! What is told about a process before and at its end: the rules.
//!
//! ```text
//! scan    text in any pieces → lines with wanted words      stateful: what is torn is put together
//! pace    such lines and the hour → what is told of them    rate limits, of a process and of the node
//! ```
//!
//! Here stand the rules that need no state: how often one may look, and which updates and ends are told.
//! Everything is decided on values; `store` keeps the states beside their process and asks inside its
//! transactions, so no hit is lost or told twice. Nothing here reads an output.

pub mod pace;
pub mod scan;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{End, How, Notice, UnknownWord, Watch};
use crate::limits;
use crate::time::Span;

/// Something to tell about a process that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum News {
    /// It said wanted words.
    Hit {
        /// Which: the first in the list that its first such line has.
        pattern: String,
        /// The lines, as many as are told.
        lines: String,
        /// How many such lines were not told since the last hit.
        suppressed: u32,
    },
    /// It said them so often that nobody looks for them any more; its end is told instead.
    StruckOut {
        /// How many such lines were not told since the last hit.
        suppressed: u32,
    },
    /// There were so many hits of all processes that none is told for a while.
    Paused,
    /// They are told again.
    Resumed {
        /// How many were not told.
        missed: u32,
    },
    /// It said something since the last look.
    Update {
        /// The end of it.
        output: String,
    },
}

impl News {
    /// The name used in rows.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Hit { .. } => "hit",
            Self::StruckOut { .. } => "struck_out",
            Self::Paused => "paused",
            Self::Resumed { .. } => "resumed",
            Self::Update { .. } => "update",
        }
    }
}

/// What is told of processes that are looked at from time to time. Ends that were asked for, and words
/// that were asked for, are told whatever this says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notifications {
    /// New output, and the end.
    #[default]
    All,
    /// The end.
    Result,
    /// The end, unless it is a good one.
    Error,
    /// Nothing.
    Off,
}

impl Notifications {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::All, Self::Result, Self::Error, Self::Off];

    /// The name used in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Result => "result",
            Self::Error => "error",
            Self::Off => "off",
        }
    }

    /// Whether new output of a process is told while it runs.
    pub fn tell_updates(self, watch: &Watch) -> bool {
        self == Self::All && watch.every.is_some() && watch.notice == Notice::Unwanted
    }

    /// Whether the end of a process is told.
    pub fn tell_end(self, watch: &Watch, end: &End) -> bool {
        match (watch.notice, watch.every, self) {
            (Notice::Wanted, _, _) => true,
            (Notice::Unwanted, None, _) | (_, _, Self::Off) => false,
            (_, _, Self::All | Self::Result) => true,
            (_, _, Self::Error) => end.how() != Some(How::Exited(0)),
        }
    }
}

impl FromStr for Notifications {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let mut all = Self::ALL.into_iter();
        all.find(|mode| mode.name() == text)
            .ok_or_else(|| UnknownWord::of(text))
    }
}

/// How often to look at a process, and what to say if that is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The time between two looks.
    pub every: Span,
    /// Why it is another than the one asked for.
    pub note: Option<String>,
}

/// The time between two looks at a process when so many seconds are asked for.
pub fn interval(seconds: i64) -> Interval {
    let (least, most) = (limits::CHECK_EVERY_MIN_S, limits::CHECK_EVERY_MAX_S);
    let note = match seconds {
        _ if seconds < least => Some(format!(
            "Asked for {seconds} s, raised to the least: {least} s"
        )),
        _ if seconds > most => Some(format!(
            "Asked for {seconds} s, lowered to the most: {most} s"
        )),
        _ => None,
    };
    let every = Span::seconds(seconds.clamp(least, most));
    Interval { every, note }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
