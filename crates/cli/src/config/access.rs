//! What the `[access]` table means: who may speak, what strangers get, and who may do what.

use std::collections::BTreeSet;

use angelia_core::access::rank::Rights;
use angelia_core::access::{Entry, Pairing, Policy};
use angelia_core::command;

use super::keys::{self, PAIRINGS};
use super::raw::{self, NAMES_APART, PATTERNS_APART};
use super::resolve::Layers;

impl Layers<'_> {
    /// Who may speak, and as what. What is wrong is noted.
    pub(super) fn access(&mut self) -> Option<Policy> {
        let people = self.pick(&keys::ACCESS_ALLOW, entries);
        let people_in_groups = self.pick(&keys::ACCESS_ALLOW_IN_GROUPS, entries);
        let chats = self.pick(&keys::ACCESS_CHATS, entries);
        let bots = self.pick(&keys::ACCESS_BOTS, entries);
        let pairing = self.written(&keys::ACCESS_PAIRING, pairing);
        let direct = self.rights();
        let groups = self.group_rights(direct.as_ref());
        Some(Policy {
            people: people?,
            people_in_groups: people_in_groups?,
            chats: chats?,
            bots: bots?,
            pairing: pairing.unwrap_or_default(),
            direct: direct?,
            groups,
        })
    }

    fn rights(&mut self) -> Option<Rights> {
        let operators = self.pick(&keys::ACCESS_OPERATORS, entries);
        let commands = self.pick(&keys::ACCESS_COMMANDS, commands);
        Some(Rights {
            operators: operators?,
            commands: commands?,
        })
    }

    /// What is not said about groups is as it is elsewhere: a list that holds alone must not leave groups open.
    fn group_rights(&mut self, direct: Option<&Rights>) -> Rights {
        let operators = self.written(&keys::ACCESS_GROUP_OPERATORS, entries);
        let commands = self.written(&keys::ACCESS_GROUP_COMMANDS, commands);
        let usual = direct.cloned().unwrap_or_default();
        Rights {
            operators: operators.unwrap_or(usual.operators),
            commands: commands.unwrap_or(usual.commands),
        }
    }
}

fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.split(PATTERNS_APART).filter(|line| !line.is_empty());
    let read = |line: &str| {
        line.parse::<Entry>()
            .map_err(|bad| format!("has an entry that is wrong: {bad}"))
    };
    lines.map(read).collect()
}

fn pairing(text: &str) -> Result<Pairing, String> {
    match text {
        "direct" => Ok(Pairing::Direct),
        "off" => Ok(Pairing::Off),
        _ => {
            let near = raw::suggestion(text, PAIRINGS);
            Err(format!(
                "must be \"direct\" or \"off\"; found \"{text}\"{near}"
            ))
        }
    }
}

/// Commands by their own names: an alias stands for its command.
fn commands(text: &str) -> Result<BTreeSet<String>, String> {
    let names = text.split(NAMES_APART).filter(|name| !name.is_empty());
    let read = |name: &str| {
        let bare = name.trim_start_matches('/').to_lowercase();
        command::find(&bare)
            .map(|spec| spec.name.to_owned())
            .ok_or_else(|| {
                let near = raw::suggestion(&bare, command::names());
                format!("has `{name}`, which is no command{near}")
            })
    };
    names.map(read).collect()
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
