//! What somebody agreed to beyond one call.
//!
//! In a conversation an agreement holds for whoever speaks there. What a person agreed to for always holds
//! for that person; what an operator did, for everybody.

use angelia_core::approval::{Decider, Grant};
use rusqlite::params;

use crate::approvals::{Approval, NewApproval};
use crate::sqlite::fault::Fault;
use crate::sqlite::turns::{Open, session_seq};
use crate::sqlite::tx::Tx;

/// What was agreed to before that covers the question.
pub(super) fn find(tx: &Tx<'_>, open: &Open, new: &NewApproval) -> Result<Option<Grant>, Fault> {
    let fingerprint = new.matter.fingerprint.as_slice();
    let here =
        "SELECT EXISTS (SELECT 1 FROM approval_grants WHERE session = ?1 AND fingerprint = ?2)";
    if tx.number(here, params![open.session, fingerprint])? != 0 {
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
    tx.run(
        "INSERT INTO approval_grants (fingerprint, session, account, person, granted_at, granted_by) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        params![
            asked.matter.fingerprint.as_slice(),
            session,
            account,
            person,
            tx.now().ms(),
            by.name(),
        ],
    )?;
    Ok(())
}

/// Lets what was agreed to in a conversation hold in the one where it goes on.
pub(in crate::sqlite) fn go_along(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    let sql = "UPDATE OR IGNORE approval_grants SET session = ?2 WHERE session = ?1";
    tx.run(sql, [from, to]).map(drop)
}
