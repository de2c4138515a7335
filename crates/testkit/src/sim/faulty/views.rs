//! The reads for people.

use angelia_core::address::AccountId;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::outbound::Delivery;
use angelia_store::StoreError;
use angelia_store::views::{
    Answer, Counts, Entry, NodeRow, OutboxFilter, Page, Range, Reading, SessionDetail,
    SessionFilter, SessionRow, Story, TurnSteps, Views,
};
use async_trait::async_trait;

use super::Faulty;

/// Reads change nothing, so they are passed on as they are.
#[async_trait]
impl Views for Faulty {
    async fn story(&self, inbox: InboxId) -> Result<Option<Story>, StoreError> {
        self.inner.story(inbox).await
    }

    async fn answer(&self, inbox: InboxId) -> Result<Option<Answer>, StoreError> {
        self.inner.answer(inbox).await
    }

    async fn steps(&self, turn: TurnId, range: Range) -> Result<Option<TurnSteps>, StoreError> {
        self.inner.steps(turn, range).await
    }

    async fn sessions(
        &self,
        filter: SessionFilter,
        range: Range,
    ) -> Result<Page<SessionRow>, StoreError> {
        self.inner.sessions(filter, range).await
    }

    async fn session(&self, session: SessionId) -> Result<Option<SessionDetail>, StoreError> {
        self.inner.session(session).await
    }

    async fn transcript(
        &self,
        session: SessionId,
        reading: Reading,
        range: Range,
    ) -> Result<Option<Page<Entry>>, StoreError> {
        self.inner.transcript(session, reading, range).await
    }

    async fn sent_to(
        &self,
        account: &AccountId,
        chat: &str,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError> {
        self.inner.sent_to(account, chat, range).await
    }

    async fn deliveries(
        &self,
        filter: OutboxFilter,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError> {
        self.inner.deliveries(filter, range).await
    }

    async fn living_nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.inner.living_nodes().await
    }

    async fn nodes(&self, range: Range) -> Result<Page<NodeRow>, StoreError> {
        self.inner.nodes(range).await
    }

    async fn counts(&self) -> Result<Counts, StoreError> {
        self.inner.counts().await
    }
}
