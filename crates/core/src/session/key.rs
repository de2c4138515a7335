//! The stable key that finds a conversation.
//!
//! `agent:<namespace>:<platform>:<chat kind>[:<part>]…`. Private chats have one lane per chat (and
//! thread); everywhere else each person has an own lane, except inside threads, which are shared,
//! both unless configured otherwise. Ids go in as they are, so beyond the fourth field a key is
//! opaque, and two different places can have the same key. What is compared is the scope, which
//! cannot be the same for two.
//!
//! It does not say whether a conversation exists or begins anew; that is the store's row.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::address::{Address, ChatKind, Person};

/// The namespace of the one agent that every message reaches unless routed elsewhere.
pub const MAIN: &str = "main";

/// The key of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionKey(String);

impl SessionKey {
    /// A key as it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Who shares a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Everyone in the place.
    Shared,
    /// Each person has an own one.
    PerPerson,
}

/// How places with several people are divided into conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isolation {
    /// In groups and channels.
    pub groups: Sharing,
    /// In threads; only `PerPerson` groups can have `PerPerson` threads.
    pub threads: Sharing,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            groups: Sharing::PerPerson,
            threads: Sharing::Shared,
        }
    }
}

/// A private chat that has neither a chat nor a person to tell it from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unroutable;

/// How a conversation is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The key that people and programs know it by.
    pub key: SessionKey,
    /// What tells it from every other conversation.
    pub scope: Scope,
}

/// What tells a conversation from every other one. Ids stand in a key as they are, so the keys of
/// chat `a:b` and of thread `b` in chat `a` are the same text, and so are those of one chat id on two
/// accounts. A scope names each part with its length: different places never meet in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope(String);

impl Scope {
    /// The text that is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The conversation that `person` at `address` speaks in.
pub fn route(
    address: &Address,
    person: &Person,
    isolation: Isolation,
) -> Result<Route, Unroutable> {
    let parts = Parts::of(address, person, isolation)?;
    let key = parts.key(address);
    let scope = parts.scope(address);
    Ok(Route { key, scope })
}

/// The ids that make a conversation one of its own.
struct Parts<'a> {
    chat: Option<&'a str>,
    thread: Option<&'a str>,
    person: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(
        address: &'a Address,
        person: &'a Person,
        isolation: Isolation,
    ) -> Result<Self, Unroutable> {
        let chat = some(&address.chat.id);
        let thread = address.thread.as_deref().and_then(some);
        let person = some(&person.id);
        if address.chat.kind != ChatKind::Dm {
            let person = person.filter(|_| is_per_person(isolation, thread));
            return Ok(Self {
                chat,
                thread,
                person,
            });
        }
        match (chat, person) {
            (Some(_), _) => Ok(Self {
                chat,
                thread,
                person: None,
            }),
            (None, Some(_)) => Ok(Self {
                chat,
                thread,
                person,
            }),
            (None, None) => Err(Unroutable),
        }
    }

    fn key(&self, address: &Address) -> SessionKey {
        let Self {
            chat,
            thread,
            person,
        } = *self;
        let place = [
            "agent",
            MAIN,
            address.platform.name(),
            address.chat.kind.name(),
        ];
        let ids = match address.chat.kind {
            ChatKind::Dm => [chat, person, thread],
            ChatKind::Group | ChatKind::Channel | ChatKind::Thread => [chat, thread, person],
        };
        let parts: Vec<&str> = place.into_iter().chain(ids.into_iter().flatten()).collect();
        SessionKey(parts.join(":"))
    }

    fn scope(&self, address: &Address) -> Scope {
        let mut text = format!("{MAIN}/{}", address.chat.kind.name());
        for part in [
            Some(address.account.0.as_str()),
            self.chat,
            self.thread,
            self.person,
        ] {
            match part {
                Some(part) => text.push_str(&format!("/{}:{part}", part.len())),
                None => text.push_str("/-"),
            }
        }
        Scope(text)
    }
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

pub(super) fn is_per_person(isolation: Isolation, thread: Option<&str>) -> bool {
    isolation.groups == Sharing::PerPerson
        && (thread.is_none() || isolation.threads == Sharing::PerPerson)
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
