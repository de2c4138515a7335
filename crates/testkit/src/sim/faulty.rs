//! A store that fails on either side of its commits, and the place where planted bugs sit.
//!
//! Every verb takes a moment before and after, so that a kill can fall on either side; may fail before
//! it is done, or after. What was really done is told to the watch.

mod access;
mod approvals;
mod busy;
mod chats;
mod commands;
mod costs;
mod drafts;
mod errands;
mod glimpses;
mod intake;
mod links;
mod media;
pub(super) mod neighbours;
mod processes;
mod restarts;
mod search;
mod sessions;
mod stickers;
mod taking;
mod transcripts;
mod views;
mod watches;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, NodeId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::intake::check;
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, Delivery, DeliveryUpdate};
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::time::Span;
use angelia_core::todo::Task;
use angelia_core::transcript::entry::Role;
use angelia_core::turn::journal::Step;
use angelia_core::whatsapp::aliases::Aliases;
use angelia_store::intake::{Accept, Accepted, Place};
use angelia_store::leases::{Boot, Held, Leases};
use angelia_store::outbox::{Changed, Outbox};
use angelia_store::turns::{ClaimedTurn, Settle, Turns};
use angelia_store::{Fenced, Store, StoreError};
use async_trait::async_trait;
use tokio::time::Instant;

use crate::sim::dice::Dice;
use crate::sim::sabotage::Sabotage;
use crate::sim::watch::Watch;
use crate::sim::weather::Weather;

/// One node's view of the store.
#[derive(Clone)]
pub struct Faulty {
    inner: Arc<dyn Store>,
    weather: Weather,
    watch: Watch,
    sabotage: Sabotage,
    ice: Ice,
    dice: Arc<Mutex<Dice>>,
    early: Arc<Mutex<Vec<Accept>>>,
    claims: Arc<Mutex<Vec<Claim>>>,
    air: neighbours::Air,
}

/// A turn that a node claimed.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The boot.
    pub node: NodeId,
    /// The turn.
    pub turn: ClaimedTurn,
}

/// A node that stands still: its verbs neither begin nor end before the ice melts.
#[derive(Debug, Clone, Default)]
pub struct Ice(Arc<Mutex<Option<Instant>>>);

impl Ice {
    /// Freezes until the given moment.
    pub fn freeze(&self, until: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    async fn melted(&self) {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }
}

impl Faulty {
    /// One node's view of `inner`.
    pub fn new(
        inner: Arc<dyn Store>,
        weather: Weather,
        watch: Watch,
        ice: Ice,
        dice: Dice,
    ) -> Self {
        let sabotage = weather.sabotage();
        let (dice, early, claims) = (Arc::new(Mutex::new(dice)), Arc::default(), Arc::default());
        Self {
            inner,
            weather,
            watch,
            sabotage,
            ice,
            dice,
            early,
            claims,
            air: neighbours::Air::default(),
        }
    }

    /// The turn under which this node answers a message, as it was last claimed.
    pub fn claim_of(&self, message: &Inbound) -> Option<Claim> {
        let claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |claim: &&Claim| {
            let mut batch = claim.turn.batch.iter();
            batch.any(|one| *one.inbound == *message)
        };
        claims.iter().rev().find(holds).cloned()
    }

    fn claimed(&self, node: NodeId, turn: &ClaimedTurn) {
        self.watch.claimed(turn);
        let turn = turn.clone();
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        claims.push(Claim { node, turn });
    }

