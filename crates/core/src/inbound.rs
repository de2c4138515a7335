//! One normalized message at the in-door.
//!
//! Every adapter translates what its platform sends into an `Inbound`, and so does the HTTP
//! interface. The stored form is JSON with a version, so that a later release can read an earlier
//! one's rows. It does not say whether the message is accepted: that is `intake`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::address::{Address, Person};
use crate::id::{ProcessId, TurnId};
use crate::media::attached::{self, Attached};
use crate::media::{self, MediaId, Picture};

/// What makes a message recognisable when the platform sends it again: unique within an account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventKey(String);

impl EventKey {
    /// The key of a message that the platform numbers for the whole account.
    pub fn of_update(update: &str) -> Self {
        Self(format!("u:{update}"))
    }

    /// The key of a message that is numbered within its chat. The length keeps `a` + `bc` and
    /// `ab` + `c` apart. The message stands first: ids mostly grow with time, so what arrives together stands
    /// together in the index of keys, and a crowd of chats writes few of its pages.
    pub fn in_chat(chat: &str, message: &str) -> Self {
        Self(format!("c:{}:{message}:{chat}", message.len()))
    }

    /// The key of a question that a turn asks again. It cannot be that of any message of a platform.
    pub fn again_in(turn: TurnId) -> Self {
        Self(format!("t:{turn}"))
    }

    /// The key of the operator's call to stop a turn: however often it comes, it is one.
    pub fn stop_of(turn: TurnId) -> Self {
        Self(format!("s:{turn}"))
    }

    /// The key of the end of a process: however often it is told, it is one message.
    pub fn end_of(process: ProcessId) -> Self {
        Self(format!("p:{process}"))
    }

    /// The key of the news of a process with this number: however often they are told, they are one message.
    pub fn news_of(process: ProcessId, number: u32) -> Self {
        Self(format!("p:{process}/{number}"))
    }

    /// The process that the message is about, if the gateway wrote it about one. No message from outside
    /// has such a key.
    pub fn told_process(&self) -> Option<ProcessId> {
        let told = self.0.strip_prefix("p:")?;
        let id = told.split_once('/').map_or(told, |(id, _)| id);
        id.parse().ok()
    }

    /// The text that is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person.
    User,
    /// The agent.
    Assistant,
    /// Instructions to the agent, from the program that speaks for the person.
    System,
    /// The gateway itself: a failure, a reset.
    Notice,
    /// A tool that the agent used.
    Tool,
}

impl Role {
    /// The name used in rows and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Notice => "notice",
            Self::Tool => "tool",
        }
    }
}

/// Something said earlier, brought along by a client that keeps its own history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// Who said it.
    pub role: Role,
    /// The words.
    pub text: String,
    /// Pictures that are kept already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inbound {
    /// Where it was written, and where the answer goes.
    pub address: Address,
    /// Who wrote it.
    pub person: Person,
    /// What recognises it when it comes again.
    pub event_key: EventKey,
    /// The platform's id of the message, for people who look it up.
    pub message_id: String,
    /// The words; they may be none if something came along.
    pub text: String,
    /// Pictures that are kept already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// What came with it and lies with its platform until its turn opens it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<Attached>,
    /// Earlier words that came with it; empty for every chat platform.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<Utterance>,
    /// What else is known about its place and sender.
    #[serde(default, skip_serializing_if = "About::is_unwritten")]
    pub about: About,
}

impl Inbound {
    /// All pictures that it refers to, those of earlier words included.
    pub fn media(&self) -> impl Iterator<Item = MediaId> {
        let earlier = self.context.iter().flat_map(|said| &said.pictures);
        self.pictures
            .iter()
            .chain(earlier)
            .map(|picture| picture.id)
    }

    /// Its words, with a note of everything that came with it and was not opened.
    pub fn words(&self) -> Cow<'_, str> {
        let notes = attached::notes(&self.attached);
        match (self.text.trim().is_empty(), notes.is_empty()) {
            (_, true) => Cow::Borrowed(&self.text),
            (true, false) => Cow::Owned(notes),
            (false, false) => Cow::Owned(format!("{}\n{notes}", self.text)),
        }
    }

    /// Its words, or what stands for them where there are only pictures.
    pub fn gist(&self) -> String {
        let words = self.words();
        match words.trim().is_empty() {
            true => media::notes(&self.pictures),
            false => words.into_owned(),
        }
    }
}
