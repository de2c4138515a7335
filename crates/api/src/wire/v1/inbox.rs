//! Putting a message in.

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{InboxId, SessionId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_store::intake::Place;
use serde::{Deserialize, Serialize};

use super::media::Attachment;

/// A message for the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InboxRequest {
    /// The place it is written in.
    pub chat: String,
    /// What kind of place that is.
    #[serde(default)]
    pub chat_type: ChatType,
    /// The thread inside the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// Who writes.
    pub user: Sender,
    /// The words; they may be empty if there are attachments.
    pub text: String,
    /// Pictures that were brought before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// What recognises the message when it is sent again: unique within its chat.
    pub message_id: String,
    /// Through which of the house's own platforms it comes.
    #[serde(default)]
    pub platform: Entrance,
}

/// What kind of place a chat is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatType {
    /// A private chat with one person.
    #[default]
    Dm,
    /// A group with several people.
    Group,
    /// A channel that people read and may answer in.
    Channel,
    /// A thread that is a chat of its own.
    Thread,
}

/// The platforms that messages reach over HTTP. Others have listeners of their own, and nobody may
/// speak in their name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entrance {
    /// Any program.
    #[default]
    Api,
    /// The web console.
    Web,
    /// The terminal.
    Local,
}

/// Who writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sender {
    /// The sender's id.
    pub id: String,
    /// The name to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The answer to a message that is durable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Its row.
    pub inbox_id: InboxId,
    /// The key of the conversation it belongs to.
    pub session_key: String,
    /// The conversation.
    pub session_id: SessionId,
    /// Whether it came before; then nothing was started.
    pub duplicate: bool,
}

/// Whether a message came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// It is new.
    New,
    /// It came before.
    Repeated,
}

impl Accepted {
    /// The answer for a message that stands at `place`.
    pub fn of(place: &Place, arrival: Arrival) -> Self {
        Self {
            inbox_id: place.inbox,
            session_key: place.key.as_str().to_owned(),
            session_id: place.session,
            duplicate: arrival == Arrival::Repeated,
        }
    }
}

impl From<ChatType> for ChatKind {
    fn from(kind: ChatType) -> Self {
        match kind {
            ChatType::Dm => Self::Dm,
            ChatType::Group => Self::Group,
            ChatType::Channel => Self::Channel,
            ChatType::Thread => Self::Thread,
        }
    }
}

impl From<ChatKind> for ChatType {
    fn from(kind: ChatKind) -> Self {
        match kind {
            ChatKind::Dm => Self::Dm,
            ChatKind::Group => Self::Group,
            ChatKind::Channel => Self::Channel,
            ChatKind::Thread => Self::Thread,
        }
    }
}

impl From<Entrance> for Platform {
    fn from(entrance: Entrance) -> Self {
        match entrance {
            Entrance::Api => Self::Api,
            Entrance::Web => Self::Web,
            Entrance::Local => Self::Local,
        }
    }
}

impl From<InboxRequest> for Inbound {
    fn from(request: InboxRequest) -> Self {
        let platform = Platform::from(request.platform);
        Self {
            event_key: EventKey::in_chat(&request.chat, &request.message_id),
            address: Address {
                platform,
                account: AccountId::of(platform),
                chat: Chat {
                    id: request.chat,
                    kind: request.chat_type.into(),
                },
                thread: request.thread.filter(|thread| !thread.is_empty()),
            },
            person: Person {
                id: request.user.id,
                name: request.user.name,
            },
            message_id: request.message_id,
            text: request.text,
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        }
    }
}
