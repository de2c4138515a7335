//! A holder's ladder: everybody is asked to end, has a moment to tidy up, and is then killed, again
//! and again until nobody is left.
//!
//! A command in a target is out of reach: its bridge is asked to do the same there, and gets the time
//! for it. Those below the bridge lead to the target and are left in peace until then.

use std::time::{Duration, Instant};

use angelia_core::limits;
use rustix::process::{Pid, Signal};

use crate::descendants::{self, Search};
use crate::spec::{Input, Spec, Surface};

/// Between two rounds of killing, for those who were born meanwhile.
const AGAIN_AFTER: Duration = Duration::from_millis(20);

/// The longest time to tidy up: whoever asks for more means "never", which is not what a kill is.
const GRACE_MAX: Duration = Duration::from_secs(3_600);

/// Who is asked, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Everybody below us.
    Family(Surface),
    /// The bridge, for a command in a target.
    Bridge,
}

impl Reach {
    pub(super) fn of(spec: &Spec) -> Self {
        match spec.target.is_local() {
            true => Self::Family(spec.surface),
            false => Self::Bridge,
        }
    }
}

/// A family on its way down.
#[derive(Debug)]
pub(super) struct Descent {
    reach: Reach,
    /// When to kill, or to kill again.
    due: Instant,
    killed_at: Option<Instant>,
}

impl Descent {
    /// Asks everybody to end; they have `grace` for it.
    pub(super) fn begin(leader: Option<Pid>, reach: Reach, grace: Duration, now: Instant) -> Self {
        // Without its bridge there is only a family of ours left.
        let reach = match leader {
            None if reach == Reach::Bridge => Reach::Family(Surface::Pipes(Input::Closed)),
            _ => reach,
        };
        ask(leader, reach, grace);
        Self {
            reach,
            due: now + allowed(reach, grace),
            killed_at: None,
        }
    }

    /// Leaves them no more than `grace` from now.
    pub(super) fn hasten(&mut self, leader: Option<Pid>, grace: Duration, now: Instant) {
        if self.reach == Reach::Bridge {
            ask(leader, self.reach, grace);
        }
        self.due = self.due.min(now + allowed(self.reach, grace));
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

fn allowed(reach: Reach, grace: Duration) -> Duration {
    let grace = grace.min(GRACE_MAX);
    match reach {
        Reach::Family(_) => grace,
        Reach::Bridge => grace + limits::TARGET_END_TIME.to_std(),
    }
}

fn ask(leader: Option<Pid>, reach: Reach, grace: Duration) {
    match (reach, leader) {
        (Reach::Family(surface), _) if !grace.is_zero() => {
            descendants::signal(leader, asking(surface), Search::Quick);
        }
        (Reach::Family(_), _) | (Reach::Bridge, None) => (),
        (Reach::Bridge, Some(bridge)) => {
            // It takes its command down in good order, or at once.
            let signal = if grace.is_zero() {
                Signal::ALARM
            } else {
                Signal::TERM
            };
            let _ended = rustix::process::kill_process(bridge, signal).is_err();
        }
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
