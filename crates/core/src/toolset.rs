//! Which tools a turn may use: decided purely, by the place of its messages and the role of who wrote them.
//!
//! A rule names tools, or whole families of them (`files`, or all that come from one source). Two rules hold
//! for a turn, that of its place and that of its role, and a tool is there if both let it be: a role never
//! gets back what its place has not. Tools of MCP servers are a guest's only if a rule for guests names them.
//!
//! A place has the rule of its most specific entry, as its reset policy has; what the entry leaves out is as
//! everywhere. What a tool is, and what it does, is not known here, and neither is who has which role.

use std::collections::{BTreeMap, BTreeSet};

use crate::session::reset::choose::most_specific;

/// What somebody is to the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Role {
    /// Whoever runs it.
    #[default]
    Operator,
    /// Somebody it is there for.
    Member,
    /// Somebody who may speak to it and no more.
    Guest,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Operator, Self::Member, Self::Guest];

    /// The name used in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Member => "member",
            Self::Guest => "guest",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Which tools of servers a role has: what opens a server's door is the operator's, so a guest has those alone that
    /// somebody chose for guests.
    const fn servers(self) -> Servers {
        match self {
            Self::Operator | Self::Member => Servers::All,
            Self::Guest => Servers::Named,
        }
    }

    /// What a role may not use unless somebody wrote otherwise: a guest's room has nothing that reaches the
    /// machine.
    #[must_use]
    pub const fn without(self) -> &'static [&'static str] {
        match self {
            Self::Operator | Self::Member => &[],
            Self::Guest => &["terminal", "process", "files"],
        }
    }
}

/// A rule as somebody wrote it: what they left out is nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// These alone.
    pub enable: Option<BTreeSet<String>>,
    /// Not these.
    pub disable: Option<BTreeSet<String>>,
}

impl Written {
    /// The rule; what was left out is as in `base`.
    fn over(self, base: &Rule) -> Rule {
        Rule {
            enable: self.enable.or_else(|| base.enable.clone()),
            disable: self.disable.unwrap_or_else(|| base.disable.clone()),
            servers: base.servers,
        }
    }
}

/// What was written about tools, for every place and role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies {
    everywhere: Rule,
    places: BTreeMap<String, Rule>,
    roles: BTreeMap<Role, Rule>,
}

impl Default for Policies {
    fn default() -> Self {
        Self::new(Written::default(), BTreeMap::new(), BTreeMap::new())
    }
}

impl Policies {
    /// What holds everywhere, what at some places instead, and what for some roles besides.
    #[must_use]
    pub fn new(
        everywhere: Written,
        places: BTreeMap<String, Written>,
        mut roles: BTreeMap<Role, Written>,
    ) -> Self {
        let everywhere = everywhere.over(&Rule::default());
        let places = places.into_iter();
        let places = places.map(|(name, written)| (name, written.over(&everywhere)));
        let roles = Role::ALL.map(|role| {
            let usual = Rule {
                enable: None,
                disable: role.without().iter().map(|&name| name.to_owned()).collect(),
                servers: role.servers(),
            };
            (role, roles.remove(&role).unwrap_or_default().over(&usual))
        });
        Self {
            places: places.collect(),
            roles: roles.into(),
            everywhere,
        }
    }

    /// What holds for a turn, by the names of its platform and its kind of chat, and by whose it is.
    #[must_use]
    pub fn choose(&self, platform: &str, chat_kind: &str, role: Role) -> Choice {
        let place = most_specific(&self.places, platform, chat_kind);
        Choice {
            place: place.unwrap_or(&self.everywhere).clone(),
            role: self.roles.get(&role).cloned().unwrap_or_default(),
        }
    }
}

/// What the family of all tools of one MCP server begins with; its name follows.
pub const SERVER: &str = "mcp_";

/// Which tools of MCP servers there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Servers {
    /// All, as far as the rule goes.
    #[default]
    All,
    /// Those alone that the rule names.
    Named,
}

/// Which tools there are, by their names or the names of their families.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Rule {
    /// These alone, if anything is said.
    pub enable: Option<BTreeSet<String>>,
    /// Not these, whatever else is said.
    pub disable: BTreeSet<String>,
    /// Whether those of servers have to be named.
    pub servers: Servers,
}

impl Rule {
    fn allows(&self, names: [&str; 2]) -> bool {
        let has = |set: &BTreeSet<String>| names.iter().any(|name| set.contains(*name));
        let is_enabled = match &self.enable {
            Some(enabled) => has(enabled),
            None => self.servers == Servers::All || !names[0].starts_with(SERVER),
        };
        is_enabled && !has(&self.disable)
    }
}

/// Which tools one turn may use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Choice {
    /// What holds where the turn is.
    pub place: Rule,
    /// What holds for whose turn it is.
    pub role: Rule,
}

impl Choice {
    /// Whether a tool of this family and name is there.
    #[must_use]
    pub fn allows(&self, family: &str, name: &str) -> bool {
        [&self.place, &self.role]
            .iter()
            .all(|rule| rule.allows([family, name]))
    }
}

#[cfg(test)]
#[path = "toolset_tests.rs"]
mod tests;
