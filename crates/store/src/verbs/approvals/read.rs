//! Questions from their rows.

use angelia_core::address::Person;

use crate::approvals::{Approval, Decided, Matter};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::verbs::rows;

/// Selects questions as [`approval`] reads them; the argument says which.
macro_rules! approval_sql {
    ($which:literal) => {
        concat!(
            "SELECT a.seq, a.id, s.id, t.id, a.call, a.fingerprint, a.command, a.workdir, \
             a.backend, a.reasons, a.person, a.person_name, a.platform, a.account, a.chat, \
             a.chat_kind, a.thread, a.asked_at, a.expires_at, a.decision, a.decided_by, \
             a.decided_at, a.reason, a.choices FROM approvals a JOIN sessions s ON s.seq = a.session \
             JOIN turns t ON t.seq = a.turn ",
            $which
        )
    };
}
pub(super) use approval_sql;

/// A question from a row of `approval_sql!`.
pub(super) fn approval(row: &Row<'_>) -> Result<Approval, Fault> {
    Ok(Approval {
        id: rows::parsed(row, 1)?,
        session: rows::parsed(row, 2)?,
        turn: rows::parsed(row, 3)?,
        call: row.get(4)?,
        matter: Matter {
            fingerprint: row.get(5)?,
            command: row.get(6)?,
            workdir: row.get(7)?,
            backend: row.get(8)?,
            reasons: rows::json_maybe(row, 9)?.unwrap_or_default(),
            choices: rows::json_maybe(row, 23)?,
        },
        person: Person {
            id: row.get(10)?,
            name: row.get(11)?,
        },
        address: rows::address(row, 12)?,
        asked_at: rows::time(row, 17)?,
        expires_at: rows::time(row, 18)?,
        decided: decided(row)?,
    })
}

fn decided(row: &Row<'_>) -> Result<Option<Decided>, Fault> {
    let Some(decision) = rows::parsed_maybe(row, 19)? else {
        return Ok(None);
    };
    Ok(Some(Decided {
        decision,
        by: rows::parsed(row, 20)?,
        at: rows::time(row, 21)?,
        reason: row.get(22)?,
    }))
}
