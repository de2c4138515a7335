//! Words that come while a turn runs, and are taken along by it.
//!
//! ```text
//! the agent stands between two steps → what steers the turn → one transaction: step and messages → the agent
//! ```
//!
//! The agent asks, so it is never given words in the midst of something. What it was given is a step of the
//! journal, so that whoever takes the turn over gives it the same words at the same place; what it did not
//! ask for in time waits and is answered by a turn of its own.
//!
//! Which messages steer is decided at the door (`core::command::opened`) and in the store.

use std::ops::ControlFlow;

use angelia_core::transcript::entry::Entry;
use angelia_core::turn::journal::{self, Recorded, Steered, Step};
use angelia_core::turn::machine::{Effect, Event};
use angelia_store::Fenced;
use angelia_store::busy::Along;
use angelia_store::turns::Waiting;
use tokio::sync::oneshot;

use crate::talk::Talk;
use crate::turn::Runner;

impl Runner {
    /// Takes along what steers the turn, and tells the agent.
    pub(crate) async fn steer(
        &self,
        talk: &mut Talk<'_>,
        answer: oneshot::Sender<Vec<Entry>>,
    ) -> ControlFlow<Option<Effect>> {
        // A store that does not answer now is asked again at the next step.
        let behind = self.ground.store.steering(talk.claimed.turn).await;
        let behind = behind.unwrap_or_default();
        let rows = match behind.is_empty() {
            true => Vec::new(),
            false => match self.take_along(talk, &behind).await {
                ControlFlow::Continue(rows) => rows,
                ControlFlow::Break(ending) => return ControlFlow::Break(ending),
            },
        };
        // The agent may be gone by now; what was taken along is in the journal all the same.
        let _gone = answer.send(rows).is_err();
        ControlFlow::Continue(())
    }

    async fn take_along(
        &self,
        talk: &mut Talk<'_>,
        behind: &[Waiting],
    ) -> ControlFlow<Option<Effect>, Vec<Entry>> {
        let said: Vec<Steered> = behind.iter().map(|one| self.told(one)).collect();
        let rows = said.iter().map(journal::steered).collect();
        let step = Step::Steered { said };
        let (seq, step) = match talk.machine.on(Event::Step(step)) {
            Some(Effect::Record(seq, step)) => (seq, step),
            ending => return ControlFlow::Break(ending),
        };
        let (store, claimed) = (&self.ground.store, talk.claimed);
        let take = || store.take_along(claimed.turn, claimed.fence, seq, step.clone());
        match self.closing.insist(talk.grip, take).await {
            Fenced::Lost => ControlFlow::Break(None),
            Fenced::Done(Along::Gone) => {
                talk.machine.unrecord();
                ControlFlow::Continue(Vec::new())
            }
            Fenced::Done(Along::Taken(batch)) => {
                let at = self.ground.env.now();
                let recorded = Recorded { seq, at, step };
                self.closing.tell_step(claimed, &recorded);
                self.closing.announce_batch(claimed, &batch);
                talk.done.steps.push(recorded);
                talk.done.batch = Some(batch);
                ControlFlow::Continue(rows)
            }
        }
    }

    fn told(&self, one: &Waiting) -> Steered {
        Steered {
            inbox: one.inbox,
            text: self.telling.words(&one.inbound),
        }
    }
}
