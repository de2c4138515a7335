//! One turn's conversation with its agent: what was said so far, and who is shown it.

use angelia_core::mask::Masker;
use angelia_core::turn::machine::Machine;
use angelia_store::turns::ClaimedTurn;
use tokio::time::Instant;

use crate::draft::{Draft, Thoughts};
use crate::glimpses::easel::Easel;
use crate::leases::Grip;
use crate::sketches::Pen;
use crate::turn::Done;

/// A turn's conversation with its agent.
pub(crate) struct Talk<'a> {
    /// The turn.
    pub(crate) claimed: &'a ClaimedTurn,
    /// What holds it.
    pub(crate) grip: &'a Grip,
    /// What happens to it.
    pub(crate) machine: Machine,
    /// When the reply is shown again.
    pub(crate) draft: Draft,
    /// What is thought about it.
    pub(crate) thoughts: Thoughts,
    /// What its reply is shown with while it grows.
    pub(crate) pen: Pen,
    /// Where other nodes see it.
    pub(crate) easel: Easel,
    /// Where the reply is parted, because the agent turned to a tool.
    pub(crate) breaks: Vec<usize>,
    /// What this attempt adds to the turn.
    pub(crate) done: Done,
}

impl<'a> Talk<'a> {
    /// At its beginning; nothing is shown yet.
    pub(crate) fn new(claimed: &'a ClaimedTurn, grip: &'a Grip, now: Instant) -> Self {
        let machine = Machine::new(claimed.journal.len());
        Self {
            claimed,
            grip,
            machine,
            draft: Draft::new(now),
            thoughts: Thoughts::new(now),
            pen: Pen::default(),
            easel: Easel::default(),
            breaks: Vec::new(),
            done: Done::default(),
        }
    }

    /// The reply is another than before.
    pub(crate) fn grew(&mut self) {
        self.draft.grew();
        self.easel.grew();
        let reply = self.machine.reply();
        self.breaks.retain(|place| *place <= reply.len());
        self.pen.follow(reply, &self.breaks);
    }

    /// More was thought beside it.
    pub(crate) fn think(&mut self, more: &str, masker: &Masker) {
        self.thoughts.more(more, masker);
        if self.pen.shows_thoughts() {
            self.pen.think(more);
            self.easel.think(more);
        }
    }

    /// What is said from now on is a message of its own, where replies are shown while they grow.
    pub(crate) fn part(&mut self) {
        let place = self.machine.reply().len();
        if place > 0 && self.breaks.last() != Some(&place) {
            self.breaks.push(place);
            self.pen.part();
        }
    }
}
