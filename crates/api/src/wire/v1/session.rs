//! Conversations and what was said in them.

use angelia_core::address::Platform;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound;
use angelia_core::media::directives;
use angelia_core::transcript::entry;
use angelia_store::views::{self, Activity, SessionDetail as Detail, SessionRow, Unanswered, Work};
use serde::{Deserialize, Serialize};

use super::facts::{Facts, Usage};
use super::inbox::ChatType;
use super::media::{File, Picture};
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
    /// What somebody called it.
    pub title: Option<String>,
    /// Who or what it is with: the name of whoever wrote first, or the chat.
    pub label: String,
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
    /// Whether some place speaks in it now.
    pub current: bool,
    /// When it ended; nothing while it lives.
    pub ended_at: Option<Time>,
    /// Why it ended, in a word.
    pub end_reason: Option<String>,
    /// Since when the next message of its place begins anew.
    pub suspended_at: Option<Time>,
}

impl Session {
    /// What to call it: its title, else who it is with.
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.label)
    }
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
    /// What else is known of it.
    #[serde(flatten)]
    pub facts: Facts,
}

/// A message not yet answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingMessage {
    /// Its row.
    pub inbox_id: InboxId,
    /// The words.
    pub text: String,
    /// The pictures that go with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
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
    /// The pictures that go with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The files that went out with them; what named them is no part of the words then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<File>,
    /// When.
    pub at: Time,
    /// The turn that wrote it; nothing for what was overheard or copied.
    pub turn: Option<TurnId>,
    /// Who may still see it.
    pub visibility: Visibility,
    /// Whether its turn did more than speak, which its steps tell.
    #[serde(default)]
    pub work: bool,
}

/// Who may still see an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// It is part of the conversation.
    Visible,
    /// It was taken back.
    Hidden,
    /// A summary stands in its place.
    Archived,
    /// A way that this release does not know.
    #[serde(other)]
    Unknown,
}

impl From<entry::Visibility> for Visibility {
    fn from(visibility: entry::Visibility) -> Self {
        match visibility {
            entry::Visibility::Visible => Self::Visible,
            entry::Visibility::Rewound => Self::Hidden,
            entry::Visibility::Compacted => Self::Archived,
        }
    }
}

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// A tool, answering a call.
    Tool,
    /// Instructions to the agent.
    System,
    /// The gateway itself.
    Notice,
    /// A speaker that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Which conversations a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LifeChoice {
    /// All.
    #[default]
    All,
    /// Those that live.
    Live,
    /// Those that ended.
    Ended,
}

impl LifeChoice {
    /// The name used in the address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Live => "live",
            Self::Ended => "ended",
        }
    }
}

impl From<LifeChoice> for views::LifeFilter {
    fn from(choice: LifeChoice) -> Self {
        match choice {
            LifeChoice::All => Self::All,
            LifeChoice::Live => Self::Live,
            LifeChoice::Ended => Self::Ended,
        }
    }
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
            inbound::Role::Tool => Self::Tool,
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
            label: row.label,
            preview: row.preview,
            generation: row.generation,
            created_at: row.created_at.into(),
            active_at: row.active_at.into(),
            state: row.activity.into(),
            current: row.current,
            ended_at: row.ended.map(|(at, _)| at.into()),
            end_reason: row.ended.map(|(_, reason)| reason.to_string()),
            suspended_at: row.suspended_at.map(Time::from),
        }
    }
}

impl From<Unanswered> for WaitingMessage {
    fn from(message: Unanswered) -> Self {
        Self {
            inbox_id: message.inbox,
            text: message.text,
            pictures: message.pictures.into_iter().map(Picture::from).collect(),
            user: message.person.into(),
            received_at: message.received_at.into(),
        }
    }
}

impl SessionDetail {
    /// What the store read, with what was counted and where the conversation goes on.
    pub fn of(detail: Detail, used: Usage, continuation: Option<SessionId>) -> Self {
        let waiting = detail.unanswered.into_iter().map(Into::into);
        let facts = Facts::of(detail.facts, used, continuation);
        Self {
            session: detail.row.into(),
            waiting: waiting.collect(),
            turn: detail.turn.map(Turn::from),
            facts,
        }
    }
}

impl From<views::Entry> for Entry {
    fn from(entry: views::Entry) -> Self {
        let text = match entry.files.as_slice() {
            [] => entry.text,
            _ => directives::words(&entry.text, directives::Text::Whole).into_owned(),
        };
        Self {
            seq: entry.seq,
            role: entry.role.into(),
            name: entry.name,
            text,
            pictures: entry.pictures.into_iter().map(Picture::from).collect(),
            files: entry.files.into_iter().map(File::from).collect(),
            at: entry.at.into(),
            turn: entry.turn,
            visibility: entry.visibility.into(),
            work: entry.work == Work::Steps,
        }
    }
}
