//! Beginning anew because somebody wished it.
//!
//! A wish is a row (`store/restarts`), answered before it is followed. Whoever runs the gateway waits for it here, and
//! either lets the gateway go and starts it again, or calls it off with the reason. A boot that begins ends
//! the wishes for earlier ones and tells so: a gateway that was killed on its way has restarted, too.
//!
//! How a process starts itself again is not known here.

use std::convert::Infallible;

use angelia_core::address::Address;
use angelia_core::limits;
use angelia_core::restart;
use angelia_core::turn::manners::Acks;
use angelia_store::restarts::NewWish;
use angelia_store::turns::ClaimedTurn;
use angelia_store::{Fenced, StoreError};

use crate::gateway::Gateway;
use crate::ground::Ground;
use crate::leases::Grip;
use crate::turn::Runner;

impl Gateway {
    /// Writes down that somebody wants the gateway to begin anew, who is not told about it in a chat.
    ///
    /// # Errors
    /// The store did not answer; the wish may or may not be there.
    pub async fn wish_restart(&self) -> Result<(), StoreError> {
        let ground = self.ground();
        let wish = NewWish {
            node: ground.node,
            said: None,
            delivery: ground.env.delivery_id(),
        };
        ground.store.wish_restart(wish).await?;
        ground.bells.restarts.ring();
        Ok(())
    }

    /// Waits until somebody wants the gateway to begin anew, and was told that it will.
    pub async fn restart_wished(&self) {
        let ground = self.ground();
        let mut ear = ground.bells.restarts.listen();
        loop {
            let wished = ground.store.restart_wished(ground.node).await;
            ground.note("restarts", &wished);
            if wished.is_ok_and(|since| since.is_some()) {
                return;
            }
            tokio::select! {
                biased;
                () = ear.heard() => (),
                () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
            }
        }
    }

    /// Stays, and tells those who wished otherwise why.
    pub async fn call_off_restart(&self, why: &str) {
        let ground = self.ground();
        let text = restart::called_off(why);
        let told = ground.store.call_off_restart(ground.node, &text).await;
        ground.note("restarts", &told);
        let accounts = told.unwrap_or_default();
        accounts
            .iter()
            .for_each(|account| ground.bells.outbox(account).ring());
    }
}

/// Ends the wishes for earlier boots. Until the store has taken that, it is tried again.
pub(crate) async fn come_back(ground: Ground, version: String) {
    let (text, phase) = (restart::back(&version), ground.phase.clone());
    loop {
        let told = ground.store.come_back(ground.node, &text).await;
        ground.note("restarts", &told);
        if let Ok(accounts) = told {
            return accounts
                .iter()
                .for_each(|account| ground.bells.outbox(account).ring());
        }
        tokio::select! {
            biased;
            () = phase.stopping() => return,
            () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
        }
    }
}

impl Runner {
    /// Tells whoever waits for this turn that the gateway goes, unless the turn ends within a moment.
    pub(crate) async fn farewell(&self, claimed: &ClaimedTurn, grip: &Grip) -> Infallible {
        self.ground.phase.not_running().await;
        tokio::time::sleep(limits::GOING_TOLD_AFTER.to_std()).await;
        self.tell_going(claimed, grip).await;
        std::future::pending().await
    }

    /// Tells it, once in each place.
    pub(crate) async fn tell_going(&self, claimed: &ClaimedTurn, grip: &Grip) {
        let address = claimed.batch.last().map(|one| &one.inbound.address);
        let is_told = |address: &&Address| self.manners.at(address).acks == Acks::Told;
        let Some(address) = address.filter(is_told) else {
            return;
        };
        let ground = &self.ground;
        let banner = ground.phase.going().banner().to_owned();
        let notice = (ground.env.delivery_id(), banner);
        let (turn, fence, node) = (claimed.turn, claimed.fence, ground.node);
        let tell = || ground.store.tell_going(turn, fence, node, notice.clone());
        if self.closing.insist(grip, tell).await == Fenced::Done(()) {
            ground.bells.outbox(&address.account).ring();
        }
    }
}
