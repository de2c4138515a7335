//! Wishes to restart, in chat.

use angelia_core::command::reply::Work;
use angelia_core::id::DeliveryId;
use angelia_core::restart;
use angelia_store::restarts::{NewWish, Wished};

use super::{Errand, Lost};

impl Errand<'_> {
    /// Writes the wish down. It is followed once it was answered.
    pub(super) async fn wish_restart(&self, delivery: DeliveryId) -> Result<String, Lost> {
        let ground = &self.commands.ground;
        let said = self.claimed.batch.first();
        let wish = NewWish {
            node: ground.node,
            said: said.map(|one| (one.inbox, one.inbound.address.clone())),
            delivery,
        };
        match self.ask(|| ground.store.wish_restart(wish.clone())).await? {
            Wished::Fulfilled => Ok(restart::is_over()),
            Wished::Open => {
                let counts = self.ask(|| ground.store.counts()).await?;
                let own = usize::from(self.work == Work::Rests);
                let running = (counts.running as usize).saturating_sub(own);
                Ok(restart::begins(running, self.commands.drain))
            }
        }
    }
}
