//! Agents that keep a process of their own: what a turn remembers of its own, and ending those that nobody
//! uses.
//!
//! ```text
//! a turn   → reads and writes the row of its conversation, under its fence
//! janitor  → rests longer than it may → row lets go → process and folder end
//!          → folder that no row names → process and folder end
//! ```
//!
//! The row lets go first, so no turn goes on with an agent that is about to end. Starting agents and talking
//! to them is not done here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use angelia_agents::acp::pool;
use angelia_agents::events::Ended;
use angelia_agents::links::Links;
use angelia_core::agent::AgentName;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::limits;
use angelia_core::link::{self, Link, Sequel};
use angelia_core::time::Span;
use angelia_store::links::Resting;
use angelia_store::turns::ClaimedTurn;
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use crate::ground::Ground;

/// Where agents with processes of their own are held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentPlace {
    /// One folder below it for each process.
    pub folder: PathBuf,
    /// How long one that nobody uses may rest, for each agent that keeps processes.
    pub idle: BTreeMap<AgentName, Span>,
}

impl AgentPlace {
    /// How long the process in that folder may rest. An agent that is gone from the settings has the usual rest.
    fn idle(&self, folder: &str) -> Span {
        let mut all = self.idle.iter();
        let found = all.find(|(agent, _)| link::is_of(folder, agent));
        found.map_or(limits::AGENT_IDLE, |(_, idle)| *idle)
    }
}

/// What one turn remembers of its conversation's agent.
pub(crate) struct TurnLinks {
    pub(crate) ground: Ground,
    pub(crate) home: String,
    pub(crate) claimed: ClaimedTurn,
}

impl fmt::Debug for TurnLinks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TurnLinks({})", self.claimed.turn)
    }
}

#[async_trait]
impl Links for TurnLinks {
    fn turn(&self) -> TurnId {
        self.claimed.turn
    }

    fn session(&self) -> SessionId {
        self.claimed.session
    }

    async fn link(&self) -> Result<Link, Ended> {
        let (store, session) = (&self.ground.store, self.claimed.session);
        let link = self.ground.insist("turn", || store.link(session)).await;
        Ok(link.unwrap_or_default())
    }

    async fn keep(&self, link: Link) -> Result<(), Ended> {
        let (store, claimed) = (&self.ground.store, &self.claimed);
        let kept = self.ground.insist("turn", || {
            store.keep_link(claimed.turn, claimed.fence, &self.home, link.clone())
        });
        match kept.await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }

    async fn sequel(&self, after: u64) -> Result<Sequel, Ended> {
        let (store, session) = (&self.ground.store, self.claimed.session);
        let most = limits::CONVERSATION_ROWS_MAX;
        let sequel = self
            .ground
            .insist("turn", || store.sequel(session, after, most));
        Ok(sequel.await.unwrap_or_default())
    }

    async fn spare(&self) -> Result<Option<String>, Ended> {
        let store = &self.ground.store;
        let resting = self.ground.insist("turn", || {
            store.resting_agents(&self.home, limits::RESTING_AGENTS)
        });
        let is_of_ours = |one: &Resting| link::is_of(&one.agent, &self.claimed.agent);
        for one in resting.await.into_iter().filter(is_of_ours) {
            if self
                .ground
                .insist("turn", || store.let_agent_go(&one))
                .await
            {
                return Ok(Some(one.agent));
            }
        }
        Ok(None)
    }
}

/// Ends agents that rested too long, and those that no conversation knows.
pub(crate) async fn sweep(
    ground: &Ground,
    home: &str,
    place: &AgentPlace,
) -> Result<(), StoreError> {
    let resting = ground.store.resting_agents(home, limits::RESTING_AGENTS);
    for one in resting.await? {
        if one.rested >= place.idle(&one.agent) && ground.store.let_agent_go(&one).await? {
            pool::end(&place.folder.join(&one.agent)).await;
        }
    }
    // Read first: a folder that is made meanwhile is that of a row that is not among those read below.
    let folders = folders(&place.folder);
    let known = BTreeSet::from_iter(ground.store.linked_agents(home).await?);
    let unknown = folders.iter().filter(|name| !known.contains(*name));
    for name in unknown.take(limits::SWEPT_AT_ONCE) {
        pool::end(&place.folder.join(name)).await;
    }
    Ok(())
}

fn folders(place: &Path) -> Vec<String> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.collect()
}
