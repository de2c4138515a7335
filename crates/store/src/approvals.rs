//! Approvals: who was asked to agree to what, and what was decided.
//!
//! A row is there before anybody is asked, under the call that needs the answer, and the message that
//! shows the question in the chat is planned in the same transaction. So a call that is made again finds
//! the same question, or what was decided meanwhile. A question is decided once.
//!
//! Every open question has an open turn: whatever closes the turn withdraws what it asked. The words of
//! the command are kept for people and may be masked; what was agreed to is recognised by its fingerprint.
//!
//! Who may answer in chat is decided here too, with the rows: the person whose message the turn answers,
//! and only with a message that came after the question.

use angelia_core::address::{AccountId, Address, Person};
use angelia_core::approval::{Decider, Decision, Fingerprint, Verdict};
use angelia_core::id::{ApprovalId, DeliveryId, SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::outbound::Receipt;
use angelia_core::time::{Span, Timestamp};
use async_trait::async_trait;

use crate::turns::Waiting;
use crate::views::{Page, Range};
use crate::{Fenced, StoreError};

/// A question to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewApproval {
    /// Its id, if the call asks for the first time.
    pub id: ApprovalId,
    /// The turn that asks.
    pub turn: TurnId,
    /// The number under which the turn was claimed.
    pub fence: Fence,
    /// The call within the turn.
    pub call: String,
    /// What it is about.
    pub matter: Matter,
    /// Whose message led to it.
    pub person: Person,
    /// Where it is asked.
    pub address: Address,
    /// How long it stays open.
    pub time: Span,
    /// The message that shows it, with the id it will be known by.
    pub shown: (DeliveryId, String),
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matter {
    /// What an agreement is bound to.
    pub fingerprint: Fingerprint,
    /// The command, for people.
    pub command: String,
    /// Where it would run, if that was said.
    pub workdir: Option<String>,
    /// What would run it.
    pub backend: String,
    /// Why somebody is asked.
    pub reasons: Vec<String>,
    /// What wants words and no yes: the answers that are offered, perhaps none. `command` is the question then.
    pub choices: Option<Vec<String>>,
}

/// What became of a wish to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Somebody is asked now.
    New(Box<Approval>),
    /// The call asked before; this is what stands under it.
    Before(Box<Approval>),
    /// Nobody is asked: somebody agreed to the same before.
    Granted(Box<Approval>),
    /// The call asked before, about something else.
    Differs,
    /// Too many questions are open in the conversation.
    Full,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// The conversation in which it was asked.
    pub session: SessionId,
    /// The turn that asked.
    pub turn: TurnId,
    /// The call within the turn.
    pub call: String,
    /// What it is about.
    pub matter: Matter,
    /// Whose message led to it.
    pub person: Person,
    /// Where it was asked.
    pub address: Address,
    /// When.
    pub asked_at: Timestamp,
    /// Until when it is open.
    pub expires_at: Timestamp,
    /// What was decided; nothing while it is open.
    pub decided: Option<Decided>,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// What.
    pub decision: Decision,
    /// By whom.
    pub by: Decider,
    /// When.
    pub at: Timestamp,
    /// Why, if somebody said so; or the answer.
    pub reason: Option<String>,
}

/// A message that shows a question as if it were open, although it is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleQuestion {
    /// The question.
    pub id: ApprovalId,
    /// Where the message is.
    pub address: Address,
    /// The platform's id of it.
    pub receipt: Receipt,
    /// What it says.
    pub text: String,
    /// What was decided.
    pub decision: Decision,
    /// What was said besides: why not, or the answer.
    pub said: Option<String>,
    /// What wanted words and no yes: the answers that were offered, perhaps none.
    pub choices: Option<Vec<String>>,
}

/// What became of a wish to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruled {
    /// It stands; this is the question now.
    Now(Box<Approval>),
    /// It was decided before.
    Before(Box<Approval>),
    /// There is no such question.
    Unknown,
    /// It wants words where a yes or no was said, or the other way round; it stays open.
    Unfit,
}

/// What a turn found among the messages behind it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replies {
    /// The questions that were decided.
    pub decided: Vec<Approval>,
    /// All that the turn answers now, if that changed.
    pub batch: Option<Vec<Waiting>>,
}

/// Which questions to list, newest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ApprovalFilter {
    /// Only those of this conversation.
    pub session: Option<SessionId>,
    /// Only those that are open, or all.
    pub standing: Standing,
}

/// Whether those that were decided are meant too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// All.
    #[default]
    Any,
    /// Only those that are open.
    Open,
}

/// What somebody agreed to beyond one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// The question that was answered so.
    pub id: ApprovalId,
    /// The conversation in which it holds; everywhere if nothing is said.
    pub session: Option<SessionId>,
    /// Whose it is, by account and id; everybody's if an operator agreed.
    pub holder: Option<(AccountId, String)>,
    /// The command, for people.
    pub command: String,
    /// Where it may run, if that was said.
    pub workdir: Option<String>,
    /// What may run it.
    pub backend: String,
    /// When somebody agreed.
    pub at: Timestamp,
    /// Who.
    pub by: Decider,
}

/// Approvals.
#[async_trait]
pub trait Approvals: Send + Sync {
    /// Asks, under the turn's fence: writes the question down and plans the message that shows it. A
    /// call that asked before gets what stands under it. What somebody agreed to for the conversation,
    /// or always, is granted at once, and that is written down too.
    async fn ask_for_approval(&self, new: NewApproval) -> Result<Fenced<Asked>, StoreError>;

    /// Whether this question would be shown to nobody: its call asked before, or somebody agreed to it already.
    async fn is_answered(&self, new: NewApproval) -> Result<bool, StoreError>;

    /// Decides a question for an operator, once. One whose time has passed is over.
    async fn decide_approval(&self, id: ApprovalId, verdict: Verdict) -> Result<Ruled, StoreError>;

    /// Lets the turn take the answers along that came behind it, oldest first. Each decides the oldest
    /// open question that was asked before it and whose time had not passed when it came, the one that it names, or
    /// all of them. A question that wants words is answered by a command that has some, or by the next words of whoever it
    /// was asked for.
    /// One by somebody who may not answer decides nothing; `notice` is the id of the message that says so.
    /// An answer for which nothing was open stays where it is.
    async fn take_replies(
        &self,
        turn: TurnId,
        fence: Fence,
        notice: DeliveryId,
    ) -> Result<Fenced<Replies>, StoreError>;

    /// Closes the questions whose time has passed; returns them.
    async fn expire_approvals(&self) -> Result<Vec<Approval>, StoreError>;

    /// A question.
    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError>;

    /// Questions, newest first.
    async fn approvals(
        &self,
        filter: ApprovalFilter,
        range: Range,
    ) -> Result<Page<Approval>, StoreError>;

    /// Messages that were sent and show questions of the account as if they were open, oldest first.
    async fn stale_questions(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<StaleQuestion>, StoreError>;

    /// Notes that nothing more is to be done about the message of a question.
    async fn shut_question(&self, id: ApprovalId) -> Result<(), StoreError>;

    /// What was agreed to beyond one call and still holds, newest first.
    async fn agreements(&self, range: Range) -> Result<Page<Agreement>, StoreError>;

    /// Takes an agreement back: the next such command is asked about again. Answers with what held; with
    /// nothing if nothing did.
    async fn revoke_agreement(&self, id: ApprovalId) -> Result<Option<Agreement>, StoreError>;
}
