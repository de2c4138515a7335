//! Commands that change where a place speaks, and with which model.
//!
//! Messages that were written behind such a command are meant for where it leads, so they go along. A
//! plan that is performed again finds the place led elsewhere and leaves it there: people may have gone
//! on since.

use angelia_core::agent::models::Models;
use angelia_core::command::reply;
use angelia_core::id::SessionId;
use angelia_core::session::key::Scope;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::title::Title;
use angelia_store::sessions::{Anew, At, Authority, Begun, Switched};

use super::{Errand, Lost};

/// What came of leading a place to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Led {
    There,
    /// It had been led elsewhere before, and stays there.
    Elsewhere,
    /// There is no such place, or no such conversation.
    Nowhere,
}

impl Errand<'_> {
    pub(super) async fn begin_anew(
        &self,
        session: SessionId,
        title: Option<&Title>,
    ) -> Result<String, Lost> {
        let store = &self.commands.ground.store;
        let mut scope = self.scope().await?;
        loop {
            let anew = Anew {
                at: At::Scope(scope.clone()),
                session,
                why: Reason::SessionReset,
                label: None,
                by: Authority::Place,
            };
            match self.ask(|| store.begin_anew(anew.clone())).await? {
                Begun::Anew { .. } | Begun::Before => break,
                Begun::Unknown | Begun::Busy => match self.moved_from(&scope).await? {
                    Some(there) => scope = there,
                    None => return Ok(reply::conversation_gone()),
                },
            }
        }
        self.carry_over().await?;
        let titled = self.entitle(session, title).await?;
        Ok(reply::anew(&titled))
    }

    pub(super) async fn switch_to(&self, target: SessionId, called: &str) -> Result<String, Lost> {
        match self.lead_to(target).await? {
            Led::Nowhere => Ok(reply::conversation_gone()),
            Led::There | Led::Elsewhere => Ok(reply::resumed(called)),
        }
    }

    /// Leads the place to a conversation, wherever the place is by now, and what was written behind the command.
    pub(super) async fn lead_to(&self, target: SessionId) -> Result<Led, Lost> {
        let mut scope = self.scope().await?;
        loop {
            let led = self.lead(&scope, target).await?;
            if led != Led::Nowhere {
                self.carry_over().await?;
                return Ok(led);
            }
            match self.moved_from(&scope).await? {
                Some(there) => scope = there,
                None => return Ok(led),
            }
        }
    }

    /// Leads the place to a conversation, if it still speaks in this one.
    async fn lead(&self, scope: &Scope, target: SessionId) -> Result<Led, Lost> {
        let store = &self.commands.ground.store;
        match self.ask(|| store.peek(scope)).await? {
            None => return Ok(Led::Nowhere),
            Some(here) if here != self.claimed.session => return Ok(Led::Elsewhere),
            Some(_) => (),
        }
        let at = At::Scope(scope.clone());
        let switch = || store.switch(at.clone(), target, Authority::Place);
        Ok(match self.ask(switch).await? {
            Switched::Done { .. } | Switched::Same => Led::There,
            Switched::UnknownPlace
            | Switched::UnknownTarget
            | Switched::Forbidden
            | Switched::Busy => Led::Nowhere,
        })
    }

    /// Where the place is by now, if it is not there any more: a group may become another at any time.
    pub(super) async fn moved_from(&self, scope: &Scope) -> Result<Option<Scope>, Lost> {
        let there = self.scope().await?;
        Ok((there != *scope).then_some(there))
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
