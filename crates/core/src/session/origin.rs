//! Where a conversation began: the source of its first message.
//!
//! It is written once and never changed, also when other places are led to the conversation later.

use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::address::{Address, Person};
use crate::inbound::Inbound;

/// The source of a conversation's first message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Where it was written.
    pub address: Address,
    /// Who wrote it.
    pub person: Person,
    /// What else was known.
    #[serde(default, skip_serializing_if = "About::is_unwritten")]
    pub about: About,
}

impl Origin {
    /// The source of a message.
    pub fn of(inbound: &Inbound) -> Self {
        Self {
            address: inbound.address.clone(),
            person: inbound.person.clone(),
            about: inbound.about.clone(),
        }
    }
}
