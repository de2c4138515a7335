//! The part of the book about background processes: who began which, how it ended, and what was told.
//!
//! The rows decide what is to be told; whether it is, to whom and how often, the book finds out from what
//! comes through the door. Laws it holds while it is written: a message about a process goes to the place
//! and the person that began it; its end is told after it ended, if that is told at all, and not after a
//! completed turn has read it; its news are told in order, and before its end.

use std::collections::BTreeMap;

use angelia_core::id::{ProcessId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::process::watch::Notifications;
use angelia_core::process::{End, State};
use angelia_store::processes::Process;

use super::Spot;
use crate::sim::marks;

/// A process, as far as it is known.
#[derive(Debug, Clone)]
pub struct Known {
    /// Where it was begun.
    pub spot: Spot,
    /// For whom.
    pub person: String,
    /// Its row, as it was when something was last done with it.
    pub row: Process,
    /// What the rows said is to be told, by number. Of two updates only the later one must be.
    pub news: BTreeMap<u32, News>,
    /// The turns that have read its end, if nobody had before.
    pub read_by: Vec<TurnId>,
    /// How often its end came through the door and stayed.
    pub ends_told: u32,
}

/// Something that was to be told.
#[derive(Debug, Clone)]
pub struct News {
    /// Words that it has.
    pub words: String,
    /// Whether a later one may take its place.
    pub kind: Kind,
    /// How often it came through the door.
    pub told: u32,
}

/// Whether news may be left out for later ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// They may.
    Update,
    /// They may not.
    Kept,
}

/// All processes.
#[derive(Debug, Clone, Default)]
pub struct Processes(pub BTreeMap<ProcessId, Known>);

impl Known {
    /// How it ended, if that is told unless somebody has read it.
    pub fn told_end(&self) -> Option<&End> {
        let State::Ended(end) = &self.row.state else {
            return None;
        };
        let is_told = Notifications::All.tell_end(&self.row.watch, end);
        is_told.then_some(end)
    }
}

impl Processes {
    /// A process was begun.
    pub fn began(&mut self, row: Process) {
        let (address, person) = (&row.caller.address, &row.caller.person);
        let chat = marks::origin(&address.chat.id).to_owned();
        let spot = (address.account.clone(), chat);
        let person = person.id.clone();
        self.0.entry(row.id).or_insert_with(|| Known {
            spot,
            person,
            news: BTreeMap::new(),
            read_by: Vec::new(),
            ends_told: 0,
            row,
        });
    }

    /// Something was done with a process; this is it now.
    pub fn moved(&mut self, row: Process) {
        if let Some(known) = self.0.get_mut(&row.id) {
            known.row = row;
        }
    }

    /// The rows say that something is to be told.
    pub fn news(&mut self, id: ProcessId, number: u32, news: News) {
        if let Some(known) = self.0.get_mut(&id) {
            known.news.entry(number).or_insert(news);
        }
    }

    /// Whether some have not ended.
    pub fn are_living(&self) -> bool {
        let mut states = self.0.values().map(|known| &known.row.state);
        states.any(|state| !matches!(state, State::Ended(_)))
    }

    /// A turn has read the end of a process.
    pub fn read(&mut self, id: ProcessId, turn: TurnId) {
        if let Some(known) = self.0.get_mut(&id) {
            known.read_by.push(turn);
        }
    }

    /// The processes whose ends a turn has read.
    pub fn read_in(&self, turn: TurnId) -> Vec<ProcessId> {
        let known = self.0.iter();
        let read = known.filter(|(_, known)| known.read_by.contains(&turn));
        read.map(|(id, _)| *id).collect()
    }

    /// The message about an end was taken out of the inbox.
    pub fn taken_back(&mut self, id: ProcessId) {
        if let Some(known) = self.0.get_mut(&id) {
            known.ends_told -= 1;
        }
    }

    /// A message about a process was accepted. Returns the laws that this broke.
    pub fn told(
        &mut self,
        inbound: &Inbound,
        is_completed: impl Fn(TurnId) -> bool,
    ) -> Vec<String> {
        let Some(id) = inbound.event_key.told_process() else {
            return Vec::new();
        };
        let Some(known) = self.0.get_mut(&id) else {
            return vec![format!("told: nobody began {id}")];
        };
        let mut broken = Vec::new();
        let spot = (
            inbound.address.account.clone(),
            marks::origin(&inbound.address.chat.id).to_owned(),
        );
        if known.spot != spot || known.person != inbound.person.id {
            broken.push(format!("crossed: {spot:?} was told about {id}"));
        }
        if inbound.event_key == EventKey::end_of(id) {
            broken.extend(known.end_told(is_completed));
        } else {
            broken.extend(known.news_told(inbound));
        }
        broken
    }
}

impl Known {
    fn end_told(&mut self, is_completed: impl Fn(TurnId) -> bool) -> Option<String> {
        self.ends_told += 1;
        let id = self.row.id;
        let waits = |news: &News| news.kind == Kind::Kept && news.told == 0;
        if self.told_end().is_none() {
            return Some(format!("told: {id} is said to have ended"));
        }
        if self.ends_told > 1 {
            return Some(format!("doubled: the end of {id} was told again"));
        }
        if self.news.values().any(waits) {
            return Some(format!("order: the end of {id} was told before its news"));
        }
        let mut readers = self.read_by.iter();
        let read = readers.find(|turn| is_completed(**turn))?;
        Some(format!("told: {read} has read the end of {id}"))
    }

    fn news_told(&mut self, inbound: &Inbound) -> Option<String> {
        let id = self.row.id;
        let number = |number: &&u32| inbound.event_key == EventKey::news_of(id, **number);
        let Some(number) = self.news.keys().find(number).copied() else {
            return Some(format!("told: {id} has no such news: {}", inbound.text));
        };
        let later = self.news.range(number + 1..).any(|(_, news)| news.told > 0);
        let news = self.news.get_mut(&number)?;
        news.told += 1;
        if news.told > 1 {
            return Some(format!("doubled: news {number} of {id} were told again"));
        }
        if later || self.ends_told > 0 {
            return Some(format!("order: news {number} of {id} were told too late"));
        }
        let has_words = inbound.text.contains(&news.words);
        (!has_words).then(|| format!("told: news {number} of {id} have other words"))
    }
}
