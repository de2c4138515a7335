//! `GET /api/v1/search`: words in everything that was said.

use std::collections::BTreeMap;

use angelia_core::address::Platform;
use angelia_core::transcript::entry::Role;
use angelia_core::transcript::search_query::{CHARS_MAX, Scope};
use angelia_store::search::{Hit as Found, Query as Asked, Reach};
use angelia_store::views::SessionRow;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::ApiError;
use crate::params::{self, Params};
use crate::state::{Inner, Shared};
use crate::wire::v1::page::Page;
use crate::wire::v1::search::{Hit, Sort};

/// The roles that can be looked for.
const ROLES: [&str; 5] = ["user", "assistant", "tool", "system", "notice"];

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    q: String,
    platform: Option<String>,
    role: Option<String>,
    #[serde(default)]
    sort: Sort,
    after: Option<String>,
    limit: Option<usize>,
}

/// Finds what was said.
pub(super) async fn search(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<Page<Hit>>, ApiError> {
    let asked = query.asked()?;
    let page = shared.stored(shared.ground().store.search(asked).await)?;
    let rows = rows(&shared, &page.items).await?;
    let told = |hit: Found| rows.get(&hit.session).map(|row| Hit::of(hit, row));
    // A conversation that was deleted while it was looked for is not told.
    Ok(Json(Page {
        items: page.items.into_iter().filter_map(told).collect(),
        next: page.next,
    }))
}

/// The conversations of the hits, each read once.
async fn rows(
    shared: &Inner,
    hits: &[Found],
) -> Result<BTreeMap<angelia_core::id::SessionId, SessionRow>, ApiError> {
    let mut rows = BTreeMap::new();
    for hit in hits {
        if rows.contains_key(&hit.session) {
            continue;
        }
        let detail = shared.ground().store.session(hit.session).await;
        if let Some(detail) = shared.stored(detail)? {
            rows.insert(hit.session, detail.row);
        }
    }
    Ok(rows)
}

impl Query {
    fn asked(self) -> Result<Asked, ApiError> {
        let chars = self.q.chars().count();
        if self.q.trim().is_empty() || chars > CHARS_MAX {
            let said = format!("`q` has {chars} characters; it must have 1 to {CHARS_MAX}");
            return Err(ApiError::bad_request(said));
        }
        Ok(Asked {
            text: self.q,
            platforms: self.platform.as_deref().map(platforms).transpose()?,
            not_platforms: Vec::new(),
            roles: self.role.as_deref().map(roles).transpose()?,
            scope: Scope::Kept,
            reach: Reach::Everywhere,
            sort: self.sort.into(),
            range: params::range(self.after, self.limit)?,
        })
    }
}

fn platforms(list: &str) -> Result<Vec<Platform>, ApiError> {
    let named = |name: &str| {
        let unknown = || format!("`platform` has `{}`, which is no platform", cut(name));
        name.parse().map_err(|_| ApiError::bad_request(unknown()))
    };
    list.split(',').map(named).collect()
}

fn roles(list: &str) -> Result<Vec<Role>, ApiError> {
    let named = |name: &str| {
        let unknown = || {
            let known = ROLES.join(", ");
            format!("`role` has `{}`; it must be one of {known}", cut(name))
        };
        let known = ROLES.contains(&name);
        known
            .then(|| Role::from(name.to_owned()))
            .ok_or_else(|| ApiError::bad_request(unknown()))
    };
    list.split(',').map(named).collect()
}

fn cut(name: &str) -> String {
    name.chars().take(64).collect()
}
