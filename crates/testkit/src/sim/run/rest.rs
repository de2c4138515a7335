//! How a play comes to rest: what was promised is waited for, and what is left undone is looked for.

use std::time::Duration;

use angelia_core::address::AccountId;
use angelia_core::id::NodeId;
use angelia_store::drafts::Drafts as _;
use angelia_store::processes::Processes as _;
use angelia_store::restarts::Restarts as _;
use angelia_store::views::Views as _;
use angelia_store::watches::Watches as _;
use tokio::time::Instant;

use super::{CODE_OVER, Incident, PATIENCE, Play};
use crate::sim::check;
use crate::sim::world::BLIND;

impl Play {
    /// Waits until nothing is left to do. Returns whether that came true in time.
    pub(super) async fn settles(&mut self) -> check::Settled {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            self.nodes_until(Instant::now() + Duration::from_secs(30))
                .await;
            if !self.is_quiet().await {
                continue;
            }
            if !self.strangers.are_late() {
                return check::Settled::InTime;
            }
            // Nothing happens meanwhile, so nobody needs to wait for it.
            self.happens(Incident::Jump(CODE_OVER)).await;
            self.strangers.an_hour_passed();
        }
        check::Settled::Never
    }

    async fn is_quiet(&self) -> bool {
        let counts = self
            .store
            .counts()
            .await
            .expect("the bare store does not fail");
        let rest =
            self.has_untold().await || self.has_stale_drafts().await || self.has_wishes().await;
        if rest || !self.strangers.are_done() {
            return false;
        }
        let world = self.world.lock();
        let kept = world
            .sides
            .values()
            .any(|side| side.told.len() < side.written.len());
        !kept && counts.waiting == 0 && counts.running == 0 && counts.due == 0
    }

    /// Whether somebody was told that a boot goes, and not yet that it is back: also of those that are gone.
    async fn has_wishes(&self) -> bool {
        let mut wished = false;
        for boot in &self.started {
            wished |= self.is_boot_wished(*boot).await;
        }
        wished
    }

    /// Whether somebody was told that the boot goes, and not yet what became of that.
    pub(super) async fn is_boot_wished(&self, boot: NodeId) -> bool {
        let wished = self.store.restart_wished(boot).await;
        wished.expect("the bare store reads").is_some()
    }

    /// Whether a message is left that showed a reply while it grew.
    async fn has_stale_drafts(&self) -> bool {
        let blind = AccountId(BLIND.to_owned());
        let stale = self.store.stale_drafts(&blind, 1).await;
        !stale.expect("the bare store reads").is_empty()
    }

    /// Whether a process lives, or has something left to tell.
    async fn has_untold(&self) -> bool {
        let mut untold = self.watch.book(|book| book.processes.are_living());
        for node in &self.nodes {
            let news = self.store.untold_news(&node.home, 1).await;
            let ends = self.store.untold_processes(&node.home, 1).await;
            untold |= !news.expect("the bare store reads").is_empty();
            untold |= !ends.expect("the bare store reads").is_empty();
        }
        untold
    }
}
