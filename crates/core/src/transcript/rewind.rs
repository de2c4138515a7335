//! Which rows an undo of some turns hides.
//!
//! A turn begins with a row that a person said to the agent and reaches to the next such row; overheard
//! chatter begins none. Undoing N turns hides the N-th newest beginning and every visible row behind
//! it. Undoing `a` and then `b` turns hides the same rows as undoing `a + b` at once.
//!
//! Rows are only hidden: nothing is changed or deleted, and counts follow from what is visible.

use super::entry::{Attention, Entry, Role, Visibility};
use crate::media::Picture;

/// What an undo does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewind {
    /// The first row that is hidden, by its place among all rows; so is every visible one behind it.
    pub from: usize,
    /// How many rows are hidden.
    pub rows: usize,
    /// How many turns that undoes.
    pub turns: usize,
    /// The words that begin the first turn, for whoever wants to say them differently.
    pub text: String,
    /// The pictures that came with them.
    pub pictures: Vec<Picture>,
}

/// Plans to undo the last turns: at least one, at most all. Nothing if there is no turn.
pub fn plan(rows: &[Entry], turns: i64) -> Option<Rewind> {
    let beginnings = places(rows, |row| row.is_visible() && row.begins_turn());
    let wanted = usize::try_from(turns.max(1)).unwrap_or(usize::MAX);
    let turns = wanted.min(beginnings.len());
    let from = *beginnings.get(beginnings.len() - turns)?;
    // What was said in one go is asked in one go.
    let is_more = |row: &&Entry| row.role == Role::User && row.attention == Attention::Along;
    let more = rows[from + 1..].iter().take_while(is_more);
    let asked = [&rows[from]].into_iter().chain(more);
    Some(Rewind {
        from,
        rows: places(&rows[from..], Entry::is_visible).len(),
        turns,
        text: asked
            .clone()
            .map(|row| row.content.plain_text())
            .collect::<Vec<_>>()
            .join("\n"),
        pictures: asked.flat_map(|row| row.pictures.clone()).collect(),
    })
}

/// Hides what the plan says.
pub fn apply(rows: &mut [Entry], plan: &Rewind) {
    let behind = rows.iter_mut().skip(plan.from);
    for row in behind.filter(|row| row.is_visible()) {
        row.visibility = Visibility::Rewound;
    }
}

fn places(rows: &[Entry], is_one: impl Fn(&Entry) -> bool) -> Vec<usize> {
    let numbered = rows.iter().enumerate();
    let ones = numbered.filter(|(_, row)| is_one(row));
    ones.map(|(place, _)| place).collect()
}

#[cfg(test)]
#[path = "rewind_tests.rs"]
mod tests;
