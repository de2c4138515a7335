//! The life of conversations through a store that fails: what changes rows fails on either side of its
//! commit, what only reads is passed on as it is.

use std::sync::Arc;

use angelia_core::agent::AgentName;
use angelia_core::id::SessionId;
use angelia_core::session::key::Scope;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::ending::Reason;
use angelia_store::StoreError;
use angelia_store::sessions::{
    Anew, At, Authority, Begun, Change, Compacted, Expired, Force, OfOrigin, Record, Sessions,
    Switched,
};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Sessions for Faulty {
    async fn begin_anew(&self, anew: Anew) -> Result<Begun, StoreError> {
        self.before().await?;
        let done = self.inner.begin_anew(anew).await?;
        self.after().await?;
        Ok(done)
    }

    async fn switch(
        &self,
        at: At,
        target: SessionId,
        authority: Authority,
    ) -> Result<Switched, StoreError> {
        self.before().await?;
        let done = self.inner.switch(at, target, authority).await?;
        self.after().await?;
        Ok(done)
    }

    async fn suspend(&self, session: SessionId) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.suspend(session).await?;
        self.after().await?;
        Ok(done)
    }

    async fn mark_resume(
        &self,
        session: SessionId,
        why: Interrupted,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.mark_resume(session, why).await?;
        self.after().await?;
        Ok(done)
    }

    async fn clear_resume(&self, session: SessionId) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.clear_resume(session).await?;
        self.after().await?;
        Ok(done)
    }

    async fn end(
        &self,
        session: SessionId,
        why: Reason,
        force: Force,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.end(session, why, force).await?;
        self.after().await?;
        Ok(done)
    }

    async fn prune(&self, age: Span) -> Result<usize, StoreError> {
        self.before().await?;
        let done = self.inner.prune(age).await?;
        self.after().await?;
        Ok(done)
    }

    async fn expire(&self, rules: Arc<Rules>, limit: usize) -> Result<Vec<Expired>, StoreError> {
        self.before().await?;
        let done = self.inner.expire(rules, limit).await?;
        self.after().await?;
        Ok(done)
    }

    async fn compact_into(
        &self,
        parent: SessionId,
        child: SessionId,
    ) -> Result<Compacted, StoreError> {
        self.before().await?;
        let done = self.inner.compact_into(parent, child).await?;
        self.after().await?;
        Ok(done)
    }

    async fn set_model_override(
        &self,
        session: SessionId,
        chosen: Option<ModelOverride>,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.set_model_override(session, chosen).await?;
        self.after().await?;
        Ok(done)
    }

    async fn set_agent(
        &self,
        session: SessionId,
        chosen: Option<AgentName>,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.set_agent(session, chosen).await?;
        self.after().await?;
        Ok(done)
    }

    async fn touch(
        &self,
        session: SessionId,
        prompt_tokens: Option<u32>,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.touch(session, prompt_tokens).await?;
        self.after().await?;
        Ok(done)
    }

    async fn set_work(
        &self,
        session: SessionId,
        since: Option<Timestamp>,
    ) -> Result<Change, StoreError> {
        self.before().await?;
        let done = self.inner.set_work(session, since).await?;
        self.after().await?;
        Ok(done)
    }

    async fn reachable(&self, at: At, limit: usize) -> Result<Vec<Record>, StoreError> {
        self.inner.reachable(at, limit).await
    }

    async fn has_any(&self) -> Result<bool, StoreError> {
        self.inner.has_any().await
    }

    async fn lookup(&self, session: SessionId) -> Result<Option<Record>, StoreError> {
        self.inner.lookup(session).await
    }

    async fn peek(&self, scope: &Scope) -> Result<Option<SessionId>, StoreError> {
        self.inner.peek(scope).await
    }

    async fn of_origin(&self, asked: OfOrigin) -> Result<Option<SessionId>, StoreError> {
        self.inner.of_origin(asked).await
    }

    async fn agent(&self, session: SessionId) -> Result<Option<AgentName>, StoreError> {
        self.inner.agent(session).await
    }

    async fn model_override(
        &self,
        session: SessionId,
    ) -> Result<Option<ModelOverride>, StoreError> {
        self.inner.model_override(session).await
    }
}
