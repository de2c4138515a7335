//! The accounts of a node, and how their connections are: what status and readiness tell.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use angelia_core::address::{AccountId, Platform};
use angelia_core::time::Timestamp;
use angelia_platforms::Adapter;
use angelia_platforms::health::Standing;

/// The state of an account that another node looks after.
const ELSEWHERE: &str = "elsewhere";

/// One account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its name.
    pub account: AccountId,
    /// Its platform.
    pub platform: Platform,
    /// `connected`, `connecting`, `silent` or `down`; `elsewhere` if another node looks after it.
    pub state: &'static str,
    /// What we are called there.
    pub name: Option<String>,
    /// When the platform last answered.
    pub heard_at: Option<Timestamp>,
    /// Since when it is down.
    pub down_since: Option<Timestamp>,
    /// Why it is down, for people.
    pub why: Option<String>,
    /// Updates that came and that nobody here knows.
    pub unknown: u64,
}

impl Connection {
    /// Whether messages come and go.
    pub fn is_up(&self) -> bool {
        [Standing::Connected.name(), ELSEWHERE].contains(&self.state)
    }
}

/// How all are at this moment.
pub(crate) fn of(
    adapters: &BTreeMap<AccountId, Arc<dyn Adapter>>,
    elsewhere: &BTreeSet<AccountId>,
    now: Timestamp,
) -> Vec<Connection> {
    let told = |(account, adapter): (&AccountId, &Arc<dyn Adapter>)| {
        let report = adapter.report();
        Connection {
            account: account.clone(),
            platform: adapter.platform(),
            state: match elsewhere.contains(account) {
                true => ELSEWHERE,
                false => report.health.standing(now).name(),
            },
            name: report.name,
            heard_at: report.health.heard_at(),
            down_since: report.health.down_since(),
            why: report.health.why().map(str::to_owned),
            unknown: report.unknown,
        }
    };
    adapters.iter().map(told).collect()
}
