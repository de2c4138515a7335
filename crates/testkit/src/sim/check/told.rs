//! What was told about processes, at the end: each end that is told was told once, or read by a turn that
//! was completed; all news were told once, unless later ones took their place.

use angelia_core::process::State;
use angelia_core::turn::outcome::Outcome;

use crate::sim::ledger::Ledger;
use crate::sim::ledger::processes::{Kind, Known};

/// Looks at all processes. Returns the laws that were broken.
pub fn check(book: &Ledger) -> Vec<String> {
    let known = book.processes.0.values();
    known.flat_map(|known| of_one(known, book)).collect()
}

fn of_one(known: &Known, book: &Ledger) -> Vec<String> {
    let (id, mut broken) = (known.row.id, Vec::new());
    if !matches!(known.row.state, State::Ended(_)) {
        broken.push(format!("{id} has not ended"));
    }
    let must = known.told_end().is_some();
    let told = known.ends_told;
    if told != u32::from(must) && !(told == 0 && is_read(known, book)) {
        broken.push(format!("told: the end of {id} {told} times, must {must}"));
    }
    for (number, news) in &known.news {
        if news.told == 0 && news.kind == Kind::Kept {
            broken.push(format!("lost: news {number} of {id} were never told"));
        }
    }
    broken
}

fn is_read(known: &Known, book: &Ledger) -> bool {
    let readers = known.read_by.iter();
    let mut outcomes = readers.filter_map(|turn| book.turns.get(turn)?.outcome.as_ref());
    outcomes.any(|outcome| matches!(outcome, Outcome::Completed { .. }))
}
