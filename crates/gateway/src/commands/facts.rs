//! What commands read before they say or do something.

use angelia_core::command::reply::{self, Status};
use angelia_store::commands::PlaceSession;
use angelia_store::transcripts::Undo;

use super::{Errand, Lost};

impl Errand<'_> {
    /// The conversations of the place, oldest first.
    pub(super) async fn of_place(&self) -> Result<Vec<PlaceSession>, Lost> {
        let (store, scope) = (&self.commands.ground.store, self.scope().await?);
        self.ask(|| store.of_place(&scope)).await
    }

    /// What undoing the last turns would hide.
    pub(super) async fn rewind(&self, turns: u32) -> Result<Option<Undo>, Lost> {
        let store = &self.commands.ground.store;
        self.ask(|| store.rewind_plan(self.claimed.session, turns))
            .await
    }

    pub(super) async fn status(&self) -> Result<String, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        let Some(detail) = self.ask(|| store.session(session)).await? else {
            return Ok(reply::conversation_gone());
        };
        let all = self.of_place().await?;
        let here = all.into_iter().find(|one| one.id == session);
        let asked = self.rewind(u32::MAX).await?;
        let used = self.ask(|| store.usage(session)).await?.unwrap_or_default();
        let status = Status {
            session,
            title: here.and_then(|one| one.title),
            agent: self.own_agent().await?,
            model: self.own_model().await?,
            turns: asked.map_or(0, |asked| asked.turns),
            created_at: detail.row.created_at,
            tokens: (used.total.tokens.input, used.total.tokens.output),
            waiting: self.waiting().await?,
        };
        Ok(reply::status(&status, self.commands.ground.env.now()))
    }
}
