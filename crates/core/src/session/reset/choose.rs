//! Which policy applies where: the most specific entry wins.
//!
//! `telegram.group` (a platform and a kind of chat) before `telegram` (a platform) before `group` (a
//! kind of chat) before the policy for everywhere. One entry applies as a whole; what it leaves out
//! it takes from the policy for everywhere, not from the other entries, so that each entry can be
//! read alone.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::policy::{Fault, Mode, Reading, ResetPolicy, Written};
use crate::address::ChatKind;

/// The policy of every place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResetPolicies {
    everywhere: ResetPolicy,
    entries: BTreeMap<String, ResetPolicy>,
}

/// What is wrong, and in which policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The entry's name; nothing for the policy for everywhere.
    pub entry: Option<String>,
    /// What is wrong in it.
    pub what: Wrong,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// Its name names no place; the platforms that exist are listed.
    #[error(
        "this names no place; write a platform ({0}), a kind of chat ({kinds}), or `platform.kind`",
        kinds = kinds()
    )]
    Place(String),
    /// A value in it.
    #[error(transparent)]
    Value(#[from] Fault),
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            None => write!(out, "sessions.reset: {}", self.what),
            Some(entry) => write!(out, "sessions.reset_for.\"{entry}\": {}", self.what),
        }
    }
}

impl ResetPolicies {
    /// Reads the policy for everywhere and the entries on top of it. `platforms` are the names that
    /// exist. An entry that names no place is reported and left out.
    pub fn read(
        everywhere: &Written,
        entries: &BTreeMap<String, Written>,
        platforms: &[&str],
    ) -> Reading<Self, Problem> {
        let Reading { value, problems } = everywhere.over(&ResetPolicy::default(), platforms);
        let mut problems: Vec<_> = problems
            .into_iter()
            .map(|fault| blame(None, fault))
            .collect();
        let mut policies = Self {
            everywhere: value,
            entries: BTreeMap::new(),
        };
        for (name, written) in entries {
            if !is_place(name, platforms) {
                problems.push(blame(Some(name), Wrong::Place(platforms.join(", "))));
                continue;
            }
            let read = written.over(&policies.everywhere, platforms);
            problems.extend(
                read.problems
                    .into_iter()
                    .map(|fault| blame(Some(name), fault)),
            );
            policies.entries.insert(name.clone(), read.value);
        }
        Reading {
            value: policies,
            problems,
        }
    }

    /// Whether there is a place where conversations begin anew by themselves.
    pub fn ever_reset(&self) -> bool {
        let mut all = self.entries.values().chain([&self.everywhere]);
        all.any(|policy| policy.mode != Mode::None)
    }

    /// The policy of a place, by the names of its platform and its kind of chat. A name that is
    /// empty or unknown has no entry.
    pub fn at(&self, platform: &str, chat_kind: &str) -> &ResetPolicy {
        most_specific(&self.entries, platform, chat_kind).unwrap_or(&self.everywhere)
    }
}

fn blame(entry: Option<&String>, what: impl Into<Wrong>) -> Problem {
    Problem {
        entry: entry.cloned(),
        what: what.into(),
    }
}

/// The entry that holds at a place: that of its platform and kind of chat together, of its platform, or of its
/// kind of chat.
pub(crate) fn most_specific<'a, T>(
    entries: &'a BTreeMap<String, T>,
    platform: &str,
    chat_kind: &str,
) -> Option<&'a T> {
    if entries.is_empty() {
        return None;
    }
    let both = format!("{platform}.{chat_kind}");
    let names = [both.as_str(), platform, chat_kind];
    names.into_iter().find_map(|name| entries.get(name))
}

/// Whether an entry can have this name: that of one of the platforms, of a kind of chat, or both.
pub fn is_place(name: &str, platforms: &[&str]) -> bool {
    let is_kind = |kind: &str| ChatKind::from_str(kind).is_ok();
    match name.split_once('.') {
        Some((platform, kind)) => platforms.contains(&platform) && is_kind(kind),
        None => platforms.contains(&name) || is_kind(name),
    }
}

fn kinds() -> String {
    ChatKind::ALL.map(ChatKind::name).join(", ")
}

#[cfg(test)]
#[path = "choose_tests.rs"]
mod tests;
