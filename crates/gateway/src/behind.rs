//! What comes behind a running turn: whatever ends it, and people who are told what becomes of their words.
//!
//! Woken by the bells of the conversation or a period, it looks at the rows behind the turn. A call to stop and
//! a message that says so end the turn; a command that only tells something is answered beside it; everybody else
//! waits, and is told so from time to time where the operator wants that (`core::turn::manners`). What steers the
//! turn is taken by its agent (`steer`).

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_core::turn::ack;
use angelia_core::turn::busy::{Mode, Steering};
use angelia_core::turn::manners::Acks;
use angelia_core::turn::outcome::Interruption;
use angelia_store::Fenced;
use angelia_store::commands::Behind;
use angelia_store::turns::ClaimedTurn;

use crate::leases::Grip;
use crate::turn::{Doing, Errand, Runner};

impl Runner {
    /// Waits until a person ends this turn: by a call to stop, or by a message that does so.
    pub(crate) async fn interrupted(
        &self,
        claimed: &ClaimedTurn,
        (backend, errand): Doing<'_>,
        grip: &Grip,
    ) -> Interruption {
        let (bells, session) = (&self.ground.bells, claimed.session);
        let (mut stops, mut words) = (bells.stops.listen(session), bells.approvals.listen(session));
        let mut period = self.first_look(claimed);
        loop {
            tokio::select! {
                biased;
                () = stops.heard() => (),
                () = words.heard() => (),
                () = tokio::time::sleep(period.to_std()) => (),
            }
            // A lost bell, or a store that does not answer now, costs one period.
            period = limits::LOOP_PERIOD;
            let behind = self.ground.store.behind(claimed.turn).await;
            match behind.unwrap_or_default() {
                Behind {
                    stops: 1.., words, ..
                } => return Interruption::Stop { waiting: words },
                Behind {
                    interrupts: 1..,
                    inquiries: 0,
                    ..
                } if *errand == Errand::Answer => return Interruption::NewerMessage,
                behind => {
                    self.attend_to(claimed, (behind, backend.steering()), grip)
                        .await
                }
            }
        }
    }

    /// Answers what can be answered beside the turn, and tells others what becomes of their words.
    async fn attend_to(
        &self,
        claimed: &ClaimedTurn,
        (behind, steering): (Behind, Steering),
        grip: &Grip,
    ) {
        if behind.asides > 0 {
            self.answer_asides(claimed, grip).await;
        }
        // Words may be the answer that the turn waits for.
        if behind.words > 0 && behind.inquiries == 0 {
            self.tell_waiting(claimed, steering).await;
        }
    }

    /// Answers commands that only tell something: nobody has to wait for them until the turn is over.
    async fn answer_asides(&self, claimed: &ClaimedTurn, grip: &Grip) {
        let store = &self.ground.store;
        let asides = store.asides(claimed.turn).await;
        self.ground.note("turn", &asides);
        for aside in asides.unwrap_or_default() {
            let Some(text) = self.commands.aside(claimed, &aside, grip).await else {
                continue;
            };
            let notice = (self.ground.env.delivery_id(), text);
            let answered = store.answer_aside(claimed.turn, claimed.fence, aside.inbox, notice);
            let answered = answered.await;
            self.ground.note("turn", &answered);
            if let Ok(Fenced::Done(Some(batch))) = answered {
                self.closing.announce_batch(claimed, &batch);
                // If it was a wish to restart, it is answered now.
                self.ground.bells.restarts.ring();
                let account = &aside.inbound.address.account;
                self.ground.bells.outbox(account).ring();
            }
        }
    }

    /// A message that ends the turn may be there already, where messages do so. A call to stop may not: it is
    /// newer than the claim.
    fn first_look(&self, claimed: &ClaimedTurn) -> Span {
        let mut asked = claimed.batch.iter().map(|one| &one.inbound.address);
        match asked.any(|place| self.manners.at(place).mode == Mode::Interrupt) {
            true => Span::default(),
            false => limits::LOOP_PERIOD,
        }
    }

    /// Tells whoever wrote last what becomes of it. What fails is tried again with the next look.
    async fn tell_waiting(&self, claimed: &ClaimedTurn, steering: Steering) {
        let Some(first) = claimed.batch.first() else {
            return;
        };
        if self.manners.at(&first.inbound.address).acks == Acks::Silent {
            return;
        }
        let store = &self.ground.store;
        let Ok(Some(untold)) = store.untold(claimed.turn).await else {
            return;
        };
        let Some(text) = ack::words(untold.newcomer, steering) else {
            return;
        };
        let notice = (self.ground.env.delivery_id(), text);
        let inbox = untold.waiting.inbox;
        let told = store.tell_waiting(claimed.turn, claimed.fence, inbox, notice);
        self.ground.note("turn", &told.await);
        let account = &untold.waiting.inbound.address.account;
        self.ground.bells.outbox(account).ring();
    }
}
