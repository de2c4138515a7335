//! One account on one node: takes the account's lease, and while it holds it listens and delivers.
//!
//! Listener and courier live together under one lease, because rate limits belong to the account.
//! Whoever loses the lease stops both; whoever gets it first decides over deliveries that an earlier
//! courier left in the middle. A node that goes hands its accounts over at once if others live, and keeps
//! delivering only what none of them wants.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_platforms::Adapter;
use angelia_store::leases::Held;
use angelia_store::{Fenced, StoreError};
use tokio_util::sync::CancellationToken;

use crate::courier::Courier;
use crate::door::Door;
use crate::ground::Ground;
use crate::leases::{self, Grip, Holdings, Who};
use crate::listener::Listener;
use crate::phase::Phase;
use crate::showing::Showing;

/// Pause before a lease is released or taken once more after something went wrong.
const TAKE_AGAIN: Span = Span::ms(500);

/// One account.
#[derive(Clone)]
pub(crate) struct Account {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The account.
    pub(crate) account: AccountId,
    /// The platform.
    pub(crate) adapter: Arc<dyn Adapter>,
    /// Where messages go in.
    pub(crate) door: Door,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
}

impl Account {
    fn name(&self) -> String {
        format!("account {}", self.account)
    }

    /// Works whenever the lease is ours, until the node stops.
    pub(crate) async fn run(self) {
        let phase = self.ground.phase.clone();
        let mut freed = self.ground.bells.leases.listen();
        while phase.now() != Phase::Stopping {
            let taken = self.take().await;
            self.ground.note(&self.name(), &taken);
            let rest = match taken {
                Ok(Some(grip)) => {
                    self.holdings.note(&self.account, Who::ThisNode);
                    self.ground.glimpses.look_at_all();
                    self.work(grip).await
                }
                Ok(None) => {
                    self.holdings.note(&self.account, Who::Another);
                    self.until_free().await
                }
                Err(_) => limits::LOOP_PERIOD,
            };
            tokio::select! {
                biased;
                () = phase.stopping() => (),
                () = freed.heard(), if phase.now() == Phase::Running => (),
                () = tokio::time::sleep(rest.to_std()) => (),
            }
        }
    }

    /// How long until the lease may be free: until it ends, and never longer than a period.
    async fn until_free(&self) -> Span {
        let left = self.ground.store.lease_left(&self.lease()).await;
        self.ground.note(&self.name(), &left);
        let left = left.ok().flatten().unwrap_or(limits::LOOP_PERIOD);
        left.max(limits::TAKEOVER_PERIOD_MIN)
            .min(limits::LOOP_PERIOD)
    }

    fn lease(&self) -> String {
        leases::lease_of(&self.account)
    }

    async fn take(&self) -> Result<Option<Grip>, StoreError> {
        let name = self.lease();
        let fence = self
            .ground
            .store
            .take_lease(&name, self.ground.node)
            .await?;
        let Some(fence) = fence else { return Ok(None) };
        let grip = self.holdings.grip(Held { name, fence });
        let dedupe = self.adapter.capabilities().dedupe;
        match self
            .ground
            .store
            .recover_deliveries(&self.account, fence, dedupe)
            .await?
        {
            Fenced::Done(0) => (),
            Fenced::Done(count) => {
                tracing::info!(account = %self.account, count, "deliveries were left in the middle");
            }
            Fenced::Lost => return Ok(None),
        }
        Ok(Some(grip))
    }

    /// Listens and delivers until the lease is lost, the courier cannot tell what it holds, or the
    /// node stops. Returns how long to rest before the lease is asked for again.
    async fn work(&self, grip: Grip) -> Span {
        let listener = Listener {
            ground: self.ground.clone(),
            account: self.account.clone(),
            adapter: self.adapter.clone(),
            door: self.door.clone(),
        };
        let courier = Courier {
            ground: self.ground.clone(),
            account: self.account.clone(),
            adapter: self.adapter.clone(),
            fence: grip.held().fence,
            leave: CancellationToken::new(),
        };
        let showing = Showing {
            ground: self.ground.clone(),
            account: self.account.clone(),
            adapter: self.adapter.clone(),
            fence: grip.held().fence,
            end: grip.lost().child_token(),
        };
        let stop = grip.lost().child_token();
        let hand_over = async {
            self.others_can().await;
            courier.leave.cancel();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            biased;
            () = grip.lost().cancelled() => (),
            () = speak(&courier, &showing) => (),
            () = async { listener.run(stop).await; std::future::pending::<()>().await } => (),
            () = hand_over => (),
        }
        self.let_go(&grip).await;
        self.ground.bells.leases.ring();
        match courier.leave.is_cancelled() {
            true => limits::HANDOVER_TIME,
            false => TAKE_AGAIN,
        }
    }

    /// Waits until the node takes nothing new and others live who may look after the account. What none of them
    /// wants, this node takes back for as long as it is there.
    async fn others_can(&self) {
        let phase = &self.ground.phase;
        if phase.now() != Phase::Running {
            return std::future::pending().await;
        }
        phase.not_running().await;
        let others = self.ground.store.neighbours(self.ground.node).await;
        self.ground.note(&self.name(), &others);
        if !others.is_ok_and(|others| others > 0) {
            std::future::pending::<()>().await;
        }
    }

    /// Ends the lease, however long the store needs. The next holder, also ourselves, then gets a
    /// higher fence, and deliveries that this courier claimed are decided over. Taking the lease
    /// again without that would leave them with a fence that nobody will ever outrun.
    async fn let_go(&self, grip: &Grip) {
        loop {
            let released = self.ground.store.release_lease(grip.held()).await;
            self.ground.note(&self.name(), &released);
            // A node that stops leaves the rest to time: its lease lapses.
            if released.is_ok() || self.ground.phase.now() == Phase::Stopping {
                return;
            }
            tokio::time::sleep(TAKE_AGAIN.to_std()).await;
        }
    }
}

/// Delivers and shows until the courier ends; what is being shown is finished then.
async fn speak(courier: &Courier, showing: &Showing) {
    let delivering = async {
        courier.run().await;
        showing.end.cancel();
    };
    tokio::join!(delivering, showing.run());
}
