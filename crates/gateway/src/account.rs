//! One account on one node: takes the account's lease, and while it holds it listens and delivers.
//!
//! Listener and courier live together under one lease, because rate limits belong to the account.
//! Whoever loses the lease stops both; whoever gets it first decides over deliveries that an earlier
//! courier left in the middle.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::limits;
use angelia_platforms::Adapter;
use angelia_store::leases::Held;
use angelia_store::{Fenced, StoreError};

use crate::common::Common;
use crate::courier::Courier;
use crate::door::Door;
use crate::leases::{Grip, Holdings};
use crate::listener::Listener;

/// One account.
#[derive(Clone)]
pub(crate) struct Account {
    /// The common ground.
    pub(crate) common: Common,
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
    /// Works whenever the lease is ours, until the node stops.
    pub(crate) async fn run(self) {
        let mut phase = self.common.phase.clone();
        tokio::select! {
            biased;
            () = phase.stopping() => (),
            () = self.work_whenever_ours() => (),
        }
    }

    async fn work_whenever_ours(&self) {
        loop {
            let taken = self.take().await;
            self.common.note("account", &taken);
            if let Ok(Some(grip)) = taken {
                self.work(grip).await;
            }
            tokio::time::sleep(limits::LOOP_PERIOD.to_std()).await;
        }
    }

    async fn take(&self) -> Result<Option<Grip>, StoreError> {
        let name = format!("account/{}", self.account);
        let fence = self
            .common
            .store
            .take_lease(&name, self.common.node)
            .await?;
        let Some(fence) = fence else { return Ok(None) };
        let grip = self.holdings.grip(Held { name, fence });
        let dedupe = self.adapter.capabilities().dedupe;
        match self
            .common
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

    /// Listens and delivers until the lease is lost or the courier cannot tell what it holds.
    async fn work(&self, grip: Grip) {
        let listener = Listener {
            common: self.common.clone(),
            account: self.account.clone(),
            adapter: self.adapter.clone(),
            door: self.door.clone(),
        };
        let courier = Courier {
            common: self.common.clone(),
            account: self.account.clone(),
            adapter: self.adapter.clone(),
            fence: grip.held().fence,
        };
        let stop = grip.lost().child_token();
        tokio::select! {
            biased;
            () = grip.lost().cancelled() => (),
            () = courier.run() => (),
            () = async { listener.run(stop).await; std::future::pending::<()>().await } => (),
        }
        // Ending the lease gives the next holder, also ourselves, a higher fence: deliveries that
        // this courier claimed are then decided over. If it fails, the lease lapses by time.
        let released = self.common.store.release_lease(grip.held()).await;
        self.common.note("account", &released);
    }
}
