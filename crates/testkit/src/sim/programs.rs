//! Programs that answer for agents, as they are on their machines: they outlive every gateway.
//!
//! A program hears prompts, each for one turn. Laws that are held here: no name is used for two of them, and
//! whoever is prompted for a turn that a program has heard of before is told so.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::id::TurnId;
use angelia_core::link::Before;

/// A program: the home of the node that holds it, and its name there.
pub type Name = (String, String);

/// All programs.
#[derive(Debug, Default)]
pub struct Programs {
    /// Those that run, and the turns that each has heard of.
    running: BTreeMap<Name, BTreeSet<TurnId>>,
    /// Every name that was ever used.
    used: BTreeSet<Name>,
    /// Every turn that some program has heard of.
    prompted: BTreeSet<TurnId>,
}

impl Programs {
    /// One is started. Returns the law that this broke.
    pub fn start(&mut self, name: &Name) -> Option<String> {
        self.running.insert(name.clone(), BTreeSet::new());
        let is_new = self.used.insert(name.clone());
        (!is_new).then(|| format!("program: {name:?} was started twice"))
    }

    /// One ends.
    pub fn end(&mut self, name: &Name) {
        self.running.remove(name);
    }

    /// Whether it runs.
    pub fn runs(&self, name: &Name) -> bool {
        self.running.contains_key(name)
    }

    /// Whether it has heard of the turn.
    pub fn has_heard(&self, name: &Name, turn: TurnId) -> bool {
        let turns = self.running.get(name);
        turns.is_some_and(|turns| turns.contains(&turn))
    }

    /// One is prompted for a turn. Returns the law that this broke.
    pub fn prompt(&mut self, name: &Name, turn: TurnId, before: Before) -> Option<String> {
        if let Some(turns) = self.running.get_mut(name) {
            turns.insert(turn);
        }
        let is_first = self.prompted.insert(turn);
        (!is_first && before == Before::Unasked)
            .then(|| format!("program: {turn} was prompted twice, and nobody said so"))
    }
}