    fn throw<T>(&self, game: impl FnOnce(&mut Dice) -> T) -> T {
        game(&mut self.dice.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn before(&self) -> Result<(), StoreError> {
        self.pause().await;
        self.commit_early_ones().await;
        let chance = self.weather.trouble().store_before;
        if self.throw(|dice| dice.happens(chance)) {
            Err(failed("before"))
        } else {
            Ok(())
        }
    }

    async fn after(&self) -> Result<(), StoreError> {
        self.pause().await;
        let chance = self.weather.trouble().store_after;
        if self.throw(|dice| dice.happens(chance)) {
            Err(failed("after"))
        } else {
            Ok(())
        }
    }

    async fn pause(&self) {
        let most = 4 + self.weather.trouble().verb_ms;
        let pause = self.throw(|dice| dice.number(0..most));
        tokio::time::sleep(Duration::from_millis(pause)).await;
        self.ice.melted().await;
    }

    /// The planted early acknowledgement: what was promised is committed with the next verb, if there
    /// is one.
    async fn commit_early_ones(&self) {
        let early = std::mem::take(&mut *self.early.lock().unwrap_or_else(PoisonError::into_inner));
        for message in early {
            let _late = self.take(message).await.is_err();
        }
    }

    fn promise(&self, message: Accept) -> Accepted {
        match check(
            &message.inbound,
            message.rules.isolation,
            &Aliases::default(),
        ) {
            Err(refusal) => Accepted::Refused(refusal),
            Ok(route) => {
                let place = Place {
                    inbox: message.inbox,
                    session: message.session,
                    key: route.key,
                };
                if self.sabotage == Sabotage::EarlyAck {
                    self.early
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(message);
                }
                Accepted::New(place)
            }
        }
    }

    /// The fence to name: the planted bug names the newest one, whoever asks.
    fn fence(&self, turn: TurnId, fence: Fence) -> Fence {
        match self.sabotage == Sabotage::NoFence {
            true => self.watch.newest(turn).unwrap_or(fence),
            false => fence,
        }
    }
}

fn failed(side: &str) -> StoreError {
    StoreError::Unavailable(format!("made-up failure {side} the commit"))
}

#[async_trait]
impl Turns for Faulty {
    async fn claim_turn(
        &self,
        node: NodeId,
        turn: TurnId,
    ) -> Result<Option<ClaimedTurn>, StoreError> {
        self.before().await?;
        let mut claimed = self.inner.claim_turn(node, turn).await?;
        if self.sabotage == Sabotage::NewsTwice
            && let Some(claimed) = &mut claimed
        {
            claimed.news = self.watch.first_news(claimed);
        }
        claimed
            .iter()
            .for_each(|claimed| self.claimed(node, claimed));
        self.queue_again(claimed.as_ref()).await?;
        self.after().await?;
        Ok(claimed)
    }

    async fn claim_orphan(&self, node: NodeId) -> Result<Option<ClaimedTurn>, StoreError> {
        self.before().await?;
        let claimed = self.inner.claim_orphan(node).await?;
        claimed
            .iter()
            .for_each(|claimed| self.claimed(node, claimed));
        self.queue_resumed(claimed.as_ref()).await?;
        self.after().await?;
        Ok(claimed)
    }

    async fn record_step(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let done = self
            .inner
            .record_step(turn, self.fence(turn, fence), seq, step.clone())
            .await?;
        if done == Fenced::Done(()) {
            self.watch.recorded(turn, &step);
            self.watch.wrote(turn, fence, "a step");
        }
        self.after().await?;
        Ok(done)
    }

    async fn keep_tasks(
        &self,
        turn: TurnId,
        fence: Fence,
        tasks: Vec<Task>,
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.keep_tasks(turn, named, tasks).await?;
        if done == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "the tasks");
        }
        self.after().await?;
        Ok(done)
    }

    async fn tasks(&self, session: SessionId) -> Result<Vec<Task>, StoreError> {
        self.before().await?;
        self.inner.tasks(session).await
    }

    async fn settle_turn(&self, mut settle: Settle) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let (turn, fence) = (settle.turn, settle.fence);
        settle.fence = self.fence(turn, fence);
        self.lose_what_steers(turn, settle.fence).await?;
        let mut written = settle.clone();
        if self.sabotage == Sabotage::SummaryLost {
            written.entries.retain(|row| row.role != Role::Summary);
        }
        let done = self.inner.settle_turn(written).await?;
        if done == Fenced::Done(()) {
            self.watch.settled(&settle, fence);
            for id in self.watch.book(|book| book.processes.read_in(turn)) {
                self.find_taken_back(id).await?;
            }
        }
        self.after().await?;
        Ok(done)
    }

