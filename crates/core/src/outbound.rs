//! What leaves: deliveries, their life, and what a platform can do with them.
//!
//! ```text
//! Due → Sending → Sent | Due(later) | Wedged(why) → Due | Dropped
//! ```
//!
//! A delivery is one platform message to be sent once. What a platform *can* do is data
//! (`Capabilities`), what we *ask* of it is one closed enum (`Action`), and what may go wrong is told
//! by what to do next (`SendError`). When to try again is decided in `delivery::retry`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::address::{Address, ChatKind};
use crate::approval::buttons::Asks;
use crate::id::{DeliveryId, InboxId, SessionId, TurnId};
use crate::media::enclosure::Enclosure;
use crate::text::Limit;
use crate::time::{Span, Timestamp};

/// What a platform can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The longest text of one message.
    pub text: Limit,
    /// Whether a send can be repeated safely.
    pub dedupe: Dedupe,
    /// How replies are shown while they grow; nothing where a message stays as it was sent.
    pub live: Option<Live>,
}

/// What a platform allows while a reply grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Live {
    /// The least time between two changes in a chat with one person.
    pub pace: Span,
    /// The same where several people read along.
    pub group_pace: Span,
    /// How long the sign that somebody writes is shown.
    pub typing: Span,
}

impl Live {
    /// The least time between two changes in a chat.
    #[must_use]
    pub fn pace_in(&self, kind: ChatKind) -> Span {
        match kind {
            ChatKind::Dm => self.pace,
            ChatKind::Group | ChatKind::Channel | ChatKind::Thread => self.group_pace,
        }
    }
}

/// Whether the platform recognises a repeated send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dedupe {
    /// It shows one message for all sends with the same delivery id.
    ByKey,
    /// It shows every send.
    None,
}

/// What we ask of a platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Show one message. `key` is the same for every try.
    Send {
        /// The delivery's id: the idempotency key where the platform knows one.
        key: DeliveryId,
        /// Where to.
        address: Address,
        /// The words, within the platform's limit.
        text: String,
        /// What people can press below it, where there are buttons.
        buttons: Vec<Button>,
        /// The message that it quotes; one that is gone is left out.
        quotes: Option<String>,
    },
    /// Send one file, or several that are shown together. `key` is the same for every try.
    SendFiles {
        /// The delivery's id.
        key: DeliveryId,
        /// Where to.
        address: Address,
        /// What they are and where they lie.
        files: Vec<(Enclosure, PathBuf)>,
        /// The message that they quote, likewise.
        quotes: Option<String>,
    },
    /// Show other words in a message of ours, without buttons. Asking twice is asking once.
    Edit {
        /// Where it is.
        address: Address,
        /// Which message.
        receipt: Receipt,
        /// Its words from now on, within the platform's limit.
        text: String,
    },
    /// Take a message of ours away. Asking twice is asking once.
    Delete {
        /// Where it is.
        address: Address,
        /// Which message.
        receipt: Receipt,
    },
    /// Show for a moment that somebody writes.
    Typing {
        /// Where.
        address: Address,
    },
    /// Put a sign on somebody's message in place of the one that we put there before. Asking twice is asking once.
    React {
        /// Where it is.
        address: Address,
        /// The platform's id of it.
        message: String,
        /// The sign; none takes ours away.
        sign: Option<Sign>,
    },
}

/// What a sign on somebody's message says about the answer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is being made.
    Working,
    /// It is there.
    Done,
    /// It could not be made.
    Failed,
}

/// Something to press below a message: whoever presses it says its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// What stands on it.
    pub label: String,
    /// What it says: a command, at most as long as platforms carry.
    pub says: String,
}

/// The platform's proof that it shows a message: its id there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Receipt(pub String);

