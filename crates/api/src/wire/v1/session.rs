//! Conversations and what was said in them.

use angelia_core::address::Platform;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound;
use angelia_store::views::{self, Activity, SessionDetail as Detail, SessionRow, Unanswered};
use serde::{Deserialize, Serialize};

use super::inbox::ChatType;
use super::message::{Turn, User};
use super::time::Time;

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its key.
    pub key: String,
    /// The platform it takes place on.
    pub platform: Platform,
    /// The chat it takes place in.
    pub chat: String,
    /// What kind of chat that is.
    pub chat_type: ChatType,
    /// The thread inside the chat.
    pub thread: Option<String>,
    /// The name of whoever wrote first, or the chat.
    pub title: String,
    /// The last words.
    pub preview: String,
    /// How often it began anew.
    pub generation: u32,
    /// When it began.
    pub created_at: Time,
    /// When something last happened.
    pub active_at: Time,
    /// What it does now.
    pub state: SessionState,
}

/// What a conversation does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// Nothing waits.
    Idle,
    /// A turn is open.
    Working,
    /// A message waits to be claimed.
    Waiting,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// A conversation with what is going on in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionDetail {
    /// The conversation.
    #[serde(flatten)]
    pub session: Session,
    /// Messages not yet answered, the one being worked on first.
    pub waiting: Vec<WaitingMessage>,
    /// The open turn.
    pub turn: Option<Turn>,
}

/// A message not yet answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingMessage {
    /// Its row.
    pub inbox_id: InboxId,
    /// The words.
    pub text: String,
    /// Who wrote it.
    pub user: User,
    /// When it was accepted.
    pub received_at: Time,
}

/// One entry of what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its place in the conversation, from 1.
    pub seq: u64,
    /// Who spoke.
    pub role: Role,
    /// The speaker's name, for people.
    pub name: Option<String>,
    /// The words.
    pub text: String,
    /// When.
    pub at: Time,
    /// The turn that wrote it.
    pub turn: TurnId,
}

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// Instructions to the agent.
    System,
    /// The gateway itself.
    Notice,
    /// A speaker that this release does not know.
    #[serde(other)]
    Unknown,
}

/// The direction of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Oldest first.
    #[default]
    Asc,
    /// Newest first.
    Desc,
}

impl Order {
    /// The name used in the address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }
}

impl From<Order> for views::Order {
    fn from(order: Order) -> Self {
        match order {
            Order::Asc => Self::Ascending,
            Order::Desc => Self::Descending,
        }
    }
}

impl From<Activity> for SessionState {
    fn from(activity: Activity) -> Self {
        match activity {
            Activity::Idle => Self::Idle,
            Activity::Waiting => Self::Waiting,
            Activity::Working => Self::Working,
        }
    }
}

impl From<inbound::Role> for Role {
    fn from(role: inbound::Role) -> Self {
        match role {
            inbound::Role::User => Self::User,
            inbound::Role::Assistant => Self::Assistant,
            inbound::Role::System => Self::System,
            inbound::Role::Notice => Self::Notice,
        }
    }
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Self {
            id: row.id,
            key: row.key.as_str().to_owned(),
            platform: row.address.platform,
            chat: row.address.chat.id,
            chat_type: row.address.chat.kind.into(),
            thread: row.address.thread,
            title: row.title,
            preview: row.preview,
            generation: row.generation,
            created_at: row.created_at.into(),
            active_at: row.active_at.into(),
            state: row.activity.into(),
        }
    }
}

impl From<Unanswered> for WaitingMessage {
    fn from(message: Unanswered) -> Self {
        Self {
            inbox_id: message.inbox,
            text: message.text,
            user: message.person.into(),
            received_at: message.received_at.into(),
        }
    }
}

impl From<Detail> for SessionDetail {
    fn from(detail: Detail) -> Self {
        let waiting = detail.unanswered.into_iter().map(Into::into);
        Self {
            session: detail.row.into(),
            waiting: waiting.collect(),
            turn: detail.turn.map(Turn::from),
        }
    }
}

impl From<views::Entry> for Entry {
    fn from(entry: views::Entry) -> Self {
        Self {
            seq: entry.seq,
            role: entry.role.into(),
            name: entry.name,
            text: entry.text,
            at: entry.at.into(),
            turn: entry.turn,
        }
    }
}
