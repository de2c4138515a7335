//! Which of the messages that wait are answered together, and from when on.
//!
//! People write one thought in several messages. What one person writes in one place while an answer is being
//! made is one question: one turn answers all of it, and each message keeps its row, its id and its verdict.
//! Nothing is merged but neighbours of one sender in the order in which they came, so nobody's words can
//! take the place of anybody else's. Only messages that say so are gathered: each carries the moment from
//! which on it may be answered.
//!
//! The last of them may not be the last: a turn waits a moment after each, and not for ever. That moment is a
//! due time in the row of the first one; nothing sleeps here.

use crate::command;
use crate::inbound::Inbound;
use crate::limits;
use crate::time::Timestamp;

/// A message that waits.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    /// The message.
    pub inbound: &'a Inbound,
    /// When it came.
    pub received_at: Timestamp,
    /// From when on it may be answered; nothing for one that is answered by itself, and at once.
    pub due_at: Option<Timestamp>,
}

/// How many of the messages, from the first on, are answered together. They are given oldest first.
pub fn together(waiting: &[Item<'_>]) -> usize {
    let Some((first, behind)) = waiting.split_first() else {
        return 0;
    };
    if !gathers(first) {
        return 1;
    }
    // What was not opened yet may be a picture.
    let along = |inbound: &Inbound| inbound.pictures.len() + inbound.attached.len();
    let (mut bytes, mut pictures) = (first.inbound.text.len(), along(first.inbound));
    let joins = |one: &&Item<'_>| {
        bytes += one.inbound.text.len();
        pictures += along(one.inbound);
        gathers(one)
            && is_neighbour(first.inbound, one.inbound)
            && bytes <= limits::TEXT_BYTES_MAX
            && pictures <= limits::PICTURES_PER_MESSAGE
    };
    1 + behind
        .iter()
        .take(limits::GATHERED_MAX - 1)
        .take_while(joins)
        .count()
}

/// Whether nothing can join messages that are answered together any more: they are as many as may be, or something
/// stands behind them that is answered by itself. `waiting` is how many there are in all.
pub const fn is_closed(together: usize, waiting: usize) -> bool {
    together < waiting || together >= limits::GATHERED_MAX
}

/// From when on messages that came at these moments may be answered: a while after the last, and not longer
/// after the first of those that came in one go.
pub fn due_at(came: &[Timestamp]) -> Option<Timestamp> {
    let last = *came.last()?;
    let is_one_go = |pair: &&[Timestamp]| pair[1].since(pair[0]) <= limits::GATHER_TIME;
    let goes = came.windows(2).rev().take_while(is_one_go).count();
    let first = came[came.len() - 1 - goes];
    Some((last + limits::GATHER_TIME).min(first + limits::GATHER_TIME_MAX))
}

/// Whether a message is due. A clock that was set back makes nobody wait.
pub fn is_due(due_at: Timestamp, now: Timestamp) -> bool {
    due_at <= now || due_at.since(now) > limits::GATHER_TIME_MAX
}

fn gathers(one: &Item<'_>) -> bool {
    one.due_at.is_some() && command::read(one.inbound).is_for_the_agent()
}

fn is_neighbour(first: &Inbound, next: &Inbound) -> bool {
    first.address == next.address
        && first.person.id == next.person.id
        && first.about.agent == next.about.agent
        && first.about.profile == next.about.profile
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
