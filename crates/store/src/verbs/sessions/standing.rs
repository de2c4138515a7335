//! How a conversation stands, read from its row.

use angelia_core::session::lifecycle::{Mark, Standing, Unanswered, Work};
use angelia_core::transcript::ending::Life;

use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::verbs::rows;

/// The columns that [`standing`] reads, of the session `s`. The last says whether it rests: no message
/// is the next to be claimed and no turn is open. Without a `next` none can be `waiting` either, unless
/// a turn is open.
macro_rules! standing_sql {
    () => {
        "s.end_reason, s.suspended_at, s.resume_at, s.resume_reason, s.active_at, s.works_since, \
         NOT EXISTS (SELECT 1 FROM inbox i WHERE i.session = s.seq AND i.state = 'next') \
         AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = s.seq AND t.state = 'open')"
    };
}
pub(in crate::verbs) use standing_sql;

/// How many columns `standing_sql!` has.
pub(in crate::verbs) const STANDING_COLUMNS: usize = 7;

/// A standing from the columns of `standing_sql!`, of which the first is `first`.
pub(in crate::verbs) fn standing(row: &Row<'_>, first: usize) -> Result<Standing, Fault> {
    let rests: bool = row.get(first + 6)?;
    Ok(Standing {
        life: life(row, first)?,
        suspended_at: rows::time_maybe(row, first + 1)?,
        mark: mark(row, first + 2)?,
        active_at: rows::time(row, first + 4)?,
        work: Work {
            unanswered: if rests {
                Unanswered::Nothing
            } else {
                Unanswered::Something
            },
            since: rows::time_maybe(row, first + 5)?,
        },
    })
}

/// Whether a session has ended, from its reason.
pub(in crate::verbs) fn life(row: &Row<'_>, column: usize) -> Result<Life, Fault> {
    Ok(rows::parsed_maybe(row, column)?.map_or(Life::Live, Life::Ended))
}

/// A mark from two columns: when and why.
pub(in crate::verbs) fn mark(row: &Row<'_>, first: usize) -> Result<Option<Mark>, Fault> {
    let Some(at) = rows::time_maybe(row, first)? else {
        return Ok(None);
    };
    let reason = rows::parsed(row, first + 1)?;
    Ok(Some(Mark { at, reason }))
}
