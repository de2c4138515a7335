//! The verbs for commands, failing like all others.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::session::key::{Isolation, Scope};
use angelia_store::commands::{Behind, Commands, PlaceSession};
use angelia_store::turns::Waiting;
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Commands for Faulty {
    async fn behind(&self, turn: TurnId) -> Result<Behind, StoreError> {
        self.before().await?;
        self.inner.behind(turn).await
    }

    async fn take_stops(
        &self,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Vec<Waiting>>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.take_stops(turn, named).await?;
        if let Fenced::Done(batch) = &done {
            self.watch.wrote(turn, fence, "what it answers");
            self.watch.took(turn, batch);
        }
        self.after().await?;
        Ok(done)
    }

    async fn of_place(&self, scope: &Scope) -> Result<Vec<PlaceSession>, StoreError> {
        self.before().await?;
        self.inner.of_place(scope).await
    }

    async fn carry_over(
        &self,
        from: SessionId,
        scope: &Scope,
        isolation: Isolation,
    ) -> Result<usize, StoreError> {
        self.before().await?;
        let done = self.inner.carry_over(from, scope, isolation).await?;
        self.after().await?;
        Ok(done)
    }
}
