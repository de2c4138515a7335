//! The janitor: what nobody waits for, once a minute.

use angelia_core::limits;

use crate::ground::Ground;

/// Sweeps until the node takes nothing new.
pub(crate) async fn run(ground: Ground) {
    let phase = ground.phase.clone();
    let sweeping = async {
        loop {
            let swept = ground.store.sweep_nodes(limits::NODE_KEPT).await;
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
