//! What changes a place at once: groups that become others, and a chat in which more is written than can wait there.

use angelia_core::address::AccountId;
use angelia_core::limits;

use super::{Incident, Play};
use crate::sim::habits::{Crowd, Moves};
use crate::sim::people;
use crate::sim::world::{self, Written};

/// A change of a place.
pub(super) enum Upheaval {
    /// The group of an account becomes another one.
    Becomes(AccountId),
    /// So many messages are written at once, like this one.
    Crowd(Written, u64),
}

impl Play {
    /// When that happens, within the span in which people write.
    pub(super) fn upheavals(&self, span: u64) -> Vec<(u64, Incident)> {
        let mut dice = self.dice.split("upheavals");
        let [one, other, _] = world::accounts();
        let mut list = Vec::new();
        if self.plan.habits.moves == Moves::Once {
            let moved =
                [one, other].map(|account| (dice.number(0..span), Upheaval::Becomes(account)));
            list.extend(moved);
        }
        if self.plan.habits.crowd == Crowd::Once {
            let written = Written {
                account: world::accounts()[dice.number(0..2) as usize].clone(),
                chat: people::chat(&self.plan, dice.number(0..self.plan.chats as u64)),
                number: 0,
                command: None,
            };
            let many = limits::WAITING_PER_SESSION as u64 + dice.number(5..25);
            list.push((dice.number(0..span), Upheaval::Crowd(written, many)));
        }
        let timed = list.into_iter();
        timed
            .map(|(at, upheaval)| (at, Incident::Upheaval(upheaval)))
            .collect()
    }

    pub(super) fn upheaves(&self, upheaval: Upheaval) {
        match upheaval {
            Upheaval::Becomes(account) => {
                let chat = people::chat(&self.plan, 0);
                self.world.becomes(&account, &chat);
            }
            Upheaval::Crowd(written, many) => self.world.crowds(&written, many),
        }
    }
}
