//! What somebody is once they are let in, and which commands they may use.
//!
//! Whoever runs the gateway is named in a list, was given that by somebody, or came through a door of the house.
//! Whoever is let in by their own name is a member. Whoever is let in for the place that they write in, or
//! because everyone is, is a guest: nobody knows who that will be tomorrow.
//!
//! ```text
//! no list of operators here   everyone may use every command that is not an operator's alone
//! a list                      operators all, the others those that are listed, and always start, help, whoami and answer
//! ```
//!
//! The decision rests on rows and settings that are still there when a turn is taken up again, never on what an
//! adapter saw once. Which tools a role has is `toolset`'s to say.

use std::collections::BTreeSet;

use super::grant::Grant;
use super::{Entry, Policy, is_guarded, is_open};
use crate::address::{Address, ChatKind};
use crate::command::{self, Who};
use crate::inbound::Inbound;
use crate::session::key::Sharing;
use crate::toolset::Role;

/// Commands that everybody may use, whatever the lists say: who cannot ask what they may do is lost, and an answer by
/// command, or by the button that says it, does no more than plain words do.
const ALWAYS: [&str; 4] = ["start", "help", "whoami", "answer"];

/// Who runs the gateway in one kind of chat, and what the others may.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rights {
    /// Those who may do everything.
    pub operators: Vec<Entry>,
    /// The commands of everybody else, without slash and in lower case.
    pub commands: BTreeSet<String>,
}

impl Rights {
    /// The operators of this place who are named.
    pub fn named_at<'a>(&'a self, address: &'a Address) -> impl Iterator<Item = &'a str> {
        let here = self.operators.iter().filter(|one| one.holds_at(address));
        here.filter_map(Entry::id)
    }

    /// Whether somebody is named as operator of this place.
    fn hold_at(&self, address: &Address) -> bool {
        self.operators.iter().any(|one| one.holds_at(address))
    }

    /// Whether this person is.
    pub(super) fn runs(&self, address: &Address, person: &str) -> bool {
        let mut here = self.operators.iter().filter(|one| one.holds_at(address));
        !person.is_empty() && here.any(|one| one.is_all() || one.names(person, address.platform))
    }
}

impl Policy {
    /// The rights that hold in this kind of chat.
    pub(super) fn rights(&self, address: &Address) -> &Rights {
        match address.chat.kind {
            ChatKind::Dm => &self.direct,
            ChatKind::Group | ChatKind::Channel | ChatKind::Thread => &self.groups,
        }
    }

    /// The commands of those who run nothing. Who lists none for private chats means those of the others.
    fn commands(&self, address: &Address) -> &BTreeSet<String> {
        match self.rights(address) {
            rights if rights.commands.is_empty() => &self.groups.commands,
            rights => &rights.commands,
        }
    }
}

/// What a person is to the gateway where they write.
pub fn rank(policy: &Policy, address: &Address, person: &str, grant: Option<&Grant>) -> Role {
    let person = person.trim();
    if is_guarded(address.platform) || policy.rights(address).runs(address, person) {
        return Role::Operator;
    }
    let is_named = policy
        .here(address)
        .any(|one| !one.is_all() && one.names(person, address.platform));
    match grant {
        // Whoever is given less than a list gives keeps what the list gives.
        Some(grant) if is_named => grant.role.min(Role::Member),
        Some(grant) => grant.role,
        None if is_named && !person.is_empty() => Role::Member,
        None => Role::Guest,
    }
}

/// Whether somebody of this role may use a command where they write.
pub fn may_use(policy: &Policy, address: &Address, role: Role, name: &str) -> bool {
    role == Role::Operator
        || !policy.rights(address).hold_at(address)
        || ALWAYS.contains(&name)
        || policy.commands(address).contains(name)
}

/// What a message may not do, if anything: use the command that it is.
pub fn barred(policy: &Policy, inbound: &Inbound, role: Role) -> Option<&'static str> {
    let spec = command::named(inbound)?;
    let is_above = spec.who == Who::Operators && role != Role::Operator;
    let may = !is_above && may_use(policy, &inbound.address, role, spec.name);
    (!may).then_some(spec.name)
}

/// The commands that somebody of this role may use where they write.
pub fn commands(policy: &Policy, address: &Address, role: Role) -> Vec<&'static str> {
    let may = |spec: &&command::Spec| {
        let is_above = spec.who == Who::Operators && role != Role::Operator;
        !is_above && may_use(policy, address, role, spec.name)
    };
    command::TABLE
        .iter()
        .filter(may)
        .map(|spec| spec.name)
        .collect()
}

/// The role whose tools a turn has, by those whose words it answers. In a conversation that is shared with
/// whoever comes along, guests have written what the agent reads, so nobody has more there than they have.
pub fn of_turn(
    policy: &Policy,
    address: &Address,
    sharing: Sharing,
    roles: impl IntoIterator<Item = Role>,
) -> Role {
    let open = sharing == Sharing::Shared && admits_anyone(policy, address);
    let least = if open { Role::Guest } else { Role::Operator };
    roles.into_iter().fold(least, Role::max)
}

fn admits_anyone(policy: &Policy, address: &Address) -> bool {
    is_open(policy, address) || policy.here(address).any(Entry::is_all)
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
