//! What the `[tools]` tables mean: which tools there are, at which place and for which role, and where files are.
//!
//! `core::toolset` decides; here names are checked. A name that no tool has is most likely a slip, and a slip in
//! `disable` would leave a tool where nobody wants it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use angelia_agents::tools::names;
use angelia_core::address::Platform;
use angelia_core::session::reset::choose::is_place;
use angelia_core::toolset::{Policies, Role, SERVER, Written};

use super::keys::{self, Key, Kind};
use super::problem::{Place, Problem};
use super::raw::{self, NAMES_APART, dotted};
use super::resolve::{Effective, Layers};
use super::sessions::no_place;

/// What holds for tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tools {
    /// Which there are.
    pub(crate) policies: Policies,
    /// Where files are, if somebody said so.
    pub(crate) root: Option<PathBuf>,
}

impl Layers<'_> {
    /// What holds for tools. What is wrong is noted.
    pub(super) fn tools(&mut self) -> Option<Tools> {
        let known = self.known_tools();
        let before = self.raw.problems.len();
        let everywhere = self.rule([&keys::TOOLS_ENABLE, &keys::TOOLS_DISABLE], &known);
        let places = self.tool_places(&known);
        let roles = [
            (Role::Operator, keys::TOOLS_OF_OPERATORS),
            (Role::Member, keys::TOOLS_OF_MEMBERS),
            (Role::Guest, keys::TOOLS_OF_GUESTS),
        ];
        let roles = roles.map(|(role, keys)| (role, self.rule(keys, &known)));
        let root = self.written(&keys::FILES_ROOT, path);
        (self.raw.problems.len() == before).then(|| Tools {
            policies: Policies::new(everywhere, places, roles.into()),
            root,
        })
    }

    /// All names that a tool, a family or a server has.
    fn known_tools(&self) -> BTreeSet<String> {
        let servers = self
            .raw
            .servers
            .keys()
            .map(|name| format!("{SERVER}{name}"));
        names().map(str::to_owned).chain(servers).collect()
    }

    fn rule(&mut self, [enable, disable]: [&Key; 2], known: &BTreeSet<String>) -> Written {
        let read = |text: &str| tools(text, known);
        let enable = self.written(enable, read);
        let disable = self.pick(disable, read);
        Written { enable, disable }
    }

    fn tool_places(&mut self, known: &BTreeSet<String>) -> BTreeMap<String, Written> {
        let platforms = Platform::ALL.map(Platform::name);
        let places = self.raw.tool_places.clone();
        let mut entries = BTreeMap::new();
        for (name, line) in places {
            let table = dotted(&["tools", "for", &name]);
            if !is_place(&name, &platforms) {
                let (place, says) = (Place::Line(line), no_place(&table, &name));
                self.raw.problems.push(Problem { place, says });
                continue;
            }
            let written = Written {
                enable: self.of_place(&table, "enable", known),
                disable: self.of_place(&table, "disable", known),
            };
            entries.insert(name, written);
        }
        entries
    }

    /// A list that was written for one place.
    fn of_place(
        &mut self,
        table: &str,
        name: &str,
        known: &BTreeSet<String>,
    ) -> Option<BTreeSet<String>> {
        let path = format!("{table}.{name}");
        let written = self.raw.written.get(&path)?.clone();
        let place = Place::Line(written.line);
        self.effective.push(Effective {
            path: path.clone(),
            kind: Kind::Names { example: "" },
            text: Some(written.text.clone()),
            place: Some(place.clone()),
        });
        tools(&written.text, known)
            .map_err(|says| {
                let says = format!("`{path}` {says}");
                self.raw.problems.push(Problem { place, says });
            })
            .ok()
    }
}

/// A list of tools, each of which there can be.
fn tools(text: &str, known: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let names = text.split(NAMES_APART).filter(|name| !name.is_empty());
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    // What one tool of a server is called is known when the server has said so.
    let is_known = |name: &str| {
        let family = name.split_once("__").map_or(name, |(server, _)| server);
        known.contains(name) || known.contains(family)
    };
    match names.iter().find(|name| !is_known(name)) {
        None => Ok(names),
        Some(name) => {
            let near = raw::suggestion(name, known.iter().map(String::as_str));
            Err(format!("has `{name}`, which is no tool{near}"))
        }
    }
}

fn path(text: &str) -> Result<PathBuf, String> {
    match text.trim() {
        "" => Err("must not be empty".to_owned()),
        path => Ok(PathBuf::from(path)),
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
