//! Why a session ended, and which reason stays.
//!
//! The first reason wins: who ends an ended session changes nothing. Two reasons are accidents that
//! nobody wished for; a boundary, such as a person's reset, takes their place, so that what was reset
//! cannot come back as if only a connection had been lost. Reopening forgets the reason.
//!
//! It does not decide when a session ends; see `session`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that names no reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no reason to end a session; use one of the known names, such as `session_reset`")]
pub struct UnknownReason(String);

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// Why a session ended.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Reason {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name where it is stored.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

reasons! {
    /// Someone began anew.
    SessionReset = "session_reset";
    /// Its key was pointed at another session.
    SessionSwitch = "session_switch";
    /// Nothing was said for too long.
    Idle = "idle";
    /// The day's hour of beginning anew came.
    Daily = "daily";
    /// Someone stopped it.
    Suspended = "suspended";
    /// It waited too long to be resumed.
    ResumePendingExpired = "resume_pending_expired";
    /// It goes on in another session, from a summary.
    Compression = "compression";
    /// Its continuation was never used.
    OrphanedCompression = "orphaned_compression";
    /// Someone went on from here in another session.
    Branched = "branched";
    /// A new one was asked for.
    NewSession = "new_session";
    /// Another one was resumed in its place.
    ResumedOther = "resumed_other";
    /// The terminal was closed.
    CliClose = "cli_close";
    /// The scheduled job is done.
    CronComplete = "cron_complete";
    /// The agent was closed; an accident.
    AgentClose = "agent_close";
    /// The connection was lost; an accident.
    WsOrphanReap = "ws_orphan_reap";
    /// The terminal interface was shut down.
    TuiShutdown = "tui_shutdown";
    /// The terminal interface was closed.
    TuiClose = "tui_close";
    /// It was closed after a time without use.
    IdleTimeout = "idle_timeout";
    /// It made room for another.
    LruEvict = "lru_evict";
}

impl Reason {
    /// Whether nobody wished for it.
    pub fn is_accident(self) -> bool {
        matches!(self, Self::AgentClose | Self::WsOrphanReap)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        let mut all = Self::ALL.iter().copied();
        all.find(|reason| reason.as_str() == text)
            .ok_or_else(|| UnknownReason(text.chars().take(64).collect()))
    }
}

/// Whether a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Life {
    /// It does.
    #[default]
    Live,
    /// It ended.
    Ended(Reason),
}

/// Whether a boundary took effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// Its reason stands now.
    Took(Reason),
    /// Another reason stood already and stays.
    Kept(Reason),
}

impl Life {
    /// After an ordinary end.
    #[must_use]
    pub fn end(self, reason: Reason) -> Self {
        match self {
            Self::Live => Self::Ended(reason),
            Self::Ended(first) => Self::Ended(first),
        }
    }

    /// What a boundary does.
    #[must_use]
    pub fn promote(self, boundary: Reason) -> Promotion {
        match self {
            Self::Ended(wished) if !wished.is_accident() => Promotion::Kept(wished),
            Self::Live | Self::Ended(_) => Promotion::Took(boundary),
        }
    }

    /// After reopening: live, whatever was before.
    #[must_use]
    pub fn reopen(self) -> Self {
        Self::Live
    }
}

impl From<Promotion> for Life {
    fn from(promotion: Promotion) -> Self {
        match promotion {
            Promotion::Took(reason) | Promotion::Kept(reason) => Self::Ended(reason),
        }
    }
}

#[cfg(test)]
#[path = "ending_tests.rs"]
mod tests;
