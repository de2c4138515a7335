//! What happens in which place to those who write while an answer is being made.
//!
//! Three things are chosen: what a message does to the running turn, whether its sender is told so, and whether
//! messages that a person writes right behind each other are answered together. Each is taken from the most
//! specific place that says something, else from what holds everywhere.
//!
//! On the terminal, the console and the HTTP interface the state of every message is shown anyway, and programs
//! wait for one reply to each: there nobody is told and each message is answered by itself, unless
//! somebody chose otherwise for that very place.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::busy::Mode;
use crate::address::{Address, Platform};

/// Where the state of a message is shown anyway, or programs write and not people.
const SHOWS_ITSELF: [Platform; 6] = [
    Platform::Local,
    Platform::Web,
    Platform::Api,
    Platform::ApiServer,
    Platform::Webhook,
    Platform::MsgraphWebhook,
];

/// Whether somebody who writes meanwhile is told what becomes of the message; and whoever waits, that the gateway
/// goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acks {
    /// They are, from time to time.
    Told,
    /// They are not.
    Silent,
}

/// Whether messages that come right behind each other are answered together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gathering {
    /// They are.
    Together,
    /// Each is answered by itself.
    Apart,
}

/// What holds in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// What a message does to the running turn.
    pub mode: Mode,
    /// Whether its sender is told.
    pub acks: Acks,
    /// Whether it is answered together with its neighbours.
    pub gathering: Gathering,
}

/// What somebody chose; nothing for what they left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chosen {
    /// What a message does to the running turn.
    pub mode: Option<Mode>,
    /// Whether its sender is told.
    pub acks: Option<Acks>,
    /// Whether it is answered together with its neighbours.
    pub gathering: Option<Gathering>,
}

/// What was chosen, everywhere and for places of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manners {
    /// Where no place says otherwise.
    pub everywhere: Chosen,
    /// By platform (`telegram`), by kind of chat (`group`), or by both (`telegram.group`).
    pub places: BTreeMap<String, Chosen>,
}

impl Manners {
    /// What holds at an address.
    pub fn at(&self, address: &Address) -> Manner {
        let (platform, kind) = (address.platform.name(), address.chat.kind.name());
        let both = format!("{platform}.{kind}");
        let names = [both.as_str(), platform, kind];
        let chosen: Vec<&Chosen> = names
            .iter()
            .filter_map(|name| self.places.get(*name))
            .collect();
        let (acks, gathering) = match SHOWS_ITSELF.contains(&address.platform) {
            true => (None, None),
            false => (
                self.everywhere.acks.or(Some(Acks::Told)),
                self.everywhere.gathering.or(Some(Gathering::Together)),
            ),
        };
        Manner {
            mode: first(&chosen, |one| one.mode)
                .or(self.everywhere.mode)
                .unwrap_or_default(),
            acks: first(&chosen, |one| one.acks)
                .or(acks)
                .unwrap_or(Acks::Silent),
            gathering: first(&chosen, |one| one.gathering)
                .or(gathering)
                .unwrap_or(Gathering::Apart),
        }
    }
}

impl From<Mode> for Manners {
    fn from(mode: Mode) -> Self {
        Self {
            everywhere: Chosen {
                mode: Some(mode),
                ..Chosen::default()
            },
            places: BTreeMap::new(),
        }
    }
}

fn first<T>(chosen: &[&Chosen], of: impl Fn(&Chosen) -> Option<T>) -> Option<T> {
    chosen.iter().find_map(|one| of(one))
}

#[cfg(test)]
#[path = "manners_tests.rs"]
mod tests;
