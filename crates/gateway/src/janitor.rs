//! The janitor: what nobody waits for, once a minute.
//!
//! It forgets boots that ended long ago, ends conversations whose policy says so although nobody writes
//! any more, deletes those that ended longer ago than the operator keeps them, forgets strangers of last
//! week, pictures that nobody refers to and background processes that ended long ago, and ends agents that
//! nobody uses. A few at a time: the next look goes on.

use std::sync::Arc;

use angelia_core::limits;
use angelia_store::StoreError;

use crate::feed::Change;
use crate::ground::Ground;
use crate::links::{self, AgentPlace};
use crate::processes::{Processes, sweep as spent};

/// What the janitor looks after besides rows.
pub(crate) struct Charges {
    /// Background processes, if there may be any.
    pub(crate) processes: Option<Processes>,
    /// Agents with processes of their own, if there may be any, and the home they belong to.
    pub(crate) agents: Option<(String, AgentPlace)>,
}

/// Sweeps until the node takes nothing new.
pub(crate) async fn run(ground: Ground, charges: Charges) {
    let phase = ground.phase.clone();
    let sweeping = async {
        for looks in 0.. {
            let swept = sweep(&ground, &charges, looks).await;
            ground.note("janitor", &swept);
            tokio::time::sleep(limits::JANITOR_PERIOD.to_std()).await;
        }
    };
    tokio::select! {
        biased;
        () = phase.not_running() => (),
        () = sweeping => (),
    }
}

async fn sweep(ground: &Ground, charges: &Charges, looks: u64) -> Result<(), StoreError> {
    ground.store.sweep_nodes(limits::NODE_KEPT).await?;
    if ground.store.is_shared() {
        ground.store.sweep_errands(limits::ERRANDS_KEPT).await?;
        ground.store.sweep_glimpses().await?;
    }
    expire(ground).await?;
    forget(ground).await?;
    ground.store.sweep_knocks(limits::SWEPT_AT_ONCE).await?;
    ground.media.sweep(looks, ground.env.now()).await?;
    if let Some(processes) = &charges.processes {
        spent::sweep(processes).await?;
    }
    match &charges.agents {
        Some((home, place)) => links::sweep(ground, home, place).await,
        None => Ok(()),
    }
}

/// Ends conversations whose silence or hour has come. Their next message still learns why.
async fn expire(ground: &Ground) -> Result<(), StoreError> {
    let rules = Arc::clone(&ground.rules);
    let expired = ground.store.expire(rules, limits::SWEPT_AT_ONCE).await?;
    for one in expired {
        let at = ground.env.now();
        ground.feed.publish_change(one.session, Change::Ended, at);
    }
    Ok(())
}

/// Deletes conversations that ended too long ago.
async fn forget(ground: &Ground) -> Result<(), StoreError> {
    let Some(kept) = ground.rules.forget_after else {
        return Ok(());
    };
    let forgotten = ground
        .store
        .forget_ended(kept, limits::SWEPT_AT_ONCE)
        .await?;
    for session in forgotten {
        let at = ground.env.now();
        ground.feed.publish_change(session, Change::Deleted, at);
    }
    Ok(())
}
