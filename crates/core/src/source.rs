//! Where a message came from, as one mapping that other programs read and write.
//!
//! A relay sends it with each message, and an index of conversations from elsewhere holds one per
//! conversation. Inside the gateway the same facts are an `Address`, a `Person` and an `About`.
//!
//! Reading is strict about what finds a conversation and mild about the rest: platform and chat must
//! be there, an id may be a number, unknown fields are passed over. What only this gateway's own
//! adapters can know (`about::Trust`) is neither read nor written, so nobody can claim it. Display
//! gives words for people, with names as they came: whoever puts them before an agent quotes them.

use std::fmt;

use serde_json::{Map, Value};

use crate::about::{About, AutoThread};
use crate::address::{AccountId, Platform};
use crate::inbound::Inbound;
use crate::loose;
use crate::profile::Profile;
use crate::session::key::{self, Place};
use crate::session::shared::PRIVATE;

/// Where a message came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The kind of chat system.
    pub platform: Platform,
    /// The platform's id of the place.
    pub chat: String,
    /// What kind of place it is, by name; any text, and only `dm` is private.
    pub kind: String,
    /// The platform's id of the sender.
    pub person: Option<String>,
    /// The sender's name to show.
    pub person_name: Option<String>,
    /// The thread or topic inside the place.
    pub thread: Option<String>,
    /// The message itself.
    pub message: Option<String>,
    /// What else is known.
    pub about: About,
}

/// Why a mapping says of no place where a message came from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSource {
    /// Not even a mapping.
    #[error("a message source must be a mapping of fields")]
    Form,
    /// Nothing to find a conversation by.
    #[error("the message source has no `{0}`; it cannot be told from others without it")]
    Missing(&'static str),
    /// A value that means nothing.
    #[error("`{field}` of the message source: {why}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

type Fields = Map<String, Value>;

impl Source {
    /// Where `inbound` came from.
    pub fn of(inbound: &Inbound) -> Self {
        let Inbound {
            address, person, ..
        } = inbound;
        Self {
            platform: address.platform,
            chat: address.chat.id.clone(),
            kind: address.chat.kind.name().to_owned(),
            person: Some(person.id.clone()),
            person_name: person.name.clone(),
            thread: address.thread.clone(),
            message: Some(inbound.message_id.clone()).filter(|id| !id.is_empty()),
            about: inbound.about.clone(),
        }
    }

    /// What its conversation is found by, on an account of ours.
    pub fn place<'a>(&'a self, account: &'a AccountId) -> Place<'a> {
        let person = self.person.as_deref().unwrap_or_default();
        Place {
            platform: self.platform,
            account,
            kind: &self.kind,
            chat: &self.chat,
            thread: self.thread.as_deref(),
            person: key::participant(person, self.about.person_alt.as_deref()),
            profile: self.about.profile.as_ref(),
            beside: self.about.beside.as_deref(),
        }
    }

    /// Reads a mapping.
    pub fn read(value: &Value) -> Result<Self, BadSource> {
        let fields = value.as_object().ok_or(BadSource::Form)?;
        Ok(Self {
            platform: platform(fields)?,
            chat: chat(fields)?,
            kind: kind(fields)?,
            person: text(fields, "user_id")?,
            person_name: text(fields, "user_name")?,
            thread: text(fields, "thread_id")?,
            message: filled(fields, "message_id")?,
            about: about(fields)?,
        })
    }

    /// Writes a mapping that `read` reads.
    pub fn write(&self) -> Value {
        let about = &self.about;
        let mut fields = Fields::new();
        let mut always = |name: &str, text: Option<&str>| {
            fields.insert(name.to_owned(), text.map_or(Value::Null, Value::from));
        };
        always("platform", Some(self.platform.name()));
        always("chat_id", Some(&self.chat));
        always("chat_name", about.chat_name.as_deref());
        always("chat_type", Some(&self.kind));
        always("user_id", self.person.as_deref());
        always("user_name", self.person_name.as_deref());
        always("thread_id", self.thread.as_deref());
        always("chat_topic", about.chat_topic.as_deref());
        let profile = about.profile.as_ref().map(Profile::as_str);
        let filled = [
            ("user_id_alt", about.person_alt.as_deref()),
            ("chat_id_alt", about.chat_alt.as_deref()),
            ("scope_id", about.scope.as_deref()),
            ("guild_id", about.scope.as_deref()),
            ("parent_chat_id", about.parent_chat.as_deref()),
            ("message_id", self.message.as_deref()),
            ("profile", profile),
        ];
        for (name, text) in filled {
            put(&mut fields, name, text);
        }
        if let Some(thread) = &about.auto_thread {
            fields.insert("auto_thread_created".to_owned(), Value::Bool(true));
            let initial = thread.initial.as_deref();
            put(&mut fields, "auto_thread_initial_name", initial);
        }
        Value::Object(fields)
    }
}

/// What people read: `private chat with Anna`, `group: Ops, thread: 7`.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.platform == Platform::Local {
            return out.write_str("the terminal of this machine");
        }
        let chat = first([self.about.chat_name.as_deref(), Some(&self.chat)]);
        let person = first([self.person_name.as_deref(), self.person.as_deref()]);
        match self.kind.as_str() {
            PRIVATE => write!(out, "private chat with {}", person.unwrap_or("somebody"))?,
            kind @ ("group" | "channel") => write!(out, "{kind}: {}", chat.unwrap_or_default())?,
            _ => out.write_str(chat.unwrap_or_default())?,
        }
        match first([self.thread.as_deref()]) {
            Some(thread) => write!(out, ", thread: {thread}"),
            None => Ok(()),
        }
    }
}

