//! One account on one node: takes the account's lease, and while it holds it listens and delivers.
//!
//! Listener and courier live together under one lease, because rate limits belong to the account.
//! Whoever loses the lease stops both; whoever gets it first decides over deliveries that an earlier
//! courier left in the middle.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_platforms::Adapter;
use angelia_store::leases::Held;
use angelia_store::{Fenced, StoreError};

use crate::common::Common;
use crate::courier::Courier;
use crate::door::Door;
use crate::leases::{Grip, Holdings};
use crate::listener::Listener;

/// Pause before a release that the store did not take is tried again.
const RELEASE_AGAIN: Span = Span::ms(500);

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
        self.let_go(&grip).await;
    }

    /// Ends the lease, however long the store needs. The next holder, also ourselves, then gets a
    /// higher fence, and deliveries that this courier claimed are decided over. Taking the lease
    /// again without that would leave them with a fence that nobody will ever outrun.
    async fn let_go(&self, grip: &Grip) {
        loop {
            let released = self.common.store.release_lease(grip.held()).await;
            self.common.note("account", &released);
            if released.is_ok() {
                return;
            }
            tokio::time::sleep(RELEASE_AGAIN.to_std()).await;
        }
    }
}
