//! What somebody agreed to beyond one call.
//!
//! In a conversation an agreement holds for whoever speaks there. What a person agreed to for always holds
//! for that person; what an operator did, for everybody.

use angelia_core::address::AccountId;
use angelia_core::approval::{Decider, Grant};
use angelia_core::id::ApprovalId;

use crate::approvals::{Agreement, Approval, NewApproval};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::pages::{self, Start};
use crate::verbs::rows;
use crate::verbs::turns::session_seq;
use crate::views::{Page, Range};

/// What was agreed to before that covers the question.
pub(super) fn find(tx: &Tx<'_>, session: i64, new: &NewApproval) -> Result<Option<Grant>, Fault> {
    let fingerprint = new.matter.fingerprint.as_slice();
    let here =
        "SELECT EXISTS (SELECT 1 FROM approval_grants WHERE session = ?1 AND fingerprint = ?2)";
    if tx.number(here, params![session, fingerprint])? != 0 {
        return Ok(Some(Grant::Conversation));
    }
    let always = "SELECT EXISTS (SELECT 1 FROM approval_grants WHERE session IS NULL \
                  AND fingerprint = ?1 AND (granted_by = 'operator' \
                  OR (account = ?2 AND person = ?3)))";
    let values = params![fingerprint, new.address.account.0, new.person.id];
    let always = tx.number(always, values)? != 0;
    Ok(always.then_some(Grant::Always))
}

/// Writes an agreement down, once.
pub(super) fn remember(
    tx: &Tx<'_>,
    asked: &Approval,
    grant: Grant,
    by: Decider,
) -> Result<(), Fault> {
    let session = match grant {
        Grant::Once => return Ok(()),
        Grant::Conversation => session_seq(tx, asked.session)?,
        Grant::Always => None,
    };
    let (account, person) = match by {
        Decider::Asker => (asked.address.account.0.as_str(), asked.person.id.as_str()),
        Decider::Operator | Decider::Grant | Decider::Nobody => ("", ""),
    };
    tx.also(
        "INSERT INTO approval_grants (fingerprint, session, account, person, granted_at, granted_by, \
         id, backend, workdir, command) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
        params![
            asked.matter.fingerprint.as_slice(),
            session,
            account,
            person,
            tx.now().ms(),
            by.name(),
            asked.id.to_string(),
            asked.matter.backend,
            asked.matter.workdir,
            asked.matter.command,
        ],
    )?;
    Ok(())
}

/// Selects agreements as [`agreement`] reads them; the argument says which.
macro_rules! agreement_sql {
    ($which:literal) => {
        concat!(
            "SELECT g.seq, g.id, s.id, g.account, g.person, g.granted_at, g.granted_by, g.command, \
             g.workdir, g.backend FROM approval_grants g LEFT JOIN sessions s ON s.seq = g.session ",
            $which
        )
    };
}

fn agreement(row: &Row<'_>) -> Result<Agreement, Fault> {
    let by = rows::parsed(row, 6)?;
    let holder = match by {
        Decider::Asker => Some((AccountId(row.get(3)?), row.get(4)?)),
        Decider::Operator | Decider::Grant | Decider::Nobody => None,
    };
    Ok(Agreement {
        id: rows::parsed(row, 1)?,
        session: rows::parsed_maybe(row, 2)?,
        holder,
        command: row.get(7)?,
        workdir: row.get(8)?,
        backend: row.get(9)?,
        at: rows::time(row, 5)?,
        by,
    })
}

/// What holds, newest first.
pub(super) fn list(tx: &Tx<'_>, range: &Range) -> Result<Page<Agreement>, Fault> {
    let before = match pages::start(range) {
        Start::First => i64::MAX,
        Start::After(seq, _) => seq,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let read = |row: &Row<'_>| Ok((row.get::<i64>(0)?.to_string(), agreement(row)?));
    let sql = agreement_sql!("WHERE g.seq < ?1 ORDER BY g.seq DESC LIMIT ?2");
    let found = tx.all(sql, params![before, pages::asked(range)], read)?;
    Ok(pages::page(range, found))
}

/// Takes one back; answers with what held until then.
pub(super) fn revoke(tx: &Tx<'_>, id: ApprovalId) -> Result<Option<Agreement>, Fault> {
    let id = id.to_string();
    let found = tx.one(agreement_sql!("WHERE g.id = ?1"), [&id], agreement)?;
    tx.also("DELETE FROM approval_grants WHERE id = ?1", [&id])?;
    Ok(found)
}

/// Lets what was agreed to in a conversation hold in the one where it goes on.
pub(in crate::verbs) fn go_along(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    let sql = "UPDATE approval_grants SET session = ?2 WHERE session = ?1 AND NOT EXISTS \
               (SELECT 1 FROM approval_grants g WHERE g.session = ?2 \
               AND g.fingerprint = approval_grants.fingerprint)";
    tx.also(sql, [from, to])
}