    async fn release_turn(
        &self,
        turn: TurnId,
        fence: Fence,
        why: Interrupted,
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let done = self
            .inner
            .release_turn(turn, self.fence(turn, fence), why)
            .await?;
        if done == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "a release");
        }
        self.after().await?;
        Ok(done)
    }

    async fn next_gathered(&self) -> Result<Option<Span>, StoreError> {
        self.inner.next_gathered().await
    }

    async fn waiting(&self, session: SessionId) -> Result<usize, StoreError> {
        self.before().await?;
        self.inner.waiting(session).await
    }
}

#[async_trait]
impl Outbox for Faulty {
    async fn claim_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        limit: usize,
    ) -> Result<Fenced<Vec<Delivery>>, StoreError> {
        self.before().await?;
        let done = self.inner.claim_deliveries(account, fence, limit).await?;
        if matches!(done, Fenced::Done(_)) {
            self.watch
                .wrote_for_account(&format!("account/{account}"), fence, "a claim");
        }
        self.after().await?;
        Ok(done)
    }

    async fn confirm_delivery(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        update: DeliveryUpdate,
    ) -> Result<Fenced<Delivery>, StoreError> {
        self.before().await?;
        let done = self.inner.confirm_delivery(delivery, fence, update).await?;
        if let Fenced::Done(delivery) = &done {
            let name = format!("account/{}", delivery.address.account);
            self.watch.wrote_for_account(&name, fence, "a confirmation");
        }
        self.after().await?;
        Ok(done)
    }

    async fn recover_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        dedupe: Dedupe,
    ) -> Result<Fenced<usize>, StoreError> {
        self.before().await?;
        let forgotten = self.sabotage == Sabotage::ForgottenDoubt;
        let dedupe = if forgotten { Dedupe::ByKey } else { dedupe };
        let done = self
            .inner
            .recover_deliveries(account, fence, dedupe)
            .await?;
        self.after().await?;
        Ok(done)
    }

    async fn next_due(&self, account: &AccountId) -> Result<Option<Span>, StoreError> {
        self.before().await?;
        self.inner.next_due(account).await
    }

    async fn retry_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError> {
        self.before().await?;
        let done = self.inner.retry_delivery(delivery).await?;
        self.after().await?;
        Ok(done)
    }

    async fn drop_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError> {
        self.before().await?;
        let done = self.inner.drop_delivery(delivery).await?;
        self.after().await?;
        Ok(done)
    }
}

#[async_trait]
impl Leases for Faulty {
    async fn start_node(&self, boot: Boot) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.start_node(boot).await?;
        self.after().await
    }

    async fn beat(&self, node: NodeId, held: &[Held]) -> Result<Vec<Held>, StoreError> {
        self.before().await?;
        let lost = self.inner.beat(node, held).await?;
        self.after().await?;
        Ok(lost)
    }

    async fn take_lease(&self, name: &str, node: NodeId) -> Result<Option<Fence>, StoreError> {
        self.before().await?;
        let taken = self.inner.take_lease(name, node).await?;
        taken
            .iter()
            .for_each(|fence| self.watch.leased(name, *fence));
        self.after().await?;
        Ok(taken)
    }

    fn held_by(&self, turn: TurnId, fence: Fence) -> Arc<dyn Store> {
        Arc::new(Self {
            inner: self.inner.held_by(turn, fence),
            ..self.clone()
        })
    }

    async fn release_lease(&self, held: &Held) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.release_lease(held).await?;
        self.after().await
    }

    async fn stop_node(&self, node: NodeId) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.stop_node(node).await?;
        self.after().await
    }

    async fn sweep_nodes(&self, kept: Span) -> Result<usize, StoreError> {
        self.before().await?;
        let swept = self.inner.sweep_nodes(kept).await?;
        self.after().await?;
        Ok(swept)
    }
}
