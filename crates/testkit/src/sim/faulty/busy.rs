//! The verbs for conversations that are at work, failing like all others.

use std::sync::Arc;

use angelia_core::id::{DeliveryId, InboxId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::lease::Fence;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::turn::journal::{Steered, Step};
use angelia_store::busy::{Along, Busy, Untold};
use angelia_store::intake::Accept;
use angelia_store::turns::{ClaimedTurn, Resumed, Waiting};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::dice::Dice;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Busy for Faulty {
    async fn steering(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError> {
        self.before().await?;
        self.inner.steering(turn).await
    }

    async fn take_along(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<Along>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self
            .inner
            .take_along(turn, named, seq, step.clone())
            .await?;
        if let Fenced::Done(Along::Taken(batch)) = &done {
            self.watch.wrote(turn, fence, "what it took along");
            self.watch.steered(turn, &step, batch);
        }
        self.after().await?;
        Ok(done)
    }

    async fn asides(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError> {
        self.before().await?;
        self.inner.asides(turn).await
    }

    async fn answer_aside(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<Option<Vec<Waiting>>>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.answer_aside(turn, named, inbox, notice).await?;
        if let Fenced::Done(Some(batch)) = &done {
            self.watch.wrote(turn, fence, "what it told beside");
            self.watch.took(turn, batch);
        }
        self.after().await?;
        Ok(done)
    }

    async fn untold(&self, turn: TurnId) -> Result<Option<Untold>, StoreError> {
        self.before().await?;
        self.inner.untold(turn).await
    }

    async fn tell_waiting(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.tell_waiting(turn, named, inbox, notice).await?;
        if done == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "what it told");
        }
        self.after().await?;
        Ok(done)
    }
}

/// Where the planted bug writes its step: behind all others.
const LAST: u32 = 1_000_000;

impl Faulty {
    /// The planted bug: what would have steered the turn becomes part of it as it ends.
    pub(super) async fn lose_what_steers(
        &self,
        turn: TurnId,
        fence: Fence,
    ) -> Result<(), StoreError> {
        if self.sabotage != Sabotage::SteerLost {
            return Ok(());
        }
        let behind = self.inner.steering(turn).await?;
        let said = behind.iter().map(|one| Steered {
            inbox: one.inbox,
            text: one.inbound.text.clone(),
        });
        let step = Step::Steered {
            said: said.collect(),
        };
        if !behind.is_empty()
            && let Fenced::Done(Along::Taken(batch)) = self
                .inner
                .take_along(turn, fence, LAST, step.clone())
                .await?
        {
            self.watch.steered(turn, &step, &batch);
        }
        Ok(())
    }

    /// The planted bug: the last of several messages that a turn was opened over is there once more.
    pub(super) async fn queue_again(
        &self,
        claimed: Option<&ClaimedTurn>,
    ) -> Result<(), StoreError> {
        let gathered = claimed.filter(|claimed| claimed.asked > 1);
        let Some(claimed) = gathered.filter(|_| self.sabotage == Sabotage::MergedTwice) else {
            return Ok(());
        };
        self.take_again(claimed, claimed.asked - 1).await
    }

    /// The planted bug: the message of a turn that was released is there once more.
    pub(super) async fn queue_resumed(
        &self,
        claimed: Option<&ClaimedTurn>,
    ) -> Result<(), StoreError> {
        let is_released = |one: &&ClaimedTurn| {
            let why = Interrupted::ShutdownTimeout;
            matches!(one.resumed, Resumed::Turn { why: of, .. } if of == why)
        };
        match claimed
            .filter(|_| self.sabotage == Sabotage::ResumedTwice)
            .filter(is_released)
        {
            Some(claimed) => self.take_again(claimed, 0).await,
            None => Ok(()),
        }
    }

    async fn take_again(&self, claimed: &ClaimedTurn, which: usize) -> Result<(), StoreError> {
        let again = &claimed.batch[which];
        let accept = Accept {
            inbound: Inbound {
                event_key: EventKey::again_in(claimed.turn),
                ..(*again.inbound).clone()
            },
            inbox: InboxId::from_bits(self.throw(Dice::bits).into()),
            session: claimed.session,
            rules: Arc::default(),
            cursor: None,
        };
        self.inner.accept(accept).await.map(drop)
    }
}
