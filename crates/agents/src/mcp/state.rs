//! How a server is: what the loop that keeps it has found out, for calls, for lists and for people.

use std::time::Duration;

use angelia_core::limits;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::client::Line;
use super::listing::Listing;

/// How a server is.
#[derive(Debug, Clone)]
pub(super) enum Now {
    /// It is being started. What it offered before still holds.
    Starting(Listing),
    /// It is there.
    Ready(Box<Ready>),
    /// It is not there: this is why.
    Down(String),
    /// It is not needed any more.
    Ended,
}

#[derive(Debug, Clone)]
pub(super) struct Ready {
    pub(super) line: Line,
    pub(super) listing: Listing,
    pub(super) since: Instant,
    /// Cancelled by whoever finds the connection broken.
    pub(super) broken: CancellationToken,
}

/// How a server is, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is being started.
    Starting,
    /// It is there.
    Ready,
    /// It is not there, and is tried again.
    Down,
    /// The gateway does not need it any more.
    Ended,
}

impl State {
    /// The word in status and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Down => "down",
            Self::Ended => "ended",
        }
    }
}

/// What is told about a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// How it is.
    pub state: State,
    /// Tools that it brings now.
    pub tools: usize,
    /// Tools that it has besides, and that are too many or too long.
    pub left_out: usize,
    /// Why it is down.
    pub why: Option<String>,
}

impl Now {
    /// What it offers.
    pub(super) fn listing(&self) -> Option<&Listing> {
        match self {
            Self::Starting(listing) => Some(listing),
            Self::Ready(ready) => Some(&ready.listing),
            Self::Down(_) | Self::Ended => None,
        }
    }

    pub(super) fn state(&self) -> State {
        match self {
            Self::Starting(_) => State::Starting,
            Self::Ready(_) => State::Ready,
            Self::Down(_) => State::Down,
            Self::Ended => State::Ended,
        }
    }

    pub(super) fn why(&self) -> Option<&str> {
        match self {
            Self::Down(why) => Some(why),
            Self::Starting(_) | Self::Ready(_) | Self::Ended => None,
        }
    }

    /// For how long it has been there, if it is.
    pub(super) fn age(&self, now: Instant) -> Option<Duration> {
        match self {
            Self::Ready(ready) => Some(now.duration_since(ready.since)),
            Self::Starting(_) | Self::Down(_) | Self::Ended => None,
        }
    }
}

/// How many failures there were in a row with this one, and the pause before the next try. `stayed` is
/// how long it was there, if it was.
pub(super) fn next(failures: u32, stayed: Option<Duration>) -> (u32, Duration) {
    let steady = limits::mcp::STEADY.to_std();
    let failures = match stayed {
        Some(stayed) if stayed >= steady => 0,
        Some(_) | None => failures,
    };
    let pause = match (failures, stayed) {
        // It worked before, so it most likely works again.
        (0, Some(_)) => Duration::ZERO,
        (earlier, _) => {
            let pause = limits::mcp::PAUSE_FIRST.to_std() * 2_u32.saturating_pow(earlier);
            pause.min(limits::mcp::PAUSE_MAX.to_std())
        }
    };
    (failures.saturating_add(1), pause)
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
