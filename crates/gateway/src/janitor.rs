//! The janitor: what nobody waits for, once a minute.

use angelia_core::limits;

use crate::common::Common;

/// Sweeps until the node takes nothing new.
pub(crate) async fn run(common: Common) {
    let mut phase = common.phase.clone();
    let sweeping = async {
        loop {
            let swept = common.store.sweep_nodes(limits::NODE_KEPT).await;
            common.note("janitor", &swept);
            tokio::time::sleep(limits::JANITOR_PERIOD.to_std()).await;
        }
    };
    tokio::select! {
        biased;
        () = phase.not_running() => (),
        () = sweeping => (),
    }
}
