//! The stable key that finds a conversation.
//!
//! `agent:<namespace>:<platform>:<chat kind>[:<part>]…`. Private chats have one lane per chat (and
//! thread); everywhere else each person has an own lane, except inside threads, which are shared,
//! both unless configured otherwise. Ids go in as they are, so beyond the fourth field a key is
//! opaque: compare it, never take it apart.
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

/// The key of the conversation that `person` at `address` speaks in.
pub fn of(
    address: &Address,
    person: &Person,
    isolation: Isolation,
) -> Result<SessionKey, Unroutable> {
    let mut parts = vec![
        "agent",
        MAIN,
        address.platform.name(),
        address.chat.kind.name(),
    ];
    let thread = address
        .thread
        .as_deref()
        .filter(|thread| !thread.is_empty());
    let chat = Some(address.chat.id.as_str()).filter(|chat| !chat.is_empty());
    let own = Some(person.id.as_str()).filter(|id| !id.is_empty());
    if address.chat.kind == ChatKind::Dm {
        parts.push(chat.or(own).ok_or(Unroutable)?);
        parts.extend(thread);
    } else {
        parts.extend(chat);
        parts.extend(thread);
        parts.extend(own.filter(|_| is_per_person(isolation, thread)));
    }
    Ok(SessionKey(parts.join(":")))
}

pub(super) fn is_per_person(isolation: Isolation, thread: Option<&str>) -> bool {
    isolation.groups == Sharing::PerPerson
        && (thread.is_none() || isolation.threads == Sharing::PerPerson)
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
