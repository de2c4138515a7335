//! The reads for people and programs, each a page with a cursor.
//!
//! Views never change anything and never decide anything. They run beside the writer, on a snapshot.

use angelia_core::address::{AccountId, Address, Person, Platform};
use angelia_core::agent::AgentName;
use angelia_core::id::{InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::{Inbound, Role};
use angelia_core::media::Picture;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::outbound::Delivery;
use angelia_core::session::key::SessionKey;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::Visibility;
use angelia_core::transcript::lineage::Link;
use angelia_core::transcript::usage::Tokens;
use angelia_core::turn::journal::Recorded;
use async_trait::async_trait;

use crate::StoreError;

/// Some rows of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Where the next page begins; nothing after the last.
    pub next: Option<String>,
}

/// Which rows to read.
#[derive(Debug, Clone, Default)]
pub struct Range {
    /// The `next` of the page before. Any other text is past the end: an empty page.
    pub after: Option<String>,
    /// How many rows, at most `limits::PAGE_ROWS_MAX`; `limits::PAGE_ROWS` when zero.
    pub limit: usize,
}

/// The direction of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Oldest first.
    #[default]
    Ascending,
    /// Newest first.
    Descending,
}

/// Which rows of a transcript to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    /// Those that are part of the conversation.
    #[default]
    Visible,
    /// Those that were undone or summarised too.
    All,
}

/// How a transcript is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// In which direction.
    pub order: Order,
    /// Which rows.
    pub shown: Shown,
}

impl From<Order> for Reading {
    fn from(order: Order) -> Self {
        Self {
            order,
            shown: Shown::Visible,
        }
    }
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id.
    pub id: SessionId,
    /// Its key.
    pub key: SessionKey,
    /// How often it began anew.
    pub generation: u32,
    /// Where it takes place.
    pub address: Address,
    /// The name of whoever wrote first, or the chat.
    pub label: String,
    /// What somebody called it.
    pub title: Option<String>,
    /// The last words.
    pub preview: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When something last happened.
    pub active_at: Timestamp,
    /// What it does now.
    pub activity: Activity,
    /// Whether some place speaks in it now.
    pub current: bool,
    /// When and why it ended; nothing while it lives.
    pub ended: Option<(Timestamp, Reason)>,
    /// Since when the next message of its place begins anew.
    pub suspended_at: Option<Timestamp>,
}

/// Which conversations to list.
#[derive(Debug, Clone, Default)]
pub struct SessionFilter {
    /// Only those on this platform.
    pub platform: Option<Platform>,
    /// Only those in this chat.
    pub chat: Option<String>,
    /// Only those that live, or that ended.
    pub life: LifeFilter,
    /// Only those with this text in the title, the label, the chat or the last words. Latin letters are
    /// the same in upper and lower case.
    pub text: Option<String>,
}

/// Whether conversations that ended are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LifeFilter {
    /// All are.
    #[default]
    All,
    /// Only those that live.
    Live,
    /// Only those that ended.
    Ended,
}

/// What a conversation does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Nothing waits.
    Idle,
    /// A message waits to be claimed.
    Waiting,
    /// A turn is open.
    Working,
}

/// A conversation with what is going on in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionDetail {
    /// The conversation.
    pub row: SessionRow,
    /// Messages not yet answered, oldest first.
    pub unanswered: Vec<Unanswered>,
    /// The open turn.
    pub turn: Option<TurnRow>,
    /// What else is known of it.
    pub facts: SessionFacts,
}

/// What is known of a conversation beside what a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionFacts {
    /// The one that it came from, and in what way.
    pub link: Option<Link>,
    /// Those that went another way from it, oldest first.
    pub branches: Vec<SessionId>,
    /// The model that was chosen for it.
    pub model: Option<ModelOverride>,
    /// Who was chosen to answer in it.
    pub agent: Option<AgentName>,
    /// Since when it waits to be taken up again after an interruption, and which.
    pub resume: Option<(Timestamp, String)>,
    /// How often something was taken back.
    pub rewinds: u32,
    /// How long its last prompt was.
    pub prompt_tokens: u64,
}

/// A message not yet answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// Its row.
    pub inbox: InboxId,
    /// Who wrote it.
    pub person: Person,
    /// What was said.
    pub text: String,
    /// The pictures that go with it.
    pub pictures: Vec<Picture>,
    /// When it was accepted.
    pub received_at: Timestamp,
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRow {
    /// Its id.
    pub id: TurnId,
    /// `running`, or how it ended.
    pub state: String,
    /// How often it was begun.
    pub attempts: u32,
    /// When it was first claimed.
    pub claimed_at: Timestamp,
    /// When it ended.
    pub settled_at: Option<Timestamp>,
}

