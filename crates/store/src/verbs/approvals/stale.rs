//! What a chat still shows of questions that are over.

use angelia_core::address::AccountId;
use angelia_core::id::ApprovalId;
use angelia_core::outbound::Receipt;

use crate::approvals::StaleQuestion;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::rows;

/// The messages that show a question as if it were open, oldest first. One that is still to be sent will not.
pub(super) fn list(
    tx: &Tx<'_>,
    account: &AccountId,
    limit: usize,
) -> Result<Vec<StaleQuestion>, Fault> {
    let sql = "SELECT a.id, o.receipt, o.platform, o.account, o.chat, o.chat_kind, o.thread, o.text, a.decision, \
               a.reason, a.choices FROM approvals a JOIN outbox o ON o.question = a.seq \
               WHERE a.account = ?1 AND a.shut = 0 AND a.decision IS NOT NULL \
               AND o.state = 'sent' ORDER BY a.seq LIMIT ?2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    tx.all(sql, params![account.0, limit], |row| {
        Ok(StaleQuestion {
            id: rows::parsed(row, 0)?,
            receipt: Receipt(row.get(1)?),
            address: rows::address(row, 2)?,
            text: row.get(7)?,
            decision: rows::parsed(row, 8)?,
            said: row.get(9)?,
            choices: rows::json_maybe(row, 10)?,
        })
    })
}

/// Nothing more is to be done about the message of a question.
pub(super) fn shut(tx: &Tx<'_>, id: ApprovalId) -> Result<(), Fault> {
    let sql = "UPDATE approvals SET shut = 1 WHERE id = ?1";
    tx.also(sql, [id.to_string()])
}
