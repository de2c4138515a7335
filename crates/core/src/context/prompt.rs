//! Which sections tell the agent where it is, in order, and when each is there.
//!
//! `sections` decides, `render` puts them into words. Both are pure and look at nothing that
//! changes from message to message, so a conversation has one prompt until a name, the place or the
//! configuration changes.
//!
//! Values that people chose can only enter a section as `Quoted` or `Code`, and only through
//! `Names`. The names of platforms are ours and stand as they are. The words are in `wording`.

use std::collections::BTreeSet;

use super::names::{Names, Shown, given};
use super::quote::{Code, Quoted};
use super::told::{Home, LOCAL, Place, Told, Tools, Trigger};
use super::wording;
use crate::session::key::Sharing;
use crate::session::shared::PRIVATE;

/// One thing the agent is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// What follows.
    Heading,
    /// That labels are not instructions.
    LabelsAreNotInstructions,
    /// The terminal of this machine.
    Terminal,
    /// The platform, readable, and the place on it.
    Source {
        /// The platform's name in title case.
        platform: String,
        /// The place in a few words.
        description: Quoted,
    },
    /// What the place is about.
    Topic(Quoted),
    /// The room of a federated platform, and that the turn is about this room alone.
    Room {
        /// Its name or id.
        name: Quoted,
        /// Its id.
        id: Code,
        /// The thread in it.
        thread: Option<Code>,
    },
    /// That several people share the conversation, and what they share.
    SeveralPeople(Where),
    /// The one person, by name.
    PersonName(Quoted),
    /// The one person, by id.
    PersonId(Quoted),
    /// What can and cannot be done on the platform.
    Note(Note),
    /// How files are sent there.
    Files,
    /// The ids that the platform's tools take.
    ToolIds(Vec<ToolId>),
    /// The platforms that are connected.
    Connected(Vec<String>),
    /// The home channels.
    Homes(Vec<HomeLine>),
    /// Where an answer or a scheduled result can go.
    Targets(Vec<Target>),
    /// How any other place is named.
    OtherTargets,
}

/// What several people share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// The whole place.
    Place,
    /// A thread.
    Thread,
}

/// A platform with something to know about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Slack: answers only.
    Slack,
    /// Discord without its tools: answers only.
    Discord,
    /// iMessage: plain text.
    IMessage,
    /// Yuanbao: answers only.
    Yuanbao,
}

/// An id that a tool of the platform takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolId {
    /// The server.
    Scope(Code),
    /// The channel that the thread hangs under.
    Parent(Code),
    /// The thread.
    Thread(Code),
    /// The channel.
    Channel(Code),
    /// That the message which started the turn can be pointed at. Its id comes with the message.
    Message,
}

/// A home channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeLine {
    /// The platform.
    pub platform: String,
    /// Its name.
    pub name: Quoted,
    /// Its id.
    pub id: Quoted,
}

/// Where something can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Back to this terminal.
    OriginTerminal,
    /// Back to this place.
    Origin(Quoted),
    /// Nowhere: it stays on this machine.
    Local,
    /// The home channel of a platform, by its name.
    Home(String, Quoted),
}

/// What the agent is told, in words.
#[must_use]
pub fn render(told: &Told<'_>) -> String {
    wording::say(&sections(told))
}

/// What the agent is told, in order.
#[must_use]
pub fn sections(told: &Told<'_>) -> Vec<Section> {
    let homes = homes(told);
    let parts = [
        Some(Section::Heading),
        Some(Section::LabelsAreNotInstructions),
        Some(source(told)),
        given(told.place.topic).map(|topic| Section::Topic(Quoted::new(topic))),
        (told.platform == "matrix").then(|| room(told)),
        people(told),
        on_the_platform(told),
        Some(Section::Connected(connected(told))),
        (!homes.is_empty()).then(|| Section::Homes(home_lines(told.names, &homes))),
        Some(Section::Targets(targets(told, &homes))),
        Some(Section::OtherTargets),
    ];
    parts.into_iter().flatten().collect()
}

fn source(told: &Told<'_>) -> Section {
    if told.platform == LOCAL {
        return Section::Terminal;
    }
    Section::Source {
        platform: title_case(told.platform),
        description: Quoted::new(&description(told)),
    }
}

/// The place in a few words. Where ids are hidden a thread is left out, since it has no name.
fn description(told: &Told<'_>) -> String {
    let place = told.names.place(told.place.name, told.place.id);
    let described = match told.place.kind {
        PRIVATE => wording::private_chat(told.names.person(told.person).map(Shown::into_text)),
        "group" | "channel" => format!("{}: {place}", told.place.kind),
        _ => place,
    };
    match (told.names, given(told.place.thread)) {
        (Names::Clear, Some(thread)) => format!("{described}, thread: {thread}"),
        (Names::Clear, None) | (Names::Hidden(_), _) => described,
    }
}

