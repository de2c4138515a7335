//! Who may speak: the decision about a sender, before anything is stored.
//!
//! Deny by default. A sender is let in by what guards the door already (the token of the HTTP interface, a
//! service that signs its calls, a relay that has checked), by the chat that they write in, by a role that the
//! platform vouches for, by a grant, or by a list. The order is fixed, and the first reason holds. Without a
//! name nobody is let in, except into a chat that is open to all in it; a program is let in only where a list
//! of programs says so.
//!
//! ```text
//! "telegram:12345"   one person, on a platform or through one account
//! "telegram:*"       everyone there
//! "*:12345"          whoever has this id, anywhere
//! "*"                everyone
//! ```
//!
//! Whoever is not let in is a stranger. In a private chat a stranger may be answered with a code (`pairing`,
//! `code`), which an operator turns into a grant (`grant`). What somebody may do once inside is `rank`'s to say.
//! Nothing here reads a row or keeps one.

pub mod code;
pub mod grant;
pub mod pairing;
pub mod rank;
pub mod words;

use std::str::FromStr;

use crate::about::{Author, Grant as Vouched, Path};
use crate::address::{Address, ChatKind, Platform};
use crate::inbound::Inbound;
use crate::limits;
use crate::whatsapp;
use grant::Grant;
use rank::Rights;

/// What stands for all.
const ALL: &str = "*";

/// Who is let in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// People.
    pub people: Vec<Entry>,
    /// People who are let in where they are among others, and nowhere else.
    pub people_in_groups: Vec<Entry>,
    /// Groups in which everyone is let in.
    pub chats: Vec<Entry>,
    /// Programs.
    pub bots: Vec<Entry>,
    /// What a stranger gets.
    pub pairing: Pairing,
    /// Who runs the gateway and what the others may, in private chats.
    pub direct: Rights,
    /// The same among others.
    pub groups: Rights,
}

/// What a stranger in a private chat gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairing {
    /// A code, unless a list names who is let in there: whoever wrote one has chosen already.
    #[default]
    Unlisted,
    /// A code.
    Direct,
    /// No answer.
    Off,
}

/// What becomes of a stranger's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stranger {
    /// It is answered with a code.
    Pairs,
    /// It is passed over.
    Ignored,
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
    /// It is a program, and programs are.
    Program,
    /// Everyone there is.
    Everyone,
    /// The platform vouches for a role of theirs.
    Role,
    /// Somebody let them in.
    Granted,
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

    /// The person or chat that it names; nothing for all.
    pub fn id(&self) -> Option<&str> {
        Some(self.id.as_str()).filter(|id| *id != ALL)
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
            ..Self::default()
        }
    }

    /// The lines about people that hold where the message was written.
    fn here<'p>(&'p self, address: &'p Address) -> impl Iterator<Item = &'p Entry> {
        let among_others: &[Entry] = match address.chat.kind {
            ChatKind::Dm => &[],
            ChatKind::Group | ChatKind::Channel | ChatKind::Thread => &self.people_in_groups,
        };
        let all = self.people.iter().chain(among_others);
        all.filter(|one| one.holds_at(address))
    }

    /// Whether somebody wrote down who is let in at this place.
    fn has_list(&self, address: &Address) -> bool {
        let lists = [&self.people, &self.people_in_groups, &self.chats];
        let mut lines = lines_of(&lists);
        lines.any(|one| one.holds_at(address))
    }
}

fn lines_of<'p>(lists: &'p [&'p Vec<Entry>]) -> impl Iterator<Item = &'p Entry> {
    lists.iter().flat_map(|list| list.iter())
}

/// Whether the sender of a message is let in, and why. `grant` is what somebody gave them, if anybody did.
pub fn decide(policy: &Policy, inbound: &Inbound, grant: Option<&Grant>) -> Option<Admission> {
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
    if trust.author == Author::Bot {
        return is_welcome_program(policy, inbound).then_some(Admission::Program);
    }
    let person = inbound.person.id.trim();
    if person.is_empty() {
        return None;
    }
    if policy.here(address).any(Entry::is_all) {
        return Some(Admission::Everyone);
    }
    if trust.grant == Vouched::Role {
        return Some(Admission::Role);
    }
    if grant.is_some() {
        return Some(Admission::Granted);
    }
    let names = |one: &Entry| one.names(person, address.platform);
    let runs = policy.rights(address).runs(address, person);
    (runs || policy.here(address).any(names)).then_some(Admission::Listed)
}

/// What a message gets whose sender is not let in. Only a person with a name who writes alone is answered.
pub fn stranger(policy: &Policy, inbound: &Inbound) -> Stranger {
    let (address, person) = (&inbound.address, inbound.person.id.trim());
    let is_somebody = !person.is_empty() && inbound.about.trust.author == Author::Person;
    let is_odd = |id: &str| id.len() > limits::NAME_BYTES_MAX;
    if is_odd(person) || is_odd(&address.chat.id) || is_odd(inbound.event_key.as_str()) {
        return Stranger::Ignored;
    }
    if !is_somebody || address.chat.kind != ChatKind::Dm || address.chat.id.trim().is_empty() {
        return Stranger::Ignored;
    }
    match policy.pairing {
        Pairing::Direct => Stranger::Pairs,
        Pairing::Off => Stranger::Ignored,
        // Whoever finds an address can write to it, and every answer is a letter to a stranger.
        Pairing::Unlisted if address.platform == Platform::Email => Stranger::Ignored,
        Pairing::Unlisted if policy.has_list(address) => Stranger::Ignored,
        Pairing::Unlisted => Stranger::Pairs,
    }
}

/// The id under which a person is remembered: the same for everything that the platform calls them by.
pub fn identity(platform: Platform, id: &str) -> String {
    if platform == Platform::Whatsapp {
        whatsapp::normalise(id)
    } else {
        id.trim().to_owned()
    }
}

/// A program needs a line of its own: a list of people that holds for all is not meant for it.
fn is_welcome_program(policy: &Policy, inbound: &Inbound) -> bool {
    let (address, id) = (&inbound.address, inbound.person.id.trim());
    let here = |one: &&Entry| one.holds_at(address);
    let welcome = |one: &Entry| one.is_all() || one.names(id, address.platform);
    policy.bots.iter().filter(here).any(welcome)
}

/// Whether whoever comes this way has shown a token or a signature.
pub(crate) fn is_guarded(platform: Platform) -> bool {
    Platform::HOUSE.contains(&platform)
        || matches!(
            platform,
            Platform::ApiServer
                | Platform::Homeassistant
                | Platform::Webhook
                | Platform::MsgraphWebhook
        )
}

/// Whether everyone in the chat is let in.
pub(crate) fn is_open(policy: &Policy, address: &Address) -> bool {
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
