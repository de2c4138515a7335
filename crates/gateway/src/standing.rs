//! What somebody is to the gateway: the one place where settings and rows are asked about it.
//!
//! The door asks before it takes a message, and a turn asks before its agent gets tools, so whoever is let in, or not
//! any more, is met by that with their next message. What is decided, and from what, is `core::access`.

use std::sync::Arc;

use angelia_core::access::grant::Grant;
use angelia_core::access::rank::{self, rank};
use angelia_core::access::{self, Policy};
use angelia_core::address::Platform;
use angelia_core::inbound::Inbound;
use angelia_core::session::key::Sharing;
use angelia_core::toolset::Role;
use angelia_store::StoreError;
use angelia_store::turns::ClaimedTurn;

use crate::ground::Ground;

/// Who may speak, and as what.
#[derive(Clone)]
pub(crate) struct Standing {
    /// The common ground.
    pub(crate) ground: Ground,
    /// What the operator wrote down.
    pub(crate) policy: Arc<Policy>,
}

/// A sender, as far as rows know them.
pub(crate) struct Sender {
    /// What they were given.
    pub(crate) grant: Option<Grant>,
    /// What they are.
    pub(crate) role: Role,
}

impl Standing {
    /// Who has written the message. Those who came through a door of the house are in no rows.
    pub(crate) async fn sender(&self, inbound: &Inbound) -> Result<Sender, StoreError> {
        let (address, person) = (&inbound.address, inbound.person.id.trim());
        let grant = if Platform::HOUSE.contains(&address.platform) || person.is_empty() {
            None
        } else {
            let store = &self.ground.store;
            let held = store.grant_of(address.platform, &address.account, person);
            held.await?
        };
        let role = rank(&self.policy, address, person, grant.as_ref());
        Ok(Sender { grant, role })
    }

    /// Whether the message is taken.
    pub(crate) fn admits(&self, inbound: &Inbound, sender: &Sender) -> bool {
        access::decide(&self.policy, inbound, sender.grant.as_ref()).is_some()
    }

    /// The role whose tools a turn has.
    pub(crate) async fn of_turn(&self, claimed: &ClaimedTurn, sharing: Sharing) -> Role {
        let mut roles = Vec::with_capacity(claimed.batch.len());
        for waiting in &claimed.batch {
            let asked = || self.sender(&waiting.inbound);
            roles.push(self.ground.insist("standing", asked).await.role);
        }
        match claimed.batch.last() {
            // Nobody has asked for anything.
            None => Role::Guest,
            Some(last) => rank::of_turn(&self.policy, &last.inbound.address, sharing, roles),
        }
    }
}
