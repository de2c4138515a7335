//! What was said before a turn, read from the rows when its agent asks.
//!
//! What the gateway itself said to people (notices) is not shown to agents. Where several people share the
//! conversation each of their rows says who spoke, as the messages of the turn do.
//!
//! A client that keeps its own history sends it along with each message. It stands for the past of a
//! conversation that has none here; where there is one, ours is what was said.

use std::sync::Arc;

use angelia_agents::AgentError;
use angelia_agents::past::{Past, Row, Story};
use angelia_core::context::names::Who;
use angelia_core::id::SessionId;
use angelia_core::inbound::{self, Inbound};
use angelia_core::limits;
use angelia_core::session::key::Sharing;
use angelia_core::transcript::entry::{Content, Entry, Role};
use angelia_store::transcripts::{Kept, Last};
use angelia_store::{Store, StoreError};
use async_trait::async_trait;

use crate::telling::Telling;

/// The past of one turn.
pub(crate) struct StoredPast {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) telling: Arc<Telling>,
    pub(crate) session: SessionId,
    /// The message that is answered: it says where the conversation takes place.
    pub(crate) inbound: Inbound,
    /// How large the prompt of the last answer was.
    pub(crate) prompt_tokens: u32,
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
        let kept = self.store.conversation(self.session, last).await;
        let kept = kept.map_err(unreadable)?.unwrap_or_default();
        let row = |kept: Kept| Row {
            number: kept.seq,
            entry: self.told(kept),
        };
        let mut rows: Vec<Row> = kept.into_iter().map(row).collect();
        if rows.is_empty() {
            let brought = (1..).zip(self.brought());
            rows.extend(brought.map(|(number, entry)| Row { number, entry }));
        }
        Ok(Story {
            rows,
            prompt_tokens: u64::from(self.prompt_tokens),
        })
    }
}

impl StoredPast {
    /// What the client brought along. What it says about the agent is no part of the past: see `Telling`.
    fn brought(&self) -> Vec<Entry> {
        let row = |said: &inbound::Utterance| {
            let role = match said.role {
                inbound::Role::User => Role::User,
                inbound::Role::Assistant => Role::Assistant,
                inbound::Role::System | inbound::Role::Notice | inbound::Role::Tool => return None,
            };
            Some(Entry::new(role, said.text.clone()))
        };
        self.inbound.context.iter().filter_map(row).collect()
    }

    fn told(&self, kept: Kept) -> Entry {
        let Kept {
            name, mut entry, ..
        } = kept;
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
    AgentError("what was said before cannot be read now".to_owned())
}
