//! A message that ends every node which takes it up: it is given up after as many attempts as a turn
//! has, its conversation does not go on, and nobody else is given up.

use angelia_core::limits;
use angelia_core::transcript::ending::Reason;
use angelia_core::turn::outcome::Outcome;

use crate::sim::ledger::{Ledger, Turn};
use crate::sim::world::{Shared, Written};

/// Looks at what the message left behind. Returns the laws that were broken.
pub fn check(world: &Shared, book: &Ledger, menace: &Written) -> Vec<String> {
    let mut broken = Vec::new();
    let times = world.lock().menaced;
    if times != limits::TURN_ATTEMPTS {
        broken.push(format!("menace: nodes died {times} times of one message"));
    }
    let text = menace.text();
    for taken in &book.taken {
        let turn = book.turn_of(taken);
        let given_up = turn.and_then(|turn| turn.outcome.as_ref()) == Some(&Outcome::Abandoned);
        if given_up != (taken.text == text) {
            broken.push(format!("menace: `{}` given up: {given_up}", taken.text));
        }
    }
    let mine = book.taken.iter().find(|one| one.text == text);
    let session = mine
        .and_then(|one| book.turn_of(one))
        .map(|turn: &Turn| turn.session);
    let mut began = book.began.values();
    let anew = began.any(|one| Some(one.earlier) == session && one.why == Reason::Suspended);
    if !anew {
        broken.push("menace: the conversation of the message went on".to_owned());
    }
    broken
}