/// The first text that says something.
fn first<const N: usize>(texts: [Option<&str>; N]) -> Option<&str> {
    texts.into_iter().flatten().find(|text| !text.is_empty())
}

fn put(fields: &mut Fields, name: &str, text: Option<&str>) {
    if let Some(text) = first([text]) {
        fields.insert(name.to_owned(), text.into());
    }
}

fn invalid(field: &'static str, why: impl fmt::Display) -> BadSource {
    let why = why.to_string();
    BadSource::Invalid { field, why }
}

fn text(fields: &Fields, name: &'static str) -> Result<Option<String>, BadSource> {
    loose::text(fields, name).map_err(|_| invalid(name, "this must be a text or a number"))
}

fn filled(fields: &Fields, name: &'static str) -> Result<Option<String>, BadSource> {
    Ok(text(fields, name)?.filter(|text| !text.is_empty()))
}

fn platform(fields: &Fields) -> Result<Platform, BadSource> {
    let name = fields
        .get("platform")
        .ok_or(BadSource::Missing("platform"))?;
    let name = name
        .as_str()
        .ok_or_else(|| invalid("platform", "this must be the name of a platform"))?;
    name.parse().map_err(|why| invalid("platform", why))
}

/// The chat. One that is null is no chat: as a text it would be the same for all who write null.
fn chat(fields: &Fields) -> Result<String, BadSource> {
    if !fields.contains_key("chat_id") {
        return Err(BadSource::Missing("chat_id"));
    }
    text(fields, "chat_id")?.ok_or_else(|| invalid("chat_id", "this must name the chat"))
}

/// The kind of chat: private if it is not said, and never by accident.
fn kind(fields: &Fields) -> Result<String, BadSource> {
    match fields.get("chat_type") {
        None => Ok(PRIVATE.to_owned()),
        Some(Value::String(kind)) => Ok(kind.clone()),
        Some(_) => Err(invalid("chat_type", "this must be a text, such as `group`")),
    }
}

fn about(fields: &Fields) -> Result<About, BadSource> {
    let scope = if fields.contains_key("scope_id") {
        "scope_id"
    } else {
        "guild_id"
    };
    let profile = filled(fields, "profile")?.map(|name| name.parse::<Profile>());
    let is_ours = loose::is_set(fields, "auto_thread_created");
    let initial = filled(fields, "auto_thread_initial_name")?;
    Ok(About {
        chat_name: text(fields, "chat_name")?,
        chat_topic: text(fields, "chat_topic")?,
        person_alt: filled(fields, "user_id_alt")?,
        chat_alt: filled(fields, "chat_id_alt")?,
        scope: filled(fields, scope)?,
        parent_chat: filled(fields, "parent_chat_id")?,
        profile: profile.transpose().map_err(|why| invalid("profile", why))?,
        auto_thread: is_ours.then_some(AutoThread { initial }),
        ..About::default()
    })
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
