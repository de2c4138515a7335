//! Agents with processes of their own, through the faults.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::link::Link;
use angelia_store::links::{Links, Resting};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Links for Faulty {
    async fn link(&self, session: SessionId) -> Result<Option<Link>, StoreError> {
        self.before().await?;
        self.inner.link(session).await
    }

    async fn keep_link(
        &self,
        turn: TurnId,
        fence: Fence,
        home: &str,
        link: Link,
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let forgets =
            self.sabotage == Sabotage::LinkForgotten && self.throw(|dice| dice.happens(100));
        if forgets {
            return Ok(Fenced::Done(()));
        }
        let named = self.fence(turn, fence);
        let done = self.inner.keep_link(turn, named, home, link).await?;
        if done == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "what is remembered");
        }
        self.after().await?;
        Ok(done)
    }

    async fn resting_agents(&self, home: &str, limit: usize) -> Result<Vec<Resting>, StoreError> {
        self.before().await?;
        self.inner.resting_agents(home, limit).await
    }

    async fn let_agent_go(&self, resting: &Resting) -> Result<bool, StoreError> {
        self.before().await?;
        let done = self.inner.let_agent_go(resting).await?;
        if done {
            self.watch.let_go(resting.session);
        }
        self.after().await?;
        Ok(done)
    }

    async fn linked_agents(&self, home: &str) -> Result<Vec<String>, StoreError> {
        self.inner.linked_agents(home).await
    }
}
