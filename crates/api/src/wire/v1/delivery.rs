//! Replies on their way out, and arrived.

use angelia_core::address::Platform;
use angelia_core::id::{DeliveryId, InboxId, SessionId, TurnId};
use angelia_core::outbound;
use serde::{Deserialize, Serialize};

use super::media::File;
use super::time::Time;

/// One platform message to be sent once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The platform it goes to.
    pub platform: Platform,
    /// The chat it goes to.
    pub chat: String,
    /// The thread inside the chat.
    pub thread: Option<String>,
    /// The words; of files, what stands in their place.
    pub text: String,
    /// The files that it is, if it is no words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<File>,
    /// The messages it answers.
    pub inbox_ids: Vec<InboxId>,
    /// The turn that planned it; nothing for what is said to somebody without one.
    #[serde(default)]
    pub turn: Option<TurnId>,
    /// The conversation, if it has a turn.
    #[serde(default)]
    pub session_id: Option<SessionId>,
    /// When it was sent; when it was planned, if it is not sent yet.
    pub at: Time,
    /// What it is to those messages.
    #[serde(default)]
    pub kind: DeliveryKind,
    /// Its number among the parts of one reply, from 1.
    pub part: u32,
    /// How many parts the reply has.
    pub parts: u32,
    /// Where it is in its life.
    pub state: DeliveryState,
    /// How often it was handed to the platform.
    pub attempts: u32,
    /// When it may be sent.
    pub due_at: Time,
    /// Why it is set aside, or why the last try failed if there is to be another.
    pub why: Option<String>,
    /// Whether the person may have seen it twice.
    pub repeat: Repeat,
}

/// What a delivery is to the messages of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// The answer, or a part of it.
    #[default]
    Reply,
    /// Something said before the answer, such as a question.
    Notice,
    /// A stranger's code, which is not shown.
    Code,
    /// A kind that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Where a delivery is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// To be sent when its time comes.
    Due,
    /// Handed to the platform.
    Sending,
    /// Shown, as far as the platform tells.
    Sent,
    /// Set aside with a reason.
    Wedged,
    /// Given up by an operator.
    Dropped,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Whether a reply may have reached the person twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// It did not.
    None,
    /// It may have.
    #[serde(other)]
    Possible,
}

/// Which deliveries to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
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

impl OutboxState {
    /// The name used in the address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Wedged => "wedged",
            Self::Sent => "sent",
            Self::All => "all",
        }
    }
}

impl From<OutboxState> for angelia_store::views::OutboxFilter {
    fn from(state: OutboxState) -> Self {
        match state {
            OutboxState::Open => Self::Open,
            OutboxState::Wedged => Self::Wedged,
            OutboxState::Sent => Self::Sent,
            OutboxState::All => Self::All,
        }
    }
}

impl From<&outbound::DeliveryState> for DeliveryState {
    fn from(state: &outbound::DeliveryState) -> Self {
        match state {
            outbound::DeliveryState::Due => Self::Due,
            outbound::DeliveryState::Sending => Self::Sending,
            outbound::DeliveryState::Sent(_) => Self::Sent,
            outbound::DeliveryState::Wedged(_) => Self::Wedged,
            outbound::DeliveryState::Dropped => Self::Dropped,
        }
    }
}

impl From<outbound::Delivery> for Delivery {
    fn from(delivery: outbound::Delivery) -> Self {
        let why = match &delivery.state {
            outbound::DeliveryState::Wedged(wedge) => Some(wedge.why.clone()),
            outbound::DeliveryState::Due | outbound::DeliveryState::Sending => delivery.trouble,
            outbound::DeliveryState::Sent(_) | outbound::DeliveryState::Dropped => None,
        };
        let repeat = if delivery.doubts > 0 {
            Repeat::Possible
        } else {
            Repeat::None
        };
        Self {
            id: delivery.id,
            platform: delivery.address.platform,
            chat: delivery.address.chat.id,
            thread: delivery.address.thread,
            text: delivery.text,
            files: delivery.files.into_iter().map(File::from).collect(),
            inbox_ids: delivery.inbox_ids,
            turn: delivery.turn,
            session_id: delivery.session,
            at: delivery.sent_at.unwrap_or(delivery.planned_at).into(),
            kind: match delivery.kind {
                outbound::DeliveryKind::Reply => DeliveryKind::Reply,
                outbound::DeliveryKind::Notice => DeliveryKind::Notice,
                outbound::DeliveryKind::Code => DeliveryKind::Code,
            },
            part: delivery.part,
            parts: delivery.parts,
            state: DeliveryState::from(&delivery.state),
            attempts: delivery.attempts,
            due_at: delivery.due_at.into(),
            why,
            repeat,
        }
    }
}
