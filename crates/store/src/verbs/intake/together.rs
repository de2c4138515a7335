//! *accept* of many at once, on a server.
//!
//! A commit on a server costs a sync of its disk and a few journeys over a network. Messages that come at the
//! same time share both: their places are held together, read together and their rows are added together, in
//! one transaction. What is decided about each is what `intake` decides, in the order in which they came.
//!
//! Only what is plain goes this way: a message by itself, into a conversation that exists, goes on and has room.
//! Whatever else it is (the first of its place, one that came before, one with pictures) is nobody's here and goes
//! through `intake::accept`. Places are held in the order of their names, so that two such groups cannot wait for
//! each other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use angelia_core::id::InboxId;
use angelia_core::intake;
use angelia_core::time::Timestamp;
use serde::Serialize;

use super::{Arrival, Besides, due_at};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::intake::Accepted;
use crate::verbs::door::{self, Found, Session};
use crate::verbs::{long, ready, rows};

impl Arrival {
    /// Whether nothing but its own row is written for it, once its conversation is known.
    pub(super) fn is_plain(&self) -> bool {
        let inbound = &self.message.inbound;
        self.route.is_ok()
            && self.known_by.is_none()
            && self.media.is_empty()
            && self.message.cursor.is_none()
            && self.body.len() <= rows::SHORT_BODY_BYTES
            && long::words(inbound).is_none()
            && inbound.event_key.told_process().is_none()
    }

    /// What is changed for it besides its row, where its conversation goes on.
    pub(super) fn besides(&self) -> Besides {
        match self.is_plain() {
            true => Besides::Nothing,
            false => Besides::More,
        }
    }

    fn scope(&self) -> &str {
        self.route.as_ref().map_or("", |route| route.scope.as_str())
    }
}

/// A message as it is added.
#[derive(Serialize)]
struct New<'a> {
    id: String,
    account: &'a str,
    event_key: &'a str,
    session: i64,
    state: &'static str,
    body: &'a str,
    due_at: Option<i64>,
}

/// Takes those that are plain; nothing about the others.
pub(crate) fn accept(
    tx: &Tx<'_>,
    arrivals: &[Arc<Arrival>],
) -> Result<Vec<Option<Accepted>>, Fault> {
    let mut places = find(tx, arrivals)?;
    let mut new = Vec::new();
    for arrival in arrivals {
        if let Some(session) = places.get_mut(arrival.scope())
            && intake::decide(session.waiting, arrival.urgency).is_ok()
        {
            new.push(row(tx, arrival, session));
            session.waiting += 1;
            session.rests = false;
        }
    }
    let added = add(tx, &new)?;
    mend(tx, &new, &added)?;
    let accepted = arrivals.iter().map(|arrival| {
        let route = arrival.route.as_ref().ok()?;
        let session = places.get(arrival.scope())?;
        let is_added = added.contains(&arrival.message.inbox.to_string());
        is_added.then(|| arrival.placed(session.id, route))
    });
    Ok(accepted.collect())
}

/// The conversations that go on, by their places. Nobody changes them before the verb ends.
fn find(tx: &Tx<'_>, arrivals: &[Arc<Arrival>]) -> Result<BTreeMap<String, Session>, Fault> {
    let scopes: BTreeSet<&str> = arrivals.iter().map(|arrival| arrival.scope()).collect();
    let found = door::at_all(tx, &rows::json(&scopes)?)?;
    let mut places = BTreeMap::new();
    for (scope, session, standing) in found {
        let of_place = |arrival: &&Arc<Arrival>| arrival.scope() == scope;
        let Some(arrival) = arrivals.iter().find(of_place) else {
            continue;
        };
        if let Found::GoesOn(session) = door::found(tx, arrival, session, &standing) {
            places.insert(scope, session);
        }
    }
    Ok(places)
}

fn row<'a>(tx: &Tx<'_>, arrival: &'a Arrival, session: &Session) -> New<'a> {
    let inbound = &arrival.message.inbound;
    New {
        id: arrival.message.inbox.to_string(),
        account: &inbound.address.account.0,
        event_key: inbound.event_key.as_str(),
        session: session.seq,
        state: session.next_state(),
        body: &arrival.body,
        due_at: due_at(tx, inbound, session).map(Timestamp::ms),
    }
}

/// Adds the rows; the ids of those that were not there before.
fn add(tx: &Tx<'_>, new: &[New<'_>]) -> Result<BTreeSet<String>, Fault> {
    if new.is_empty() {
        return Ok(BTreeSet::new());
    }
    let sql = "INSERT INTO inbox (id, account, event_key, session, state, received_at, body, due_at) \
               SELECT n.id, n.account, n.event_key, n.session, n.state, ?2, n.body, n.due_at \
               FROM json_to_recordset(CAST(?1 AS json)) AS n (id TEXT, account TEXT, event_key TEXT, \
               session BIGINT, state TEXT, body TEXT, due_at BIGINT) \
               ON CONFLICT (account, event_key) DO NOTHING RETURNING id";
    let rows = rows::json(&new)?;
    let values = params![rows, tx.now().ms()];
    let added = tx.all(sql, values, |row| rows::parsed::<InboxId>(row, 0))?;
    Ok(added.iter().map(InboxId::to_string).collect())
}

/// One that came before is not added, and whoever was to wait behind it waits for nobody: the mark is set anew.
fn mend(tx: &Tx<'_>, new: &[New<'_>], added: &BTreeSet<String>) -> Result<(), Fault> {
    let left_out = new.iter().filter(|one| !added.contains(&one.id));
    let sessions: BTreeSet<i64> = left_out.map(|one| one.session).collect();
    let is_mixed = |session: &&i64| {
        new.iter()
            .any(|one| one.session == **session && added.contains(&one.id))
    };
    sessions
        .iter()
        .filter(is_mixed)
        .try_for_each(|session| ready::again(tx, *session))
}
