//! Which profile a message goes to, by rules that the configuration names.
//!
//! Flow: rules are read once and checked; a rule that cannot be right is a problem that the
//! configuration does not start with and an import shows. For each message [`Multiplexing::profile`]
//! chooses: nothing while there is one agent for all, else what the adapter set already, else the
//! first rule that holds, else the profile that is active.
//!
//! A rule holds when everything that it names holds. More specific rules come first: a thread counts
//! more than a chat, a chat more than a server. Among equals the order of the configuration decides.
//!
//! Whether a profile of that name exists is not known here.

use std::cmp::Reverse;
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use super::{BadProfile, Profile};
use crate::address::{Platform, UnknownName};
use crate::inbound::Inbound;
use crate::session::reset::policy::Reading;

/// Whether several profiles share one gateway.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Multiplexing {
    /// One agent has all conversations.
    #[default]
    Off,
    /// Each profile has its own.
    On {
        /// Which messages go to which.
        rules: Rules,
        /// Where the others go.
        active: Option<Profile>,
    },
}

impl Multiplexing {
    /// The profile that `inbound` goes to; nothing for the main one.
    pub fn profile<'a>(&'a self, inbound: &'a Inbound) -> Option<&'a Profile> {
        match self {
            Self::Off => None,
            Self::On { rules, active } => inbound
                .about
                .profile
                .as_ref()
                .or_else(|| rules.choose(&Spot::of(inbound)).map(Rule::profile))
                .or(active.as_ref()),
        }
    }
}

/// The checked rules, most specific first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules(Vec<Rule>);

/// One checked rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    name: Option<String>,
    platform: Platform,
    profile: Profile,
    scope: Option<String>,
    chat: Option<String>,
    thread: Option<String>,
    enabled: bool,
}

/// What rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot<'a> {
    /// The kind of chat system.
    pub platform: Platform,
    /// The server or workspace.
    pub scope: Option<&'a str>,
    /// The place.
    pub chat: &'a str,
    /// The thread in it.
    pub thread: Option<&'a str>,
    /// The chat that the place hangs on.
    pub parent: Option<&'a str>,
}

impl<'a> Spot<'a> {
    /// Where `inbound` was written.
    pub fn of(inbound: &'a Inbound) -> Self {
        let Inbound { address, about, .. } = inbound;
        Self {
            platform: address.platform,
            scope: about.scope.as_deref(),
            chat: &address.chat.id,
            thread: address.thread.as_deref(),
            parent: about.parent_chat.as_deref(),
        }
    }
}

impl Rules {
    /// Reads rules as they were written. What is wrong with one is reported, and the rule left out.
    pub fn read(written: &[Value]) -> Reading<Self, Problem> {
        let (mut rules, mut problems) = (Vec::new(), Vec::new());
        for (place, value) in written.iter().enumerate() {
            match rule(value) {
                Ok(rule) => rules.push(rule),
                Err(what) => problems.push(Problem {
                    place: place + 1,
                    what,
                }),
            }
        }
        rules.sort_by_key(|rule| Reverse(rule.specificity()));
        Reading {
            value: Self(rules),
            problems,
        }
    }

    /// The first rule that holds at `spot`.
    pub fn choose(&self, spot: &Spot<'_>) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.holds(spot))
    }

    /// The rules in the order in which they are tried.
    pub fn in_order(&self) -> &[Rule] {
        &self.0
    }
}

impl Rule {
    /// What people call it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Where it leads.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How much it names: a thread outweighs everything else together, a chat a server.
    pub fn specificity(&self) -> u8 {
        let weight = |named: &Option<String>, points| if named.is_some() { points } else { 0 };
        weight(&self.scope, 2) + weight(&self.chat, 4) + weight(&self.thread, 8)
    }

    fn holds(&self, spot: &Spot<'_>) -> bool {
        let is_met = |named: &Option<String>, found: &[Option<&str>]| match named {
            None => true,
            Some(named) => found.contains(&Some(named)),
        };
        self.enabled
            && self.platform == spot.platform
            && is_met(&self.scope, &[spot.scope])
            && is_met(&self.chat, &[Some(spot.chat), spot.parent])
            && is_met(&self.thread, &[spot.thread])
    }
}

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which rule, counted from one.
    pub place: usize,
    /// What is wrong with it.
    pub what: Wrong,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "profile rule {}: {}", self.place, self.what)
    }
}

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It has not the form of a rule.
    #[error(
        "{0}; write `platform`, `profile` and, to narrow it, `scope`, `chat`, `thread`, `enabled`"
    )]
    Form(String),
    /// No such platform.
    #[error("`platform`: {0}; write the name of a platform, such as `telegram`")]
    Platform(#[from] UnknownName),
    /// No name of a profile.
    #[error("`profile`: {0}")]
    Profile(#[from] BadProfile),
    /// A constraint that nothing can meet.
    #[error("`{0}` is empty; leave it out if it does not matter")]
    Empty(&'static str),
}

/// A rule as it was written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Written {
    name: Option<String>,
    platform: String,
    profile: String,
    scope: Option<Id>,
    chat: Option<Id>,
    thread: Option<Id>,
    #[serde(default = "yes")]
    enabled: bool,
}

/// An id. People write those that are numbers as numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

fn yes() -> bool {
    true
}

fn rule(value: &Value) -> Result<Rule, Wrong> {
    let written = Written::deserialize(value).map_err(|why| Wrong::Form(why.to_string()))?;
    Ok(Rule {
        name: written.name,
        platform: written.platform.parse()?,
        profile: written.profile.parse()?,
        scope: id("scope", written.scope)?,
        chat: id("chat", written.chat)?,
        thread: id("thread", written.thread)?,
        enabled: written.enabled,
    })
}

fn id(field: &'static str, written: Option<Id>) -> Result<Option<String>, Wrong> {
    match written {
        None => Ok(None),
        Some(Id::Number(number)) => Ok(Some(number.to_string())),
        Some(Id::Text(text)) if text.is_empty() => Err(Wrong::Empty(field)),
        Some(Id::Text(text)) => Ok(Some(text)),
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
