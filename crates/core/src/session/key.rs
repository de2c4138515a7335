//! The stable key that finds a conversation.
//!
//! `agent:<namespace>:<platform>:<chat kind>[:<part>]…`. Private chats have one lane per chat (and
//! thread); everywhere else each person has an own lane, except inside threads, which are shared,
//! both unless configured otherwise. Ids go in as they are, so beyond the fourth field a key is
//! opaque, and two different places can have the same key. What is compared is the scope, which
//! cannot be the same for two.
//!
//! The namespace is the profile's name, or `main`. On WhatsApp a private chat and a person go in by
//! the primary of their ids, so that a person has one conversation under all of them. Kinds of chat
//! that we do not know go in as they are and are not private. What somebody asks beside the conversation of
//! their place (`/background`) is a conversation of its own, named by the message that began it.
//!
//! It does not say whether a conversation exists or begins anew; that is the store's row.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::shared::PRIVATE;
use crate::address::{AccountId, ChatKind, Moved, Platform};
use crate::inbound::Inbound;
use crate::profile::Profile;
use crate::whatsapp::aliases::Aliases;
use crate::whatsapp::normalise;

/// What stands in a key before the chat: `agent`, the namespace, the platform and the kind.
const KEY_HEAD: usize = 4;

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

    /// The key as a log shows it: what kind of place it is, and of its ids no more than tells two of them apart at a glance.
    #[must_use]
    pub fn for_logs(&self) -> String {
        let mut parts = self.0.splitn(KEY_HEAD + 1, ':');
        let head: Vec<&str> = parts.by_ref().take(KEY_HEAD).collect();
        let ids = parts.next().into_iter().flat_map(|ids| ids.split(':'));
        let ids: String = ids.map(|id| format!(":…{}", end_of(id))).collect();
        format!("{}{ids}", head.join(":"))
    }

    /// The same after its chat has become another; nothing if it is another chat's.
    #[must_use]
    pub fn moved(&self, moved: &Moved) -> Option<Self> {
        let mut parts = self.0.splitn(KEY_HEAD + 1, ':');
        let head: Vec<&str> = parts.by_ref().take(KEY_HEAD).collect();
        let rest = parts.next()?.strip_prefix(moved.from.as_str())?;
        let is_whole = rest.is_empty() || rest.starts_with(':');
        is_whole.then(|| Self(format!("{}:{}{rest}", head.join(":"), moved.to)))
    }
}

/// The last two letters of an id that has many more.
fn end_of(id: &str) -> &str {
    let letters = id.chars().count();
    let begin = id.char_indices().nth(letters.saturating_sub(2));
    match begin {
        Some((at, _)) if letters > 4 => &id[at..],
        Some(_) | None => "",
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

/// What a conversation is found by. Nothing else of a message has a part in its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The kind of chat system.
    pub platform: Platform,
    /// Our identity there.
    pub account: &'a AccountId,
    /// What kind of place it is, by name.
    pub kind: &'a str,
    /// The platform's id of the place; may be empty.
    pub chat: &'a str,
    /// The thread or topic inside the place.
    pub thread: Option<&'a str>,
    /// The id by which the person is known; may be empty.
    pub person: &'a str,
    /// The profile that answers.
    pub profile: Option<&'a Profile>,
    /// The message that began it beside the conversation of its place.
    pub beside: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// Where `inbound` was written, and by whom.
    pub fn of(inbound: &'a Inbound) -> Self {
        let (address, about) = (&inbound.address, &inbound.about);
        Self {
            platform: address.platform,
            account: &address.account,
            kind: address.chat.kind.name(),
            chat: &address.chat.id,
            thread: address.thread.as_deref(),
            person: participant(&inbound.person.id, about.person_alt.as_deref()),
            profile: about.profile.as_ref(),
            beside: about.beside.as_deref(),
        }
    }
}

/// The id by which a person is known: the one that changes less often, if there is one.
pub fn participant<'a>(id: &'a str, alt: Option<&'a str>) -> &'a str {
    alt.and_then(some).unwrap_or(id)
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
    /// A scope as it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text that is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How the scopes of a group's main conversations begin, and what comes behind the last of them.
    #[must_use]
    pub fn range(account: &AccountId, chat: &str) -> (String, String) {
        let begin = format!(
            "{}/{}/{}",
            Profile::namespace(None),
            ChatKind::Group.name(),
            chat_head(account, chat)
        );
        // What follows the stroke in the order of letters.
        (format!("{begin}/"), format!("{begin}0"))
    }

    /// The same after its chat has become another; nothing if it is another chat's.
    #[must_use]
    pub fn moved(&self, account: &AccountId, moved: &Moved) -> Option<Self> {
        let (namespace, rest) = self.0.split_once('/')?;
        let (kind, rest) = rest.split_once('/')?;
        let rest = rest.strip_prefix(&chat_head(account, &moved.from))?;
        let is_whole = rest.starts_with('/');
        let there = chat_head(account, &moved.to);
        is_whole.then(|| Self(format!("{namespace}/{kind}/{there}{rest}")))
    }
}

/// The part of a scope that names a chat of an account.
fn chat_head(account: &AccountId, chat: &str) -> String {
    format!("{}:{account}/{}:{chat}", account.0.len(), chat.len())
}

/// The conversation that belongs to `place`. `aliases` has the rows of the ids in it.
pub fn route(
    place: &Place<'_>,
    isolation: Isolation,
    aliases: &Aliases,
) -> Result<Route, Unroutable> {
    let parts = Parts::of(place, isolation, aliases)?;
    let key = parts.key(place);
    let scope = parts.scope(place);
    Ok(Route { key, scope })
}

/// The id in the key of `place` that may be one of several of its person, as it was written. Its row
/// among the aliases is all that [`route`] needs; where there is no such id it needs none.
pub fn known_by<'a>(place: &Place<'a>, isolation: Isolation) -> Option<&'a str> {
    if place.platform != Platform::Whatsapp {
        return None;
    }
    if place.kind != PRIVATE {
        let thread = place.thread.and_then(some);
        return some(place.person).filter(|_| is_per_person(isolation, thread));
    }
    let is_someone = |id: &&str| !normalise(id).is_empty();
    Some(place.chat)
        .filter(is_someone)
        .or_else(|| some(place.person))
}

