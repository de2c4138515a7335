//! *claim* of many at once, on a server: one transaction for all who want a turn at the same time.
//!
//! Each gets the next message that nobody holds, as if they had come one after the other. Only what is plain goes this
//! way: a message that is answered by itself, in a conversation whose lease is free. Whoever gets none of those is
//! told nothing here, and claims alone (`claim::new_turn`).

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::lease::Lease;

use super::{Want, open, ready_sql, several};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::turns::ClaimedTurn;
use crate::verbs::rows::message_sql;
use crate::verbs::{leases, rows};

/// Opens as many turns as there are plain messages, for those who came first.
pub(crate) fn new_turns(
    tx: &Tx<'_>,
    wants: &[Arc<Want>],
) -> Result<Vec<Option<Option<ClaimedTurn>>>, Fault> {
    let count = i64::try_from(wants.len()).unwrap_or(i64::MAX);
    let mut ready = several(tx, ready_sql!("/* take i, s */"), (0, count))?;
    ready.retain(|one| one.due_at.is_none());
    let names = ready.iter().map(|one| leases::of_session(one.session_id));
    let names: Vec<String> = names.collect();
    let held: BTreeMap<String, Lease> = match names.as_slice() {
        [] => BTreeMap::new(),
        some => leases::find_all(tx, &rows::json(&some)?)?,
    };
    let mut claimed = Vec::new();
    let mut wants = wants.iter();
    for (ready, name) in ready.into_iter().zip(names) {
        let Some(want) = wants.next() else { break };
        let holder = want.turn.to_string();
        let taken = leases::give(tx, (&name, held.get(&name)), &holder, want.node)?;
        // Its last owner still lives by the lease, though no turn is open: whoever claims alone passes it over.
        claimed.push(match taken {
            Some(fence) => Some(Some(open(tx, ready, want.turn, (name, fence))?)),
            None => None,
        });
    }
    claimed.extend(wants.map(|_| None));
    Ok(claimed)
}
