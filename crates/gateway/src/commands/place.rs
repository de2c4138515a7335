//! Commands that change where a place speaks, and with which model.
//!
//! Messages that were written behind such a command are meant for where it leads, so they go along. A
//! plan that is performed again finds the place led elsewhere and leaves it there: people may have gone
//! on since.

use angelia_core::agent::models::Models;
use angelia_core::command::reply;
use angelia_core::id::SessionId;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::title::Title;
use angelia_store::sessions::{Anew, At, Authority, Begun, Switched};

use super::{Errand, Lost};

impl Errand<'_> {
    pub(super) async fn begin_anew(
        &self,
        session: SessionId,
        title: Option<&Title>,
    ) -> Result<String, Lost> {
        let anew = Anew {
            at: At::Scope(self.scope().await?),
            session,
            why: Reason::SessionReset,
            label: None,
            by: Authority::Place,
        };
        let store = &self.commands.ground.store;
        match self.ask(|| store.begin_anew(anew.clone())).await? {
            Begun::Anew { .. } | Begun::Before => (),
            Begun::Unknown | Begun::Busy => return Ok(reply::conversation_gone()),
        }
        self.carry_over().await?;
        let titled = self.entitle(session, title).await?;
        Ok(reply::anew(&titled))
    }

    pub(super) async fn switch_to(&self, target: SessionId, called: &str) -> Result<String, Lost> {
        let (store, scope) = (&self.commands.ground.store, self.scope().await?);
        let here = self.ask(|| store.peek(&scope)).await?;
        if here == Some(self.claimed.session) {
            let at = At::Scope(scope);
            let switch = || store.switch(at.clone(), target, Authority::Place);
            match self.ask(switch).await? {
                Switched::Done { .. } | Switched::Same => (),
                Switched::UnknownPlace
                | Switched::UnknownTarget
                | Switched::Forbidden
                | Switched::Busy => {
                    return Ok(reply::conversation_gone());
                }
            }
        }
        self.carry_over().await?;
        Ok(reply::resumed(called))
    }

    pub(super) async fn choose_model(&self, model: Option<&ModelOverride>) -> Result<String, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        let set = || store.set_model_override(session, model.cloned());
        // It has the choice whether it had it before or not.
        let _changed = self.ask(set).await?;
        let chosen = model.and_then(ModelOverride::model);
        Ok(reply::model(chosen, &self.models().await?))
    }

    /// The models of whoever answers here.
    pub(super) async fn models(&self) -> Result<Models, Lost> {
        let answers = self.answers().await?;
        Ok(self.commands.agents.models(&answers))
    }

    /// The model that was chosen for the conversation.
    pub(super) async fn own_model(&self) -> Result<Option<String>, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        let chosen = self.ask(|| store.model_override(session)).await?;
        Ok(chosen.and_then(|chosen| chosen.model().map(str::to_owned)))
    }
}
