//! Which ids are one person, and by which of them their conversations are found.
//!
//! Each id that was ever part of a session key has a row: the alias, the primary that stands for
//! the person in keys, and since when the alias is known. The rows are flat: a primary is its own
//! primary. The store keeps them; here is only what they mean and how they change.
//!
//! Flow, when a message arrives: [`Aliases::primary`] names the person in the key, and
//! [`Aliases::meet`] gives the row of an id that is used for the first time. When the platform says
//! that two ids are one person: [`Aliases::learn`] gives the rows to write, over rows of the same
//! alias.
//!
//! A primary never changes because a shorter or otherwise nicer id becomes known: the new id joins
//! it, and the conversation goes on. Only when two people who both have a primary already turn out to
//! be one must one primary give way. The older one wins; from then on all their ids lead to its
//! conversations. Those under the other primary are not moved and not lost: they keep their rows and
//! are reached by resuming them.
//!
//! To decide about a pair of ids the store needs the rows of both and every row that has the primary
//! of one of them. It does not need the others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::normalise;
use crate::time::Timestamp;

/// One row: an id, normalised, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The id.
    pub alias: String,
    /// The id that stands for the person in keys.
    pub primary: String,
    /// Since when the id is known.
    pub since: Timestamp,
}

/// A view of rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aliases(BTreeMap<String, Alias>);

impl Aliases {
    /// The view of these rows.
    pub fn of(rows: impl IntoIterator<Item = Alias>) -> Self {
        let named = |row: Alias| (row.alias.clone(), row);
        Self(rows.into_iter().map(named).collect())
    }

    /// Writes rows over those of the same alias, as the store does.
    pub fn write(&mut self, rows: impl IntoIterator<Item = Alias>) {
        self.0.extend(Self::of(rows).0);
    }

    /// The id that stands for the person in keys: of an unknown one it is itself, normalised.
    #[must_use]
    pub fn primary(&self, id: &str) -> String {
        let id = normalise(id);
        match self.0.get(&id) {
            Some(row) => row.primary.clone(),
            None => id,
        }
    }

    /// The row of an id that is used in a key for the first time; nothing if it has one. Without it
    /// nobody could tell later that conversations were found by this id.
    #[must_use]
    pub fn meet(&self, id: &str, now: Timestamp) -> Option<Alias> {
        let id = normalise(id);
        let is_new = is_followed(&id) && !self.0.contains_key(&id);
        is_new.then(|| row(&id, &id, now))
    }

    /// The rows to write when `one` and `other` turn out to be the same person.
    #[must_use]
    pub fn learn(&self, one: &str, other: &str, now: Timestamp) -> Vec<Alias> {
        let (one, other) = (normalise(one), normalise(other));
        if one == other || !is_followed(&one) || !is_followed(&other) {
            return Vec::new();
        }
        match (self.0.get(&one), self.0.get(&other)) {
            (None, None) => {
                let primary = std::cmp::min_by_key(&one, &other, |id| plainness(id));
                vec![row(&one, primary, now), row(&other, primary, now)]
            }
            (Some(known), None) => vec![row(&other, &known.primary, now)],
            (None, Some(known)) => vec![row(&one, &known.primary, now)],
            (Some(known), Some(too)) => self.merge(&known.primary, &too.primary),
        }
    }

    /// Every id of the younger primary, with the older one as its primary.
    fn merge(&self, one: &str, other: &str) -> Vec<Alias> {
        if one == other {
            return Vec::new();
        }
        let is_first = self.age(one) <= self.age(other);
        let (winner, loser) = if is_first { (one, other) } else { (other, one) };
        let joins = |row: &&Alias| row.primary == loser;
        let joined = |known: &Alias| row(&known.alias, winner, known.since);
        self.0.values().filter(joins).map(joined).collect()
    }

    /// What an older primary has less of. Of two that are known equally long the plainer one wins, so
    /// that it does not matter who is named first.
    fn age<'a>(&self, primary: &'a str) -> (Timestamp, (usize, &'a str)) {
        let since = self.0.get(primary).map(|row| row.since);
        (since.unwrap_or_default(), plainness(primary))
    }
}

fn row(alias: &str, primary: &str, since: Timestamp) -> Alias {
    Alias {
        alias: alias.to_owned(),
        primary: primary.to_owned(),
        since,
    }
}

fn plainness(id: &str) -> (usize, &str) {
    (id.len(), id)
}

/// Whether this can be anyone's id. An id with characters that WhatsApp does not use is a person of
/// its own: whoever can make up such ids must not be able to become somebody else with them.
fn is_followed(id: &str) -> bool {
    let is_used = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'.' || sign == b'-';
    !id.is_empty() && id.bytes().all(is_used)
}

#[cfg(test)]
#[path = "aliases_tests.rs"]
mod tests;
