//! The ladder: everybody is asked to end, has a moment to tidy up, and is then killed.
//!
//! It is for commands whose time is up and for those whom a command left behind. A dropped family
//! has no such moment: see `family`.

use angelia_core::limits;
use tokio::time::timeout;

use crate::family::Family;
use crate::output::Output;

/// Takes everybody down. Afterwards the shell has exited and can be reaped.
pub(crate) async fn descend(family: &mut Family, output: &mut Output) {
    family.ask_to_end();
    let in_peace = timeout(limits::KILL_GRACE.to_std(), family.gone());
    if output.read_until(in_peace).await.is_ok() {
        return;
    }
    family.kill();
    output.read_until(family.exited()).await;
    // Those who cannot die at once, because the kernel holds them, are not waited for.
    let dying = timeout(limits::OUTPUT_DRAIN.to_std(), family.gone());
    let _held_by_the_kernel = output.read_until(dying).await.is_err();
}
