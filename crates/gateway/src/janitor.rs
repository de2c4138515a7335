//! The janitor: what nobody waits for, once a minute.
//!
//! It forgets boots that ended long ago, ends conversations whose policy says so although nobody writes
//! any more, deletes those that ended longer ago than the operator keeps them, and forgets background
//! processes that ended long ago. A few at a time: the next look goes on.

use std::sync::Arc;

use angelia_core::limits;
use angelia_store::StoreError;

use crate::feed::Change;
use crate::ground::Ground;
use crate::processes::{Processes, sweep as spent};

/// Sweeps until the node takes nothing new.
pub(crate) async fn run(ground: Ground, processes: Option<Processes>) {
    let phase = ground.phase.clone();
    let sweeping = async {
        loop {
            let swept = sweep(&ground, processes.as_ref()).await;
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

async fn sweep(ground: &Ground, processes: Option<&Processes>) -> Result<(), StoreError> {
    ground.store.sweep_nodes(limits::NODE_KEPT).await?;
    expire(ground).await?;
    forget(ground).await?;
    match processes {
        Some(processes) => spent::sweep(processes).await,
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
    let before = ground.env.now() - kept;
    let forgotten = ground
        .store
        .forget_before(before, limits::SWEPT_AT_ONCE)
        .await?;
    for session in forgotten {
        let at = ground.env.now();
        ground.feed.publish_change(session, Change::Deleted, at);
    }
    Ok(())
}