/// Why a send did not succeed, by what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It was not sent and may be tried again, not before the given time where the platform says so.
    #[error("not sent for now: {why}")]
    Later {
        /// The earliest moment the platform named.
        not_before: Option<Timestamp>,
        /// What the platform said.
        why: String,
    },
    /// It will never be sent as it is.
    #[error("refused: {why}")]
    Refused {
        /// What else the refusal stops.
        reach: Reach,
        /// What the platform said.
        why: String,
    },
    /// The message that was to be changed is not there, or cannot be changed any more.
    #[error("it cannot be changed: {why}")]
    Gone {
        /// What the platform said.
        why: String,
    },
    /// Nobody knows whether it was sent: the answer was lost.
    #[error("the outcome is not known: {why}")]
    Unknown {
        /// What was seen instead of an answer.
        why: String,
    },
}

/// How far a refusal goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// This message is set aside; its chat goes on.
    Message,
    /// The chat rests until somebody there is answered, or an operator acts.
    Chat,
    /// The whole account rests until an operator acts.
    Account,
}

/// Why a delivery cannot go on by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wedge {
    /// What else stands still.
    pub reach: Reach,
    /// The reason, for people.
    pub why: String,
}

/// Where a delivery is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryState {
    /// To be sent when its time comes.
    Due,
    /// Handed to the platform; the answer is outstanding.
    Sending,
    /// Shown, as far as the platform tells.
    Sent(Receipt),
    /// Set aside with a reason.
    Wedged(Wedge),
    /// Given up by an operator.
    Dropped,
}

impl DeliveryState {
    /// The name used in rows and the HTTP interface.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Sending => "sending",
            Self::Sent(_) => "sent",
            Self::Wedged(_) => "wedged",
            Self::Dropped => "dropped",
        }
    }
}

/// What a delivery is to the messages of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryKind {
    /// The answer, or a part of it.
    Reply,
    /// Something said before the answer, such as a question; or without any.
    Notice,
    /// A stranger's code. It is no part of the row: it is made when it is sent.
    Code,
}

impl DeliveryKind {
    /// The name used in the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Notice => "notice",
            Self::Code => "code",
        }
    }
}

/// One outbox row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, and its idempotency key.
    pub id: DeliveryId,
    /// The turn that planned it; nothing for what is said without one.
    pub turn: Option<TurnId>,
    /// The conversation it belongs to, if it has a turn.
    pub session: Option<SessionId>,
    /// The messages it answers.
    pub inbox_ids: Vec<InboxId>,
    /// Where it goes.
    pub address: Address,
    /// What it is to those messages.
    pub kind: DeliveryKind,
    /// Its number among the parts of one reply, from 1.
    pub part: u32,
    /// How many parts the reply has.
    pub parts: u32,
    /// The words.
    pub text: String,
    /// The files that it is, if it is no words. Those stand in their place where there are only words.
    pub files: Vec<Enclosure>,
    /// The message that it quotes, by its id on the platform.
    pub quotes: Option<String>,
    /// The question that it shows, while that is open.
    pub asks: Option<Asks>,
    /// Where it is in its life.
    pub state: DeliveryState,
    /// How often it was handed to the platform.
    pub attempts: u32,
    /// How often nobody could tell whether it was shown. Above zero it may have been shown twice.
    pub doubts: u32,
    /// Why the last try failed, as long as there is to be another.
    pub trouble: Option<String>,
    /// When it may be sent.
    pub due_at: Timestamp,
    /// When it was planned.
    pub planned_at: Timestamp,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
}

/// A try that failed, and the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextTry {
    /// When it is tried again.
    pub at: Timestamp,
    /// Why it has to be.
    pub why: String,
}

/// What becomes of a delivery after a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryUpdate {
    /// The platform shows it.
    Sent(Receipt),
    /// It was not sent; again at the given time.
    Again(NextTry),
    /// It may have been sent; once more at the given time, and marked.
    AgainInDoubt(NextTry),
    /// It cannot go on by itself.
    Wedged(Wedge),
}
