//! Who may speak: the decision about a sender, before anything is stored.
//!
//! Deny by default. A sender is let in by what guards the door already (the token of the HTTP interface, a
//! service that signs its calls, a relay that has checked), by the chat that they write in, by a role that the
//! platform vouches for, or by a list. The order is fixed, and the first reason holds. Without a name nobody is
//! let in, except into a chat that is open to all in it.
//!
//! ```text
//! "telegram:12345"   one person, on a platform or through one account
//! "telegram:*"       everyone there
//! "*:12345"          whoever has this id, anywhere
//! "*"                everyone
//! ```
//!
//! It does not answer strangers, and grants nothing: what somebody may do once inside is decided elsewhere.

use std::str::FromStr;

use crate::about::{Grant, Path};
use crate::address::{Address, ChatKind, Platform};
use crate::inbound::Inbound;
use crate::whatsapp;

/// What stands for all.
const ALL: &str = "*";

/// Who is let in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// People.
    pub people: Vec<Entry>,
    /// Groups in which everyone is let in.
    pub chats: Vec<Entry>,
}

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// A platform, an account, or `*`.
    place: String,
    /// A person or a chat, or `*`.
    id: String,
}

/// A text that is no line of a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` must be a platform or an account, a colon, and an id, such as `telegram:12345` or `telegram:*`"
)]
pub struct NoEntry(String);

/// Why somebody is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// The door that they came through has its own guard.
    Guarded,
    /// A relay has checked them.
    Relayed,
    /// Everyone in the chat is.
    Chat,
    /// Everyone there is.
    Everyone,
    /// The platform vouches for a role of theirs.
    Role,
    /// A list names them.
    Listed,
}

impl FromStr for Entry {
    type Err = NoEntry;

    fn from_str(text: &str) -> Result<Self, NoEntry> {
        let trimmed = text.trim();
        let whole = (trimmed == ALL).then_some((ALL, ALL));
        let parts = whole.or_else(|| trimmed.split_once(':'));
        let parts = parts.map(|(place, id)| (place.trim(), id.trim()));
        match parts {
            Some((place, id)) if !place.is_empty() && !id.is_empty() => Ok(Self {
                place: place.to_owned(),
                id: id.to_owned(),
            }),
            Some(_) | None => Err(NoEntry(text.to_owned())),
        }
    }
}

impl Entry {
    /// The platform or account that it names; nothing for all.
    pub fn place(&self) -> Option<&str> {
        Some(self.place.as_str()).filter(|place| *place != ALL)
    }

    fn holds_at(&self, address: &Address) -> bool {
        self.place == ALL
            || self.place == address.account.0
            || self.place == address.platform.name()
    }

    fn is_all(&self) -> bool {
        self.id == ALL
    }

    /// Whether it names this person. An id with a domain is also known by what stands before it.
    fn names(&self, person: &str, platform: Platform) -> bool {
        let bare = person.split('@').next().unwrap_or_default();
        let is_same = self.id == person || self.id == bare;
        let is_whatsapp = platform == Platform::Whatsapp;
        is_same || is_whatsapp && whatsapp::normalise(&self.id) == whatsapp::normalise(person)
    }
}

impl Policy {
    /// Lets everyone in.
    pub fn everyone() -> Self {
        let all = Entry {
            place: ALL.to_owned(),
            id: ALL.to_owned(),
        };
        Self {
            people: vec![all],
            chats: Vec::new(),
        }
    }
}

/// Whether the sender of a message is let in, and why.
pub fn decide(policy: &Policy, inbound: &Inbound) -> Option<Admission> {
    let (address, trust) = (&inbound.address, &inbound.about.trust);
    if is_guarded(address.platform) {
        return Some(Admission::Guarded);
    }
    if trust.path == Path::Relay {
        return Some(Admission::Relayed);
    }
    if is_open(policy, address) {
        return Some(Admission::Chat);
    }
    let person = inbound.person.id.trim();
    if person.is_empty() {
        return None;
    }
    let here: Vec<&Entry> = policy
        .people
        .iter()
        .filter(|one| one.holds_at(address))
        .collect();
    if here.iter().any(|one| one.is_all()) {
        return Some(Admission::Everyone);
    }
    if trust.grant == Grant::Role {
        return Some(Admission::Role);
    }
    let is_listed = here.iter().any(|one| one.names(person, address.platform));
    is_listed.then_some(Admission::Listed)
}

/// Whether whoever comes this way has shown a token or a signature.
fn is_guarded(platform: Platform) -> bool {
    Platform::HOUSE.contains(&platform)
        || matches!(
            platform,
            Platform::ApiServer
                | Platform::Homeassistant
                | Platform::Webhook
                | Platform::MsgraphWebhook
        )
}

fn is_open(policy: &Policy, address: &Address) -> bool {
    let chat = &address.chat;
    chat.kind != ChatKind::Dm
        && policy
            .chats
            .iter()
            .any(|one| one.holds_at(address) && (one.is_all() || one.id == chat.id))
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
