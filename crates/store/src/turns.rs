//! Steps 6 to 8: *claim*, *run* over the journal, *settle*.

use std::sync::Arc;

use angelia_core::agent::AgentName;
use angelia_core::delivery::quote::Quotes;
use angelia_core::id::{DeliveryId, InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::session::key::SessionKey;
use angelia_core::session::lifecycle::{Interrupted, Mark};
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::news::News;
use angelia_core::time::{Span, Timestamp};
use angelia_core::todo::Task;
use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::Entry;
use angelia_core::turn::journal::{Recorded, Step};
use angelia_core::turn::outcome::Outcome;
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// A turn that is the caller's until its lease ends.
#[derive(Debug, Clone)]
pub struct ClaimedTurn {
    /// The turn.
    pub turn: TurnId,
    /// The number that every write must name.
    pub fence: Fence,
    /// The name of the lease, to be renewed by the heartbeat.
    pub lease: String,
    /// The conversation.
    pub session: SessionId,
    /// The conversation's key.
    pub key: SessionKey,
    /// The messages to be answered, oldest first; never none.
    pub batch: Vec<Waiting>,
    /// How many of them, from the first on, it was opened over: what one person said in one go. Those behind
    /// them it took along.
    pub asked: usize,
    /// How often it was begun, this time included.
    pub attempts: u32,
    /// What it did before.
    pub journal: Vec<Recorded>,
    /// What it has to tell about the beginning of its conversation. Whoever claims it after a crash is
    /// given the same, until it is settled.
    pub news: Option<News>,
    /// Whether it goes on after an interruption.
    pub resumed: Resumed,
    /// Where the conversation's commands run, if one of them has said so.
    pub directory: Option<String>,
    /// How large the prompt of its newest answer was, in tokens; zero where nobody told, where an agent answered that
    /// keeps a history of its own, or where it was made shorter since.
    pub prompt_tokens: u32,
    /// Who answers: chosen when the turn was opened, and kept whatever is chosen later.
    pub agent: AgentName,
    /// The model that the conversation chose.
    pub model: Option<ModelOverride>,
}

/// Whether a turn goes on after an interruption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumed {
    /// It does not.
    No,
    /// It is new, in a conversation that was interrupted and in which no turn has completed since.
    Conversation(Mark),
    /// It was itself interrupted.
    Turn {
        /// By what.
        why: Interrupted,
        /// How long ago by the store's clock.
        age: Span,
    },
}

impl Resumed {
    /// How long ago the turn itself was interrupted.
    pub fn age(&self) -> Option<Span> {
        match self {
            Self::Turn { age, .. } => Some(*age),
            Self::No | Self::Conversation(_) => None,
        }
    }
}

/// A message that a turn answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its row.
    pub inbox: InboxId,
    /// What was said; shared, because it may be long and many look at it.
    pub inbound: Arc<Inbound>,
    /// When it was accepted.
    pub received_at: Timestamp,
}

/// The end of a turn.
#[derive(Debug, Clone)]
pub struct Settle {
    /// The turn.
    pub turn: TurnId,
    /// The number under which it was claimed.
    pub fence: Fence,
    /// How it ended.
    pub outcome: Outcome,
    /// What was said in it after the messages: answers, calls of tools and their results, and summaries;
    /// those that a summary stands for are marked so. The reply is added to them, unless the turn was
    /// completed and the last of them is an answer.
    pub entries: Vec<Entry>,
    /// From where on the conversation stays as it is, if the turn made it shorter: what is visible before
    /// that, and every earlier summary, is archived.
    pub compacted: Option<Since>,
    /// The parts of the reply, in order, each with the id it will be known by.
    pub deliveries: Vec<(DeliveryId, String)>,
    /// The messages with files that go out behind them, in order. The files are kept by now.
    pub files: Vec<(DeliveryId, Vec<Enclosure>)>,
    /// The message that they quote, if they do.
    pub quotes: Option<Quotes>,
}

/// Turns and their journals.
#[async_trait]
pub trait Turns: Send + Sync {
    /// Opens a turn over the oldest message of a conversation that has none open, and over those that are
    /// answered with it (`core::turn::gather`), under a lease `session/ses_…` held by the turn. While more of
    /// them may come, the conversation is passed over. `turn` is the new turn's id. The news of the conversation
    /// become the turn's, unless the message is a command: they are for the agent. A conversation that a
    /// command led its place to is passed over until that command is answered, so that nothing
    /// overtakes it. Who answers is decided here (`core::agent::of_turn`) and kept with the turn.
    async fn claim_turn(
        &self,
        node: NodeId,
        turn: TurnId,
    ) -> Result<Option<ClaimedTurn>, StoreError>;

    /// Claims an open turn whose lease has ended, with a higher fence and one more attempt: of those that were begun least
    /// often the oldest, so that one which may end nodes holds up nobody. Its
    /// conversation is marked as interrupted since the turn was opened, unless it was marked later or
    /// is suspended.
    async fn claim_orphan(&self, node: NodeId) -> Result<Option<ClaimedTurn>, StoreError>;

    /// Writes one step of the journal. Writing the same step at the same place again is done, not
    /// an error; another step at that place is `Corrupt`, because only a bug can ask for it. What an answer
    /// used is counted with its step, what a summary used as a task beside the conversation. How large the answer's
    /// prompt was is known from then on, or unknown.
    async fn record_step(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<()>, StoreError>;

    /// Keeps the list of tasks of the turn's conversation. The same list again is the same.
    async fn keep_tasks(
        &self,
        turn: TurnId,
        fence: Fence,
        tasks: Vec<Task>,
    ) -> Result<Fenced<()>, StoreError>;

    /// The list of tasks of a conversation; none for one that does not exist.
    async fn tasks(&self, session: SessionId) -> Result<Vec<Task>, StoreError>;

    /// Closes a turn: messages consumed, transcript written, deliveries planned, lease ended; all or
    /// none, and only under the fence. Deliveries go to the address of the last message of the batch.
    /// A turn that completed takes the mark of an interruption away; one that was begun as often as it
    /// may suspends its conversation.
    async fn settle_turn(&self, settle: Settle) -> Result<Fenced<()>, StoreError>;

    /// Ends the lease of a turn and leaves it open, without counting the attempt. Its conversation is
    /// marked as interrupted for this reason.
    async fn release_turn(
        &self,
        turn: TurnId,
        fence: Fence,
        why: Interrupted,
    ) -> Result<Fenced<()>, StoreError>;

    /// How long until the next message may be claimed that waits for its neighbours now; nothing if none does.
    async fn next_gathered(&self) -> Result<Option<Span>, StoreError>;

    /// How many messages wait in the conversation beside those of its open turn.
    async fn waiting(&self, session: SessionId) -> Result<usize, StoreError>;
}
