//! Which rows may be found: the one condition that every way of looking shares.
//!
//! Lists go into a statement as JSON, so that one prepared statement does for all of them. Whether a hidden
//! row may be found is asked of `Scope::admits`, for every state that a row can be in.

use angelia_core::address::Platform;
use angelia_core::session::key::Scope as Scoped;
use angelia_core::transcript::entry::{Role, Visibility};
use angelia_core::transcript::search_query::Scope;

use super::super::sessions::switch;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::Bound;
use crate::search::{Query, Reach};

/// The condition on `t`, a row of the transcript, and `s`, its conversation; parameters `?1` to
/// `?5`, as `Filter` gives them.
macro_rules! admitted_sql {
    () => {
        "t.visibility IN (SELECT value FROM json_each(?1)) \
         AND (?2 IS NULL OR t.role IN (SELECT value FROM json_each(?2))) \
         AND (?3 IS NULL OR s.platform IN (SELECT value FROM json_each(?3))) \
         AND (?4 IS NULL \
              OR s.platform NOT IN (SELECT value FROM json_each(?4))) \
         AND (?5 IS NULL OR t.session IN (SELECT CAST(value AS BIGINT) FROM json_each(?5)))"
    };
}
pub(super) use admitted_sql;

/// The states of a row and their stored names.
const STORED: [(Visibility, &str); 3] = [
    (Visibility::Visible, "visible"),
    (Visibility::Rewound, "hidden"),
    (Visibility::Compacted, "archived"),
];

/// The stored names of what may be found, as JSON.
pub(super) fn admitted(scope: Scope) -> String {
    let admitted = STORED
        .iter()
        .filter(|(visibility, _)| scope.admits(*visibility));
    list(admitted.map(|(_, stored)| *stored))
}

/// The parameters of `admitted_sql!`.
pub(super) struct Filter {
    admitted: String,
    roles: Option<String>,
    platforms: Option<String>,
    not_platforms: Option<String>,
    reach: Option<String>,
}

impl Filter {
    pub(super) fn of(tx: &Tx<'_>, query: &Query) -> Result<Self, Fault> {
        let roles = query.roles.as_ref();
        let not = Some(&query.not_platforms).filter(|platforms| !platforms.is_empty());
        Ok(Self {
            admitted: admitted(query.scope),
            roles: roles.map(|roles| list(roles.iter().map(Role::as_str))),
            platforms: query.platforms.as_ref().map(|only| platforms(only)),
            not_platforms: not.map(|not| platforms(not)),
            reach: match &query.reach {
                Reach::Everywhere => None,
                Reach::Place(scope) => Some(within_reach(tx, scope)?),
            },
        })
    }

    /// The parameters, before those that a statement has besides.
    pub(super) fn with<'p>(&'p self, besides: &[&'p dyn Bound]) -> Vec<&'p dyn Bound> {
        let mut all: Vec<&dyn Bound> = vec![
            &self.admitted,
            &self.roles,
            &self.platforms,
            &self.not_platforms,
            &self.reach,
        ];
        all.extend_from_slice(besides);
        all
    }
}

/// The rows of the conversations that a place may reach, as JSON.
fn within_reach(tx: &Tx<'_>, scope: &Scoped) -> Result<String, Fault> {
    let sessions = switch::reachable(tx, scope.as_str())?;
    Ok(serde_json::Value::from(sessions).to_string())
}

fn platforms(platforms: &[Platform]) -> String {
    list(platforms.iter().map(|platform| platform.name()))
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    serde_json::Value::from(texts.collect::<Vec<_>>()).to_string()
}
