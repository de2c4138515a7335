//! What was before a turn, read from the rows when its agent asks: what was said, here and wherever the place of
//! the turn may go on, and the conversation's tasks.
//!
//! What the gateway itself said to people (notices) is not shown to agents. Where several people share the
//! conversation each of their rows says who spoke, as the messages of the turn do.
//!
//! A client that keeps its own history sends it along with each message. It stands for the past of a
//! conversation that has none here; where there is one, ours is what was said.

use std::sync::Arc;

use angelia_agents::AgentError;
use angelia_agents::events::Ended;
use angelia_agents::past::{Counted, Find, Found, Past, Row, Sort, Story};
use angelia_core::context::names::Who;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::inbound::{self, Inbound};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::session::key::Sharing;
use angelia_core::todo::Task;
use angelia_core::transcript::entry::{Content, Entry, Role};
use angelia_store::search::{Hit, Query, Reach, Sort as By};
use angelia_store::transcripts::{Kept, Last};
use angelia_store::views::Range;
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use crate::ground::Ground;
use crate::telling::Telling;

/// The past of one turn.
pub(crate) struct StoredPast {
    pub(crate) telling: Arc<Telling>,
    pub(crate) session: SessionId,
    /// The message that is answered: it says where the conversation takes place.
    pub(crate) inbound: Arc<Inbound>,
    /// How large the prompt of the last answer was; zero where that is not known.
    pub(crate) prompt_tokens: u32,
    /// The turn and the number under which it was claimed.
    pub(crate) turn: (TurnId, Fence),
    /// The common ground.
    pub(crate) ground: Ground,
}

impl std::fmt::Debug for StoredPast {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "StoredPast({})", self.session)
    }
}

#[async_trait]
impl Past for StoredPast {
    async fn story(&self) -> Result<Story, AgentError> {
        let last = Last::Rows(limits::CONVERSATION_ROWS_MAX);
        let (store, session) = (&self.ground.store, self.session);
        let kept = self
            .ground
            .insist("turn", || store.conversation(session, last))
            .await;
        let kept = kept.unwrap_or_default();
        let counted = self.counted(&kept);
        let row = |kept: Kept| Row {
            number: kept.seq,
            entry: self.told(kept),
        };
        let mut rows: Vec<Row> = kept.into_iter().map(row).collect();
        if rows.is_empty() {
            let brought = (1..).zip(self.brought());
            rows.extend(brought.map(|(number, entry)| Row { number, entry }));
        }
        Ok(Story { rows, counted })
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        let isolation = self.ground.rules.isolation;
        let place = self.ground.store.place_of(&self.inbound, isolation).await;
        let Some(place) = place.map_err(unreadable)? else {
            return Ok(Vec::new());
        };
        let query = Query {
            text: find.words,
            sort: match find.sort {
                Sort::Relevance => By::Relevance,
                Sort::Newest => By::Newest,
                Sort::Oldest => By::Oldest,
            },
            reach: Reach::Place(place),
            range: Range {
                after: None,
                limit: find.limit,
            },
            ..Query::default()
        };
        let page = self.ground.store.search(query).await.map_err(unreadable)?;
        Ok(page.items.into_iter().map(found).collect())
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        let tasks = self.ground.store.tasks(self.session).await;
        tasks.map_err(unreadable)
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        let (store, (turn, fence)) = (&self.ground.store, self.turn);
        let kept = self
            .ground
            .insist("turn", || store.keep_tasks(turn, fence, tasks.clone()));
        match kept.await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }
}

fn found(hit: Hit) -> Found {
    let beside = hit.context.into_iter().filter(|one| one.seq != hit.seq);
    let beside = beside.map(|one| (one.role.as_str().to_owned(), one.text));
    Found {
        session: hit.session,
        role: hit.role.as_str().to_owned(),
        at: hit.at,
        snippet: hit.snippet.text,
        beside: beside.collect(),
    }
}

/// Whether the house replied in the agent's place: the turn was stopped or failed, and the row says what the agent had said
/// until then and how it ended. Without it the question would seem to be open still.
fn is_reply(role: &Role) -> bool {
    role.as_str() == inbound::Role::Notice.name()
}

impl StoredPast {
    /// How large the prompt of the last answer was. What the house replied in the agent's place is no answer: calls
    /// and results may stand before it that were in no prompt yet.
    fn counted(&self, rows: &[Kept]) -> Option<Counted> {
        let is_answer = |row: &&Kept| row.entry.role == Role::Assistant;
        let answer = rows.iter().rev().find(is_answer)?;
        (self.prompt_tokens > 0).then_some(Counted {
            tokens: u64::from(self.prompt_tokens),
            until: answer.seq,
        })
    }

    /// What the client brought along. What it says about the agent is no part of the past: see `Telling`.
    fn brought(&self) -> Vec<Entry> {
        let row = |said: &inbound::Utterance| {
            let role = match said.role {
                inbound::Role::User => Role::User,
                inbound::Role::Assistant => Role::Assistant,
                inbound::Role::System | inbound::Role::Notice | inbound::Role::Tool => return None,
            };
            Some(Entry {
                pictures: said.pictures.clone(),
                ..Entry::new(role, said.text.clone())
            })
        };
        self.inbound.context.iter().filter_map(row).collect()
    }

    fn told(&self, kept: Kept) -> Entry {
        let Kept {
            name, mut entry, ..
        } = kept;
        if is_reply(&entry.role) {
            entry.role = Role::Assistant;
        }
        let is_shared = self.telling.sharing(&self.inbound) == Sharing::Shared;
        if is_shared
            && entry.role == Role::User
            && let Content::Text(words) = &entry.content
        {
            let names = self.telling.names(self.inbound.address.platform);
            let who = Who {
                id: None,
                name: name.as_deref(),
            };
            entry.content = Content::Text(format!("{}{words}", names.sender_prefix(who)));
        }
        entry
    }
}

fn unreadable(error: StoreError) -> AgentError {
    tracing::warn!(%error, "what was said before cannot be read");
    AgentError::passing("what was said before cannot be read now")
}