/// One entry of what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub pictures: Vec<Picture>,
    /// The files that went out with them.
    pub files: Vec<Enclosure>,
    /// When: a person's words when accepted, a reply when settled.
    pub at: Timestamp,
    /// The turn that wrote it; none for what was overheard, copied or brought in.
    pub turn: Option<TurnId>,
    /// Who may still see it.
    pub visibility: Visibility,
    /// Whether there is more to see of how it came about.
    pub work: Work,
}

/// Whether a turn did more than speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Work {
    /// It spoke, or nothing is known of how this came about.
    #[default]
    None,
    /// It called tools or planned, or its model thought first: its steps tell.
    Steps,
}

/// What a turn did, as far as one page goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnSteps {
    /// The turn.
    pub turn: TurnRow,
    /// Its steps, in order.
    pub page: Page<Recorded>,
}

/// Everything that happened to one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its row.
    pub inbox: InboxId,
    /// The message.
    pub inbound: Inbound,
    /// The conversation.
    pub session: SessionId,
    /// The conversation's key.
    pub key: SessionKey,
    /// When it was accepted.
    pub received_at: Timestamp,
    /// The turn that answers it, once claimed.
    pub turn: Option<TurnRow>,
    /// What the turn did.
    pub steps: Vec<Recorded>,
    /// What was planned in answer, in order.
    pub deliveries: Vec<Delivery>,
}

/// How the answer to a message ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// How its turn ended.
    pub state: String,
    /// What was replied, notices left out.
    pub reply: String,
    /// What the answers of models in its turn used, as far as it was told.
    pub tokens: Tokens,
}

/// Which deliveries to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutboxFilter {
    /// Neither sent nor dropped; oldest first.
    #[default]
    Open,
    /// Set aside; oldest first.
    Wedged,
    /// Sent; newest first.
    Sent,
    /// All; newest first.
    All,
}

/// A boot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRow {
    /// Its id.
    pub id: NodeId,
    /// What its home is known by.
    pub home: String,
    /// Where that is, in words for people.
    pub place: String,
    /// The release it runs.
    pub version: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Its last sign of life.
    pub seen_at: Timestamp,
    /// Whether it was stopped in order.
    pub stopped_at: Option<Timestamp>,
    /// Whether it counts as alive now.
    pub liveness: Liveness,
}

/// Whether a boot lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    /// It was seen within the time of a lease and was not stopped.
    Alive,
    /// It was not.
    Gone,
}

/// How much of everything there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Messages not yet claimed.
    pub waiting: u64,
    /// Open turns.
    pub running: u64,
    /// Deliveries due or being sent.
    pub due: u64,
    /// Deliveries set aside.
    pub wedged: u64,
    /// Conversations stored.
    pub sessions: u64,
}

/// The reads.
#[async_trait]
pub trait Views: Send + Sync {
    /// The story of one message.
    async fn story(&self, inbox: InboxId) -> Result<Option<Story>, StoreError>;

    /// The answer to a message; nothing while its turn has not ended. It reads none of the message, for
    /// whoever waits and looks often.
    async fn answer(&self, inbox: InboxId) -> Result<Option<Answer>, StoreError>;

    /// What a turn did, in order. Nothing if there is no such turn.
    async fn steps(&self, turn: TurnId, range: Range) -> Result<Option<TurnSteps>, StoreError>;

    /// Conversations, most recently active first: by when one was last begun to be answered, or was.
    async fn sessions(
        &self,
        filter: SessionFilter,
        range: Range,
    ) -> Result<Page<SessionRow>, StoreError>;

    /// One conversation.
    async fn session(&self, session: SessionId) -> Result<Option<SessionDetail>, StoreError>;

    /// What was said in a conversation, row by row. Nothing if there is no such conversation.
    async fn transcript(
        &self,
        session: SessionId,
        reading: Reading,
        range: Range,
    ) -> Result<Option<Page<Entry>>, StoreError>;

    /// Deliveries that were sent to a chat, in the order of sending; `next` is set whenever there are
    /// items, so that a reader can go on from the last one.
    async fn sent_to(
        &self,
        account: &AccountId,
        chat: &str,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError>;

    /// Deliveries by state.
    async fn deliveries(
        &self,
        filter: OutboxFilter,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError>;

    /// The nodes that count as alive now, newest first, at most [`limits::NODES_LISTED`] of them.
    async fn living_nodes(&self) -> Result<Vec<NodeRow>, StoreError>;

    /// Boots, newest first.
    async fn nodes(&self, range: Range) -> Result<Page<NodeRow>, StoreError>;

    /// How much of everything there is.
    async fn counts(&self) -> Result<Counts, StoreError>;
}
