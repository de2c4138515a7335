//! Knocks and grants, from their rows.

use angelia_core::access::grant::{Deed, Grant, Holder};
use angelia_core::address::AccountId;
use angelia_core::toolset::Role;

use crate::access::Knock;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::verbs::rows;

/// Selects knocks as [`knock`] reads them; the argument says which.
macro_rules! knock_sql {
    ($which:literal) => {
        concat!(
            "SELECT k.seq, k.id, k.platform, k.account, k.chat, k.chat_kind, k.thread, k.person, \
             k.name, k.asked_at, k.ends_at FROM knocks k ",
            $which
        )
    };
}
pub(super) use knock_sql;

pub(super) fn knock(row: &Row<'_>) -> Result<Knock, Fault> {
    let address = rows::address(row, 2)?;
    Ok(Knock {
        id: rows::parsed(row, 1)?,
        holder: Holder {
            platform: address.platform,
            account: address.account.clone(),
            person: row.get(7)?,
            name: row.get(8)?,
        },
        address,
        asked_at: rows::time(row, 9)?,
        ends_at: rows::time(row, 10)?,
    })
}

/// Selects grants as [`grant`] reads them; the argument says which.
macro_rules! grant_sql {
    ($which:literal) => {
        concat!(
            "SELECT g.seq, g.id, g.platform, g.account, g.person, g.name, g.role, g.granted_by, \
             g.granted_at, g.why, g.revoked_by, g.revoked_at, g.revoked_why FROM access_grants g ",
            $which
        )
    };
}
pub(super) use grant_sql;

pub(super) fn grant(row: &Row<'_>) -> Result<Grant, Fault> {
    let role: String = row.get(6)?;
    let unknown = || rows::undecodable(format!("a grant is for a `{role}`"));
    Ok(Grant {
        id: rows::parsed(row, 1)?,
        holder: Holder {
            platform: rows::parsed(row, 2)?,
            account: AccountId(row.get(3)?),
            person: row.get(4)?,
            name: row.get(5)?,
        },
        role: Role::named(&role).ok_or_else(unknown)?,
        given: Deed {
            by: rows::parsed(row, 7)?,
            at: rows::time(row, 8)?,
            why: row.get(9)?,
        },
        revoked: revoked(row)?,
    })
}

fn revoked(row: &Row<'_>) -> Result<Option<Deed>, Fault> {
    let Some(by) = rows::parsed_maybe(row, 10)? else {
        return Ok(None);
    };
    Ok(Some(Deed {
        by,
        at: rows::time(row, 11)?,
        why: row.get(12)?,
    }))
}
