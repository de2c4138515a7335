//! The heartbeat: renews what this node holds, and lets go in time what it may have lost.
//!
//! `Holdings` is the list of leases that tasks of this node work under. Each comes with a token; the
//! task must stop when it is cancelled. The heartbeat renews all of them every ten seconds. A lease
//! that the store says is lost is cancelled at once. If the store cannot be reached for twenty
//! seconds of the steady clock, everything is cancelled, ten seconds before anyone else may claim it.
//!
//! It takes no lease itself: whoever works takes its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::address::AccountId;
use angelia_core::{lease, limits};
use angelia_store::leases::Held;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::ground::Ground;

/// The leases that tasks of this node work under.
#[derive(Debug, Clone, Default)]
pub(crate) struct Holdings {
    held: Arc<Mutex<BTreeMap<Held, CancellationToken>>>,
    elsewhere: Arc<Mutex<BTreeSet<AccountId>>>,
}

/// Who looks after an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// This node does, or will.
    ThisNode,
    /// Another has its lease.
    Another,
}

/// One lease in use. Dropping it ends its renewal, not the lease.
#[derive(Debug)]
pub(crate) struct Grip {
    held: Held,
    lost: CancellationToken,
    holdings: Holdings,
}

impl Holdings {
    /// Renews `held` from now on, until the grip is dropped.
    pub(crate) fn grip(&self, held: Held) -> Grip {
        let lost = CancellationToken::new();
        self.lock().insert(held.clone(), lost.clone());
        Grip {
            held,
            lost,
            holdings: self.clone(),
        }
    }

    pub(crate) fn list(&self) -> Vec<Held> {
        self.lock().keys().cloned().collect()
    }

    /// Whether this node works under the lease of an account.
    pub(crate) fn has_account(&self, account: &AccountId) -> bool {
        let name = lease_of(account);
        self.lock().keys().any(|held| held.name == name)
    }

    /// Notes who looks after an account.
    pub(crate) fn note(&self, account: &AccountId, who: Who) {
        let mut elsewhere = self
            .elsewhere
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match who {
            Who::Another => elsewhere.insert(account.clone()),
            Who::ThisNode => elsewhere.remove(account),
        };
    }

    /// The accounts that other nodes look after.
    pub(crate) fn elsewhere(&self) -> BTreeSet<AccountId> {
        let elsewhere = self.elsewhere.lock();
        elsewhere.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lose(&self, lost: &[Held]) {
        let held = self.lock();
        lost.iter()
            .filter_map(|lease| held.get(lease))
            .for_each(CancellationToken::cancel);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Held, CancellationToken>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Grip {
    /// The lease.
    pub(crate) fn held(&self) -> &Held {
        &self.held
    }

    /// Cancelled when the lease is lost, or may be.
    pub(crate) fn lost(&self) -> &CancellationToken {
        &self.lost
    }
}

impl Drop for Grip {
    fn drop(&mut self) {
        self.holdings.lock().remove(&self.held);
    }
}

/// The name of an account's lease.
pub(crate) fn lease_of(account: &AccountId) -> String {
    format!("account/{account}")
}

/// Renews until the node has ended everything else.
pub(crate) async fn heartbeat(ground: Ground, holdings: Holdings, stop: CancellationToken) {
    let mut renewed = ground.env.steady();
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = tokio::time::sleep(next_beat(&ground, renewed)) => (),
        }
        renewed = beat(&ground, &holdings, renewed).await;
    }
}

/// A beat that failed is tried again soon: there is time for a few more before doubt sets in.
fn next_beat(ground: &Ground, renewed: Instant) -> std::time::Duration {
    let silent = ground.env.elapsed(renewed);
    if silent < limits::HEARTBEAT_EVERY {
        limits::HEARTBEAT_EVERY.to_std() - silent.to_std()
    } else {
        limits::HEARTBEAT_AGAIN.to_std()
    }
}

/// Renews once. Returns when everything was last known to be renewed.
async fn beat(ground: &Ground, holdings: &Holdings, renewed: Instant) -> Instant {
    // A node that stood still lets go before it asks: an answer may take long.
    doubt(ground, holdings, renewed);
    let asked = ground.env.steady();
    let held = holdings.list();
    let patience = lease::patience(ground.env.elapsed(renewed));
    let answer = tokio::time::timeout(patience.to_std(), ground.store.beat(ground.node, &held));
    match answer.await {
        Ok(beaten) => {
            ground.note("heartbeat", &beaten);
            if let Ok(lost) = beaten {
                holdings.lose(&lost);
                return asked;
            }
        }
        Err(_) => tracing::warn!("the store did not answer the heartbeat in time"),
    }
    doubt(ground, holdings, renewed);
    renewed
}

fn doubt(ground: &Ground, holdings: &Holdings, renewed: Instant) {
    let held = holdings.list();
    if !held.is_empty() && lease::is_in_doubt(ground.env.elapsed(renewed)) {
        tracing::error!("leases could not be renewed in time; letting go of all work");
        holdings.lose(&held);
    }
}
