//! What was found in a command, gathered while it is read, and where it would be by then.

use std::collections::BTreeSet;

use super::category::Category;
use super::path::Path;
use super::places::Places;
use super::reason::Reason;

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    reasons: BTreeSet<Reason>,
    categories: BTreeSet<Category>,
    password: Password,
    said: Vec<String>,
    /// Characters read so far.
    work: usize,
    /// Where the command may be.
    places: Places,
}

/// Where sudo would take a password from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Password {
    #[default]
    NotAsked,
    StandardInput,
}

impl Findings {
    /// Nothing yet, about a command that begins in this directory.
    pub(super) fn beginning_in(directory: &str) -> Self {
        Self {
            places: Places::beginning_in(directory),
            ..Self::default()
        }
    }

    /// What a word names as a path, in each directory in which the command may be.
    pub(super) fn paths(&self, text: &str) -> Vec<Path> {
        let places = self.places.all();
        places.map(|place| Path::read_in(place, text)).collect()
    }

    /// Where the command may be by now.
    pub(super) fn places(&mut self) -> &mut Places {
        &mut self.places
    }

    /// Notes why it is never run.
    pub(super) fn refuse(&mut self, reason: Reason) {
        self.reasons.insert(reason);
    }

    /// Notes what a person is asked about.
    pub(super) fn ask(&mut self, category: Category) {
        self.categories.insert(category);
    }

    /// Notes that sudo is handed a password.
    pub(super) fn hands_password(&mut self) {
        self.password = Password::StandardInput;
    }

    /// Notes a single command, for the rules of the operator.
    pub(super) fn say(&mut self, command: String) {
        self.said.push(command);
    }

    /// Counts what is read, and says how much it was.
    pub(super) fn spend(&mut self, chars: usize) -> usize {
        self.work += chars;
        self.work
    }

    /// Takes over what was found in a command that runs on another machine: nothing there is ours, so
    /// what would be refused here is asked about.
    pub(super) fn adopt(&mut self, remote: Self) {
        for reason in remote.reasons {
            match reason.elsewhere() {
                Some(category) => self.ask(category),
                None => self.refuse(reason),
            }
        }
        self.categories.extend(remote.categories);
        self.said.extend(remote.said);
        self.work = remote.work;
    }

    /// Takes over what was found in another reading of the same command; whether that could be read does
    /// not matter.
    pub(super) fn join(&mut self, other: Self) {
        let reasons = other.reasons.into_iter();
        self.reasons
            .extend(reasons.filter(|reason| *reason != Reason::Malformed));
        self.categories.extend(other.categories);
        self.said.extend(other.said);
        if other.password == Password::StandardInput {
            self.hands_password();
        }
    }

    /// Findings for another machine, which go on counting.
    pub(super) fn elsewhere(&self) -> Self {
        Self {
            work: self.work,
            ..Self::default()
        }
    }

    /// The gravest reason to refuse.
    pub(super) fn reason(&self) -> Option<Reason> {
        self.reasons.first().copied()
    }

    pub(super) fn guesses_password(&self) -> bool {
        self.password == Password::StandardInput
    }

    pub(super) fn is_harmless(&self) -> bool {
        self.reasons.is_empty() && self.categories.is_empty()
    }

    /// The single commands that were read.
    pub(super) fn said(&self) -> &[String] {
        &self.said
    }

    pub(super) fn into_categories(self) -> Vec<Category> {
        self.categories.into_iter().collect()
    }
}
