//! `/agent`: who answers in a conversation.
//!
//! The choice is the conversation's own: it goes along into a copy and a continuation, and a new
//! conversation has none. A turn that is under way stays with its agent.

use angelia_core::agent::{self, AgentName};
use angelia_core::command::{AgentWish, Plan, reply};

use super::{Errand, Intent, Lost};

impl Errand<'_> {
    pub(super) async fn agent(&self, wish: AgentWish) -> Result<Intent, Lost> {
        let all = self.commands.agents.names();
        Ok(match wish {
            AgentWish::Show => {
                let answers = self.answers().await?;
                let others: Vec<AgentName> =
                    all.into_iter().filter(|one| *one != answers).collect();
                Intent::Say(reply::agent(&answers, &others))
            }
            AgentWish::Clear => Intent::Do(Plan::Agent { agent: None }),
            AgentWish::Set(wanted) => match all.iter().find(|one| one.as_str() == wanted) {
                Some(agent) => Intent::Do(Plan::Agent {
                    agent: Some(agent.clone()),
                }),
                None => Intent::Say(reply::no_such_agent(&wanted, &all)),
            },
        })
    }

    pub(super) async fn choose_agent(&self, agent: Option<&AgentName>) -> Result<String, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        // It has the choice whether it had it before or not.
        let _changed = self
            .ask(|| store.set_agent(session, agent.cloned()))
            .await?;
        Ok(reply::agent_chosen(agent))
    }

    /// Who answers here, if there is a choice.
    pub(super) async fn own_agent(&self) -> Result<Option<AgentName>, Lost> {
        match self.commands.agents.names().len() {
            0 | 1 => Ok(None),
            _ => self.answers().await.map(Some),
        }
    }

    /// Who would answer the next words that are written like this command.
    pub(super) async fn answers(&self) -> Result<AgentName, Lost> {
        let (store, session) = (&self.commands.ground.store, self.claimed.session);
        let chosen = self.ask(|| store.agent(session)).await?;
        Ok(agent::of_turn(self.inbound().about.agent.as_ref(), chosen))
    }
}
