//! What stays as it is when a conversation is made shorter, and what becomes a summary.
//!
//! ```text
//! [ summary before ][ past … ][ past … | this turn's messages, answers, results ]
//!   └───────── becomes a summary ─────┘└──────────── stays word for word ───────┘
//! ```
//!
//! The newest rows stay as far as they fit. A cut stands before a person's words or, within the turn,
//! before an answer: never between a call and its result. The turn's newest answer stays in any case, and a
//! turn without answers keeps its messages, so that there is something to go on from. Pure.

use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::{Entry, Role};

use super::size;
use crate::past::Row;

/// What becomes of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// How many rows of the past become a summary.
    pub(super) past: usize,
    /// How many rows of the turn.
    pub(super) own: usize,
}

impl Cut {
    /// From where on rows stay, by their numbers.
    pub(super) fn since(self, past: &[Row]) -> Since {
        let kept = past.get(self.past).map(|row| row.number);
        let behind = || past.last().map_or(1, |row| row.number + 1);
        Since {
            row: kept.unwrap_or_else(behind),
            own: self.own,
        }
    }
}

/// What may stay as it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) tokens: u64,
    pub(super) rows: usize,
}

/// Where to cut, if the rows before it have so many tokens.
pub(super) fn plan(past: &[Row], own: &[Entry], room: Room, gain: u64) -> Option<Cut> {
    let cut = cut(past, own, room);
    let past = past[..cut.past].iter().map(|row| &row.entry);
    let old = past.chain(&own[..cut.own]);
    let tokens = size::of_rows(old.clone());
    let is_only_a_summary = old.clone().all(|row| row.role == Role::Summary);
    (tokens >= gain && !is_only_a_summary).then_some(cut)
}

/// The longest tail that fits and begins where it may.
fn cut(past: &[Row], own: &[Entry], room: Room) -> Cut {
    let rows = past.iter().map(|row| &row.entry).chain(own);
    let rows: Vec<&Entry> = rows.collect();
    let begins = |at: usize| match rows[at].role {
        Role::User => true,
        Role::Assistant => at >= past.len(),
        Role::System | Role::Tool | Role::Summary | Role::Other(_) => false,
    };
    // With nothing of its own, a turn may leave all behind.
    let mut place = match own.is_empty() {
        true => rows.len(),
        false => (past.len()..rows.len())
            .rev()
            .find(|at| begins(*at))
            .unwrap_or(past.len()),
    };
    let mut taken = size::of_rows(rows[place..].iter().copied());
    for at in (0..place).rev() {
        taken += size::of_row(rows[at]);
        if taken > room.tokens || rows.len() - at > room.rows {
            break;
        }
        if begins(at) {
            place = at;
        }
    }
    Cut {
        past: place.min(past.len()),
        own: place.saturating_sub(past.len()),
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
