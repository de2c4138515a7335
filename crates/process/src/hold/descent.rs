//! A holder's ladder: everybody is asked to end, has a moment to tidy up, and is then killed, again
//! and again until nobody is left.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::descendants::{self, Search};
use crate::spec::Surface;

/// Between two rounds of killing, for those who were born meanwhile.
const AGAIN_AFTER: Duration = Duration::from_millis(20);

/// The longest time to tidy up: whoever asks for more means "never", which is not what a kill is.
const GRACE_MAX: Duration = Duration::from_secs(3_600);

/// A family on its way down.
#[derive(Debug)]
pub(super) struct Descent {
    /// When to kill, or to kill again.
    due: Instant,
    killed_at: Option<Instant>,
}

impl Descent {
    /// Asks everybody to end; they have `grace` for it.
    pub(super) fn begin(
        leader: Option<Pid>,
        surface: Surface,
        grace: Duration,
        now: Instant,
    ) -> Self {
        if !grace.is_zero() {
            descendants::signal(leader, asking(surface), Search::Quick);
        }
        Self {
            due: now + grace.min(GRACE_MAX),
            killed_at: None,
        }
    }

    /// Leaves them no more than `grace` from now.
    pub(super) fn hasten(&mut self, grace: Duration, now: Instant) {
        self.due = self.due.min(now + grace.min(GRACE_MAX));
    }

    /// Kills, if it is time.
    pub(super) fn step(&mut self, leader: Option<Pid>, now: Instant) {
        if now < self.due {
            return;
        }
        let search = match self.killed_at {
            None => Search::Quick,
            Some(_) => Search::Certain,
        };
        descendants::signal(leader, &[Signal::KILL], search);
        self.killed_at.get_or_insert(now);
        self.due = now + AGAIN_AFTER;
    }

    /// When there is something to do.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Since when they are being killed.
    pub(super) fn killed_at(&self) -> Option<Instant> {
        self.killed_at
    }
}

/// A stopped program hears only after it is continued. Shells on a terminal do not heed the usual
/// signal, but the loss of their terminal.
fn asking(surface: Surface) -> &'static [Signal] {
    match surface {
        Surface::Pipes(_) => &[Signal::TERM, Signal::CONT],
        Surface::Terminal(_) => &[Signal::HUP, Signal::TERM, Signal::CONT],
    }
}
