//! Leases.
//!
//! What a taker gets is decided by `core::lease::take`; here are the rows. A lease that was ended on
//! purpose keeps its fence and loses its holder, so a late heartbeat cannot bring it back to life and
//! hold up the next claim; its end is the beginning of time, which no clock that is set back can be
//! before. One that merely lapsed is still its holder's until somebody takes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::id::{NodeId, SessionId, TurnId};
use angelia_core::lease::{self, Fence, Lease};
use angelia_core::limits;
use angelia_core::time::Span;
use async_trait::async_trait;

use super::{nodes, rows};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::leases::{Boot, Held, Leases};
use crate::{Store, StoreError};

#[async_trait]
impl Leases for Database {
    async fn start_node(&self, boot: Boot) -> Result<(), StoreError> {
        self.write(move |tx| nodes::start(tx, &boot)).await
    }

    async fn beat(&self, node: NodeId, held: &[Held]) -> Result<Vec<Held>, StoreError> {
        // In the order in which everybody holds several.
        let mut held = held.to_vec();
        held.sort_by(|one, other| one.name.cmp(&other.name));
        self.write_at_once(move |tx| beat(tx, node, &held)).await
    }

    async fn take_lease(&self, name: &str, node: NodeId) -> Result<Option<Fence>, StoreError> {
        let name = name.to_owned();
        self.write_at_once(move |tx| take(tx, &name, &node.to_string(), node))
            .await
    }

    fn held_by(&self, turn: TurnId, fence: Fence) -> Arc<dyn Store> {
        Arc::new(self.for_turn(turn, fence))
    }

    async fn release_lease(&self, held: &Held) -> Result<(), StoreError> {
        let held = held.clone();
        self.write_at_once(move |tx| end(tx, &held.name, held.fence))
            .await
    }

    async fn stop_node(&self, node: NodeId) -> Result<(), StoreError> {
        self.write(move |tx| nodes::stop(tx, node)).await
    }

    async fn sweep_nodes(&self, kept: Span) -> Result<usize, StoreError> {
        self.write(move |tx| nodes::sweep(tx, kept)).await
    }
}

/// The name of a conversation's lease.
pub(super) fn of_session(session: SessionId) -> String {
    format!("session/{session}")
}

/// The name of an account's lease.
pub(super) fn of_account(account: &AccountId) -> String {
    format!("account/{account}")
}

/// The lease's row. It does not change hands before the verb ends.
pub(super) fn find(tx: &Tx<'_>, name: &str) -> Result<Option<Lease>, Fault> {
    let sql = "SELECT holder, fence, ends_at FROM leases WHERE name = ?1 /* keep */";
    tx.one(sql, [name], lease)
}

fn lease(row: &Row<'_>) -> Result<Lease, Fault> {
    Ok(Lease {
        holder: row.get(0)?,
        fence: Fence(row.get(1)?),
        ends_at: rows::time(row, 2)?,
    })
}

/// Takes or renews a lease; nothing while another holds it.
pub(super) fn take(
    tx: &Tx<'_>,
    name: &str,
    holder: &str,
    node: NodeId,
) -> Result<Option<Fence>, Fault> {
    let current = "SELECT holder, fence, ends_at FROM leases WHERE name = ?1 /* hold */";
    let current = tx.one(current, [name], lease)?;
    give(tx, (name, current.as_ref()), holder, node)
}

/// Those of the leases in a list that exist. Nobody else has them before the verb ends.
pub(super) fn find_all(tx: &Tx<'_>, names: &str) -> Result<BTreeMap<String, Lease>, Fault> {
    let sql = "SELECT holder, fence, ends_at, name FROM leases WHERE name = \
               ANY (ARRAY (SELECT json_array_elements_text(CAST(?1 AS json)))) ORDER BY name /* hold */";
    let found = tx.all(sql, [names], |row| Ok((row.get(3)?, lease(row)?)))?;
    Ok(found.into_iter().collect())
}

/// The same for a lease that is held while that is decided, as it stands.
pub(super) fn give(
    tx: &Tx<'_>,
    (name, current): (&str, Option<&Lease>),
    holder: &str,
    node: NodeId,
) -> Result<Option<Fence>, Fault> {
    let Some(lease) = lease::take(current, holder, tx.now()) else {
        return Ok(None);
    };
    // Two that find none must not both have the first fence: the row itself refuses to be there twice.
    let sql = match current {
        None => {
            "INSERT INTO leases (name, holder, node, fence, ends_at) VALUES (?1, ?2, ?3, ?4, ?5)"
        }
        Some(_) => {
            "UPDATE leases SET holder = ?2, node = ?3, fence = ?4, ends_at = ?5 WHERE name = ?1"
        }
    };
    tx.also(
        sql,
        params![
            name,
            lease.holder,
            node.to_string(),
            lease.fence.0,
            lease.ends_at.ms()
        ],
    )?;
    Ok(Some(lease.fence))
}

/// Ends a lease, if it still carries the fence.
pub(super) fn end(tx: &Tx<'_>, name: &str, fence: Fence) -> Result<(), Fault> {
    tx.also(
        "UPDATE leases SET holder = '', ends_at = 0 WHERE name = ?1 AND fence = ?2",
        params![name, fence.0],
    )?;
    Ok(())
}

fn beat(tx: &Tx<'_>, node: NodeId, held: &[Held]) -> Result<Vec<Held>, Fault> {
    nodes::see(tx, node)?;
    let mut lost = Vec::new();
    for lease in held {
        if renew(tx, lease)? == 0 {
            lost.push(lease.clone());
        }
    }
    Ok(lost)
}

fn renew(tx: &Tx<'_>, held: &Held) -> Result<usize, Fault> {
    let ends_at = tx.now() + limits::LEASE_TIME;
    tx.run(
        "UPDATE leases SET ends_at = max(ends_at, ?3) \
         WHERE name = ?1 AND fence = ?2 AND holder <> ''",
        params![held.name, held.fence.0, ends_at.ms()],
    )
}
