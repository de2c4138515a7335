//! An update becomes a message of the house, or nothing, with the reason. Pure.
//!
//! What recognises a message is its chat and its number there: a redelivery and a correction are the same
//! message and answered once. In groups the bot answers whoever speaks to it: a command, a mention, an answer
//! to its own words. Programs are not answered: two of them would never end.

use angelia_core::about::{About, Author, Said, Trust};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Moved, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};

use super::wire::{Entity, Message, Press, Update, User};
use super::{along, said};

/// What an update is to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// A message.
    Message(Box<Inbound>),
    /// A button that answers a question.
    Press(Box<Inbound>),
    /// A group has become another one.
    Moved(Moved),
    /// Nothing for us.
    Passed(&'static str),
    /// Nothing that is known here.
    Unknown,
}

/// Who listens.
#[derive(Debug, Clone)]
pub(super) struct Ear<'a> {
    pub(super) account: &'a AccountId,
    pub(super) me: &'a User,
}

impl Ear<'_> {
    /// Reads an update.
    pub(super) fn translate(&self, update: &Update) -> Heard {
        match update {
            Update {
                message: Some(message),
                ..
            }
            | Update {
                edited_message: Some(message),
                ..
            } => self.message(message),
            Update {
                callback_query: Some(press),
                ..
            } => self.press(press),
            Update { .. } => Heard::Unknown,
        }
    }

    fn message(&self, message: &Message) -> Heard {
        if let Some(moved) = moved(message) {
            return Heard::Moved(moved);
        }
        let Some(from) = &message.from else {
            return Heard::Passed("nobody is named as its sender");
        };
        let Some(kind) = kind(&message.chat.kind) else {
            return Heard::Passed("it is not written in a chat");
        };
        if from.is_bot {
            return Heard::Passed("a program wrote it");
        }
        if kind == ChatKind::Group && !self.is_meant(message) {
            return Heard::Passed("it is not for the bot");
        }
        let (text, attached) = (said::words(message, self.me), along::of(message));
        if text.is_empty() && attached.is_empty() {
            return Heard::Passed("nothing was said");
        }
        let chat = message.chat.id.to_string();
        let number = message.message_id.to_string();
        Heard::Message(Box::new(Inbound {
            event_key: EventKey::in_chat(&chat, &number),
            message_id: number,
            text,
            attached,
            ..self.inbound(message, from, kind)
        }))
    }

    /// A press says what its button was made to say; only commands are.
    fn press(&self, press: &Press) -> Heard {
        let (Some(message), Some(data)) = (&press.message, &press.data) else {
            return Heard::Passed("its button is gone");
        };
        let (Some(kind), true) = (kind(&message.chat.kind), data.starts_with('/')) else {
            return Heard::Passed("its button is none of ours");
        };
        let inbound = Inbound {
            event_key: EventKey::of_update(&format!("press {}", press.id)),
            message_id: message.message_id.to_string(),
            text: data.clone(),
            ..self.inbound(message, &press.from, kind)
        };
        Heard::Press(Box::new(inbound))
    }

    /// Where, who, and what else is known.
    fn inbound(&self, message: &Message, from: &User, kind: ChatKind) -> Inbound {
        let thread = message
            .message_thread_id
            .filter(|_| message.is_topic_message);
        Inbound {
            address: Address {
                platform: Platform::Telegram,
                account: self.account.clone(),
                chat: Chat {
                    id: message.chat.id.to_string(),
                    kind,
                },
                thread: thread.map(|thread| thread.to_string()),
            },
            person: Person {
                id: from.id.to_string(),
                name: said::name(from),
            },
            event_key: EventKey::of_update(""),
            message_id: String::new(),
            text: String::new(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About {
                chat_name: message.chat.title.clone(),
                said: match message.voice {
                    Some(_) => Said::Aloud,
                    None => Said::Written,
                },
                trust: Trust {
                    author: if from.is_bot {
                        Author::Bot
                    } else {
                        Author::Person
                    },
                    ..Trust::default()
                },
                ..About::default()
            },
        }
    }

    /// Whether a message of a group is for the bot.
    fn is_meant(&self, message: &Message) -> bool {
        let mine = |answered: &Message| {
            // The first message of a topic is what every other one in it seems to answer.
            answered.forum_topic_created.is_none()
                && answered.from.as_ref().map(|from| from.id) == Some(self.me.id)
        };
        message.reply_to_message.as_deref().is_some_and(mine)
            || self.is_marked(message.text.as_deref(), &message.entities)
            || self.is_marked(message.caption.as_deref(), &message.caption_entities)
    }

    fn is_marked(&self, text: Option<&str>, entities: &[Entity]) -> bool {
        let units: Vec<u16> = text.unwrap_or_default().encode_utf16().collect();
        entities.iter().any(|entity| {
            let part = units.get(entity.offset..entity.offset.saturating_add(entity.length));
            let part = String::from_utf16_lossy(part.unwrap_or_default());
            match entity.kind.as_str() {
                "mention" => self.is_named(part.trim_start_matches('@')),
                "text_mention" => entity.user.as_ref().map(|user| user.id) == Some(self.me.id),
                // `/stop` is for everybody, `/stop@name` for that one.
                "bot_command" if entity.offset == 0 => {
                    let to = part.split_once('@').map(|(_, name)| name);
                    to.is_none_or(|name| self.is_named(name))
                }
                _ => false,
            }
        })
    }

    fn is_named(&self, name: &str) -> bool {
        let mine = self.me.username.as_deref();
        mine.is_some_and(|mine| mine.eq_ignore_ascii_case(name))
    }
}

/// What a group has become, or was before. Telegram tells it in both.
fn moved(message: &Message) -> Option<Moved> {
    let here = message.chat.id;
    let to = message.migrate_to_chat_id.map(|to| (here, to));
    let from = message.migrate_from_chat_id.map(|from| (from, here));
    let (from, to) = to.or(from)?;
    Some(Moved {
        from: from.to_string(),
        to: to.to_string(),
    })
}

fn kind(name: &str) -> Option<ChatKind> {
    match name {
        "private" => Some(ChatKind::Dm),
        "group" | "supergroup" => Some(ChatKind::Group),
        _ => None,
    }
}

#[cfg(test)]
#[path = "translate_tests.rs"]
mod tests;
