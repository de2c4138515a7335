//! How a connection is, as far as it can be told from here.
//!
//! A connection that says nothing is not the same as one that works: what counts is the age of the last proof of
//! life, an answer of the other side. Platforms of the house have no other side.

use angelia_core::limits;
use angelia_core::time::Timestamp;

/// How a connection is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// There is nothing to connect to.
    House,
    /// It has not answered yet.
    Starting,
    /// It answered last at this moment.
    Heard(Timestamp),
    /// It does not work since then.
    Down {
        /// Since when.
        since: Timestamp,
        /// Why, for people.
        why: String,
    },
}

/// What is told of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it is.
    pub health: Health,
    /// What we are called there, once that is known.
    pub name: Option<String>,
    /// How many updates came that nobody here knows.
    pub unknown: u64,
}

impl Report {
    /// The report of a platform of the house.
    pub const fn house() -> Self {
        Self {
            health: Health::House,
            name: None,
            unknown: 0,
        }
    }
}

/// What that means at a given moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Messages come and go.
    Connected,
    /// It is about to be known.
    Connecting,
    /// It claims to be connected, and nothing was heard for too long.
    Silent,
    /// It does not work.
    Down,
}

impl Standing {
    /// The name used in the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Connecting => "connecting",
            Self::Silent => "silent",
            Self::Down => "down",
        }
    }
}

impl Health {
    /// What it means now.
    pub fn standing(&self, now: Timestamp) -> Standing {
        match self {
            Self::House => Standing::Connected,
            Self::Starting => Standing::Connecting,
            Self::Heard(at) if now.since(*at) > limits::platform::SILENCE_MAX => Standing::Silent,
            Self::Heard(_) => Standing::Connected,
            Self::Down { .. } => Standing::Down,
        }
    }

    /// When it last answered, if it works.
    pub fn heard_at(&self) -> Option<Timestamp> {
        match self {
            Self::Heard(at) => Some(*at),
            Self::House | Self::Starting | Self::Down { .. } => None,
        }
    }

    /// Since when it does not work, if it does not.
    pub fn down_since(&self) -> Option<Timestamp> {
        match self {
            Self::Down { since, .. } => Some(*since),
            Self::House | Self::Starting | Self::Heard(_) => None,
        }
    }

    /// Why it does not work, if it does not.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Down { why, .. } => Some(why),
            Self::House | Self::Starting | Self::Heard(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use angelia_core::time::Span;

    #[test]
    fn a_connection_that_was_not_heard_for_long_is_silent_and_not_connected() {
        let heard = Timestamp::from_ms(1_000_000);
        let health = Health::Heard(heard);
        let limit = limits::platform::SILENCE_MAX;
        assert_eq!(health.standing(heard + limit), Standing::Connected);
        let late = heard + limit + Span::ms(1);
        assert_eq!(health.standing(late), Standing::Silent);
        assert_eq!(Health::House.standing(late), Standing::Connected);
    }
}