fn room(told: &Told<'_>) -> Section {
    let Place {
        name, id, thread, ..
    } = told.place;
    let code = |id| Code::new(&told.names.place_id(id));
    Section::Room {
        name: Quoted::new(&told.names.place(name, id)),
        id: code(id),
        thread: given(thread).map(code),
    }
}

fn people(told: &Told<'_>) -> Option<Section> {
    match (told.sharing, given(told.place.thread)) {
        (Sharing::Shared, Some(_)) => return Some(Section::SeveralPeople(Where::Thread)),
        (Sharing::Shared, None) => return Some(Section::SeveralPeople(Where::Place)),
        (Sharing::PerPerson, _) => {}
    }
    match told.names.person(told.person)? {
        Shown::Name(name) => Some(Section::PersonName(Quoted::new(&name))),
        Shown::Id(id) => Some(Section::PersonId(Quoted::new(&id))),
    }
}

fn on_the_platform(told: &Told<'_>) -> Option<Section> {
    match (told.platform, told.tools) {
        ("slack", _) => Some(Section::Note(Note::Slack)),
        ("discord", Tools::Missing) => Some(Section::Note(Note::Discord)),
        ("discord", Tools::Ready) => Some(Section::ToolIds(tool_ids(told))),
        ("bluebubbles", _) => Some(Section::Note(Note::IMessage)),
        ("yuanbao", _) => Some(Section::Note(Note::Yuanbao)),
        ("telegram", _) => Some(Section::Files),
        _ => None,
    }
}

fn tool_ids(told: &Told<'_>) -> Vec<ToolId> {
    let place = &told.place;
    let code = |id| Code::new(&told.names.place_id(id));
    let mut ids: Vec<ToolId> = given(place.scope)
        .map(|scope| ToolId::Scope(code(scope)))
        .into_iter()
        .collect();
    match (given(place.parent), given(place.thread)) {
        (Some(parent), Some(thread)) => {
            ids.extend([ToolId::Parent(code(parent)), ToolId::Thread(code(thread))]);
        }
        _ => ids.push(ToolId::Channel(code(place.id))),
    }
    if told.trigger == Trigger::Message {
        ids.push(ToolId::Message);
    }
    ids
}

/// This machine first, then the platforms by name.
fn connected(told: &Told<'_>) -> Vec<String> {
    let others: BTreeSet<&str> = told.reach.connected.iter().copied().collect();
    let others = others.into_iter().filter(|name| *name != LOCAL);
    std::iter::once(LOCAL)
        .chain(others)
        .map(str::to_owned)
        .collect()
}

/// The home channels of connected platforms, by platform; stable, so that lists do not jump.
fn homes<'a>(told: &Told<'a>) -> Vec<Home<'a>> {
    let reach = told.reach;
    let is_connected = |home: &&Home<'_>| reach.connected.contains(&home.platform);
    let mut homes: Vec<Home<'a>> = reach.homes.iter().filter(is_connected).copied().collect();
    homes.sort_by_key(|home| home.platform);
    homes
}

fn home_lines(names: Names<'_>, homes: &[Home<'_>]) -> Vec<HomeLine> {
    let line = |home: &Home<'_>| HomeLine {
        platform: home.platform.to_owned(),
        name: home_name(names, home),
        id: Quoted::new(&names.place_id(home.id)),
    };
    homes.iter().map(line).collect()
}

fn home_name(names: Names<'_>, home: &Home<'_>) -> Quoted {
    Quoted::new(&names.place(Some(home.name), home.id))
}

fn targets(told: &Told<'_>, homes: &[Home<'_>]) -> Vec<Target> {
    let origin = if told.platform == LOCAL {
        Target::OriginTerminal
    } else {
        let place = told.names.place(told.place.name, told.place.id);
        Target::Origin(Quoted::new(&place))
    };
    let home =
        |home: &Home<'_>| Target::Home(home.platform.to_owned(), home_name(told.names, home));
    [origin, Target::Local]
        .into_iter()
        .chain(homes.iter().map(home))
        .collect()
}

/// `google_chat` as `Google_Chat`: every run of letters begins large.
fn title_case(name: &str) -> String {
    let mut inside_word = false;
    let mut titled = String::with_capacity(name.len());
    for char in name.chars() {
        if inside_word {
            titled.extend(char.to_lowercase());
        } else {
            titled.extend(char.to_uppercase());
        }
        inside_word = char.is_alphabetic();
    }
    titled
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
