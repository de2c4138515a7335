//! Takes a command in a target down, on a line of its own: whatever the other line waits for, this one
//! is heard. A line that breaks is opened again until somebody inside says that nobody is left.

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use angelia_core::time::Span;
use rustix::event::PollFlags;

use super::link::Link;
use super::way::Way;
use crate::target::said::Said;
use crate::target::script::{self, Remains};

/// Before a line that broke is opened again.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// A command on its way down.
#[derive(Debug)]
pub(super) struct Ending {
    grace: Span,
    remains: Remains,
    /// None while there is no line.
    link: Option<Link>,
    /// When to open a line; nothing once nobody is left.
    open_at: Option<Instant>,
}

impl Ending {
    /// Will ask everybody to end, and kill who is left after `grace`.
    pub(super) fn begin(grace: Span, remains: Remains, now: Instant) -> Self {
        Self {
            grace,
            remains,
            link: None,
            open_at: Some(now),
        }
    }

    /// Whether nobody is left.
    pub(super) fn is_done(&self) -> bool {
        self.open_at.is_none()
    }

    /// When there is something to do.
    pub(super) fn due(&self) -> Option<Instant> {
        self.open_at.filter(|_| self.link.is_none())
    }

    pub(super) fn wakers(&self) -> Vec<(BorrowedFd<'_>, PollFlags)> {
        self.link.as_ref().map(Link::wakers).unwrap_or_default()
    }

    /// Does what can be done now.
    pub(super) fn step(&mut self, way: &Way, now: Instant) {
        if self.due().is_some_and(|due| now >= due) {
            let script = script::end(way.id(), self.grace, self.remains);
            // Tried again in a moment.
            self.link = way.open(&script).ok();
            self.open_at = Some(now + AGAIN_AFTER);
        }
        let Some(link) = &mut self.link else { return };
        link.write();
        link.output();
        let is_gone = link.said().contains(&Said::Gone);
        if is_gone {
            self.open_at = None;
        }
        if is_gone || link.is_over() {
            self.link = None;
        }
    }
}
