//! Which messages the settings lead to which agent.
//!
//! An agent says what it is `for`: places, each a platform or an account (`telegram`, `work`), or one chat
//! there (`telegram:12345`). The most specific entry counts: a chat before everything, and an account before
//! its platform. A chat that hangs on another is found by either, by its own id first. Where no entry
//! holds, a conversation of a profile is answered by the agent of the profile's name, if there is one.
//!
//! A message that asks for an agent by name is led nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use super::{AgentName, Led};
use crate::inbound::Inbound;

/// Where messages go that do not go to the main agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    names: BTreeSet<AgentName>,
    entries: BTreeMap<String, AgentName>,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It has no name of a place.
    #[error(
        "`{0}` names no place; write a platform or an account, or one chat there as `telegram:12345`"
    )]
    Form(String),
    /// Another agent has it.
    #[error("`{place}` is led to `{other}` already; a place has one agent")]
    Taken {
        /// The place.
        place: String,
        /// Who has it.
        other: AgentName,
    },
}

impl Routes {
    /// Adds an agent, which has no places yet.
    pub fn add(&mut self, name: AgentName) {
        self.names.insert(name);
    }

    /// Leads a place to an agent.
    ///
    /// # Errors
    /// What is wrong with the entry; it then leads nowhere.
    pub fn lead(&mut self, place: &str, to: &AgentName) -> Result<(), Wrong> {
        let place = place.trim();
        let (name, chat) = place.split_once(':').unwrap_or((place, "?"));
        if name.is_empty() || chat.is_empty() {
            return Err(Wrong::Form(place.to_owned()));
        }
        match self.entries.get(place) {
            Some(other) if other != to => Err(Wrong::Taken {
                place: place.to_owned(),
                other: other.clone(),
            }),
            Some(_) | None => {
                self.add(to.clone());
                self.entries.insert(place.to_owned(), to.clone());
                Ok(())
            }
        }
    }

    /// Where `inbound` is led; nothing for the main agent.
    pub fn decide(&self, inbound: &Inbound) -> Option<Led> {
        match &inbound.about.agent {
            Some(Led::Asked(name)) => Some(Led::Asked(name.clone())),
            Some(Led::Routed(_)) | None => {
                let found = self.by_place(inbound).or_else(|| self.by_profile(inbound));
                found.cloned().map(Led::Routed)
            }
        }
    }

    fn by_place(&self, inbound: &Inbound) -> Option<&AgentName> {
        if self.entries.is_empty() {
            return None;
        }
        let (address, about) = (&inbound.address, &inbound.about);
        let names = [address.account.0.as_str(), address.platform.name()];
        let chats = [Some(&address.chat.id), about.parent_chat.as_ref()];
        let chats = chats.into_iter().flatten();
        let whole = names.into_iter().map(str::to_owned);
        let mut places = chats
            .flat_map(|chat| names.map(|name| format!("{name}:{chat}")))
            .chain(whole);
        places.find_map(|place| self.entries.get(&place))
    }

    fn by_profile(&self, inbound: &Inbound) -> Option<&AgentName> {
        let profile = inbound.about.profile.as_ref()?;
        let same = |name: &&AgentName| name.as_str() == profile.as_str();
        self.names.iter().find(same)
    }
}

#[cfg(test)]
#[path = "routes_tests.rs"]
mod tests;