/// The ids that make a conversation one of its own.
struct Parts<'a> {
    chat: Option<Cow<'a, str>>,
    thread: Option<&'a str>,
    person: Option<Cow<'a, str>>,
}

impl<'a> Parts<'a> {
    fn of(place: &Place<'a>, isolation: Isolation, aliases: &Aliases) -> Result<Self, Unroutable> {
        let chat = chat(place, aliases);
        let thread = place.thread.and_then(some);
        let person = person(place, aliases);
        let person = match (place.kind == PRIVATE, &chat) {
            (false, _) => person.filter(|_| is_per_person(isolation, thread)),
            (true, Some(_)) => None,
            (true, None) => Some(person.ok_or(Unroutable)?),
        };
        Ok(Self {
            chat,
            thread,
            person,
        })
    }

    fn key(&self, place: &Place<'_>) -> SessionKey {
        let namespace = Profile::namespace(place.profile);
        let place_names = ["agent", namespace, place.platform.name(), place.kind];
        let (chat, person) = (self.chat.as_deref(), self.person.as_deref());
        let ids = if place.kind == PRIVATE {
            [chat, person, self.thread]
        } else {
            [chat, self.thread, person]
        };
        let parts: Vec<&str> = place_names
            .into_iter()
            .chain(ids.into_iter().flatten())
            .chain(place.beside.into_iter().flat_map(|began| ["beside", began]))
            .collect();
        SessionKey(parts.join(":"))
    }

    fn scope(&self, place: &Place<'_>) -> Scope {
        let mut text = format!("{}/{}", Profile::namespace(place.profile), kind(place.kind));
        for part in [
            Some(place.account.0.as_str()),
            self.chat.as_deref(),
            self.thread,
            self.person.as_deref(),
        ] {
            match part {
                Some(part) => text.push_str(&format!("/{}:{part}", part.len())),
                None => text.push_str("/-"),
            }
        }
        if let Some(began) = place.beside {
            text.push_str(&format!("/beside/{}:{began}", began.len()));
        }
        Scope(text)
    }
}

/// The kind in a scope: a name of ours as it is, any other text with its length, because it may hold
/// what parts are told apart by.
fn kind(name: &str) -> Cow<'_, str> {
    match ChatKind::from_str(name) {
        Ok(_) => Cow::Borrowed(name),
        Err(_) => Cow::Owned(format!("{}:{name}", name.len())),
    }
}

fn chat<'a>(place: &Place<'a>, aliases: &Aliases) -> Option<Cow<'a, str>> {
    let id = if place.platform == Platform::Whatsapp && place.kind == PRIVATE {
        Cow::Owned(aliases.primary(place.chat))
    } else {
        Cow::Borrowed(place.chat)
    };
    Some(id).filter(|id| !id.is_empty())
}

/// Of an id that consists of nothing but what is taken off, the whole: it is all that tells the
/// person from others.
fn person<'a>(place: &Place<'a>, aliases: &Aliases) -> Option<Cow<'a, str>> {
    let raw = some(place.person)?;
    if place.platform != Platform::Whatsapp {
        return Some(Cow::Borrowed(raw));
    }
    let primary = aliases.primary(raw);
    Some(if primary.is_empty() {
        Cow::Borrowed(raw)
    } else {
        Cow::Owned(primary)
    })
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
