//! The indexer: makes what was said findable, beside everything else.
//!
//! Woken by the transcript's bell (a turn was settled) or a period. It gathers for a moment, so that many
//! turns share one commit, and then indexes in small steps with a rest between them: whoever writes a
//! message or a reply waits for one small step at most. What an earlier node left is found in the same way,
//! after the start and without holding it up. How far it is, is a row of the store; nothing is lost with
//! this task.

use angelia_core::limits;
use angelia_store::StoreError;

use crate::ground::Ground;

/// Indexes until the node takes nothing new. What its last turns say is indexed by the next start.
pub(crate) async fn run(ground: Ground) {
    let phase = ground.phase.clone();
    tokio::select! {
        biased;
        () = phase.not_running() => (),
        () = indexing(&ground) => (),
    }
}

async fn indexing(ground: &Ground) {
    let mut ear = ground.bells.transcript.listen();
    loop {
        let caught_up = catch_up(ground).await;
        ground.note("indexer", &caught_up);
        tokio::select! {
            biased;
            () = ear.heard(), if caught_up.is_ok() => (),
            () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
        }
        tokio::time::sleep(limits::SEARCH_GATHER.to_std()).await;
    }
}

async fn catch_up(ground: &Ground) -> Result<(), StoreError> {
    loop {
        let indexed = ground.store.index_more(limits::SEARCH_BATCH_ROWS).await?;
        metrics::gauge!("angelia_search_waiting").set(indexed.waiting as f64);
        if indexed.waiting == 0 {
            return Ok(());
        }
        tokio::time::sleep(limits::SEARCH_REST.to_std()).await;
    }
}
