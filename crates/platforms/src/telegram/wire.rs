//! The few shapes of the Bot API that are read here. What is not named is ignored, so that a newer server does
//! not trouble an older gateway.

use serde::Deserialize;
use serde_json::Value;

/// An answer to any call.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    pub(super) ok: bool,
    #[serde(default)]
    pub(super) result: Value,
    #[serde(default)]
    pub(super) error_code: Option<u16>,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) parameters: Option<Parameters>,
}

/// What a refusal says besides.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Parameters {
    pub(super) retry_after: Option<i64>,
    pub(super) migrate_to_chat_id: Option<i64>,
}

/// Something that happened.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Update {
    pub(super) update_id: i64,
    pub(super) message: Option<Message>,
    pub(super) edited_message: Option<Message>,
    pub(super) callback_query: Option<Press>,
}

/// A message.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message {
    pub(super) message_id: i64,
    pub(super) message_thread_id: Option<i64>,
    pub(super) is_topic_message: bool,
    pub(super) from: Option<User>,
    pub(super) chat: Chat,
    pub(super) text: Option<String>,
    pub(super) entities: Vec<Entity>,
    pub(super) caption: Option<String>,
    pub(super) caption_entities: Vec<Entity>,
    pub(super) media_group_id: Option<String>,
    pub(super) reply_to_message: Option<Box<Message>>,
    pub(super) quote: Option<Quote>,
    pub(super) forum_topic_created: Option<Value>,
    pub(super) migrate_to_chat_id: Option<i64>,
    pub(super) migrate_from_chat_id: Option<i64>,
    pub(super) photo: Vec<File>,
    pub(super) voice: Option<File>,
    pub(super) audio: Option<File>,
    pub(super) video: Option<File>,
    pub(super) video_note: Option<File>,
    pub(super) animation: Option<File>,
    pub(super) document: Option<File>,
    pub(super) sticker: Option<Sticker>,
    pub(super) location: Option<Location>,
    pub(super) venue: Option<Venue>,
    pub(super) contact: Option<Contact>,
    pub(super) poll: Option<Poll>,
    /// Messages that are one with this: an album, or the rest of a long text.
    #[serde(skip)]
    pub(super) more: Vec<Self>,
}

/// A person or a program.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct User {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) is_bot: bool,
    #[serde(default)]
    pub(super) first_name: String,
    pub(super) last_name: Option<String>,
    pub(super) username: Option<String>,
}

/// A place.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Chat {
    pub(super) id: i64,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) title: Option<String>,
}

/// A marked part of a text, counted in UTF-16 units.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Entity {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) offset: usize,
    pub(super) length: usize,
    pub(super) user: Option<User>,
}

/// The part of a message that is answered.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Quote {
    #[serde(default)]
    pub(super) text: String,
}

/// A file of any kind; a picture comes as several, of one sight and different sizes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct File {
    pub(super) file_id: String,
    pub(super) file_name: Option<String>,
    pub(super) file_size: Option<u64>,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A sticker.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Sticker {
    #[serde(flatten)]
    pub(super) file: File,
    pub(super) emoji: Option<String>,
    pub(super) set_name: Option<String>,
    /// The same in every chat and for every bot, unlike the id by which the file is asked for.
    #[serde(default)]
    pub(super) file_unique_id: String,
    #[serde(flatten)]
    pub(super) movement: Movement,
}

/// Whether a sticker moves: as a drawing, or as a film.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(super) struct Movement {
    is_animated: Option<bool>,
    is_video: Option<bool>,
}

impl Movement {
    /// Whether there is any.
    pub(super) fn is_there(self) -> bool {
        self.is_animated.unwrap_or_default() || self.is_video.unwrap_or_default()
    }
}

/// A place on the map.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(super) struct Location {
    pub(super) latitude: f64,
    pub(super) longitude: f64,
}

/// A place that has a name. It comes with its location.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Venue {
    pub(super) title: String,
    pub(super) address: String,
}

/// Somebody's number.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Contact {
    pub(super) phone_number: String,
    pub(super) first_name: String,
    pub(super) last_name: Option<String>,
}

/// A question to everybody.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Poll {
    pub(super) question: String,
    pub(super) options: Vec<PollOption>,
}

/// What can be answered.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct PollOption {
    pub(super) text: String,
}

/// A button was pressed.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Press {
    pub(super) id: String,
    pub(super) from: User,
    pub(super) message: Option<Message>,
    pub(super) data: Option<String>,
}
