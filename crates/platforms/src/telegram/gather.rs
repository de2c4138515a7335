//! Messages that are one: the pictures of an album, and a text that somebody's client cut because it was longer
//! than a message may be.
//!
//! Nothing waits in memory. If the last update of an answer may have a continuation, the poller looks again
//! before it hands anything over; what was not confirmed comes once more, together with the rest. Only
//! neighbours of one sender in one place are joined, so nobody's words end up under another name.

use std::time::Duration;

use super::wire::{Message, Update};

/// A text at least as long was probably cut. Clients cut at 4096, and before a word.
const CUT_UNITS: usize = 4000;

/// Messages that one can consist of: as many as fit into a message of the house, and as many as albums have.
const PIECES_MAX: usize = 10;

/// How long the rest of a text, and of an album, is waited for.
const TEXT_WAIT: Duration = Duration::from_millis(1000);
const ALBUM_WAIT: Duration = Duration::from_millis(800);

/// How long to wait for what may belong to the last update.
pub(super) fn wait(updates: &[Update]) -> Option<Duration> {
    let last = updates.last()?.message.as_ref()?;
    if last.media_group_id.is_some() {
        Some(ALBUM_WAIT)
    } else {
        is_cut(last).then_some(TEXT_WAIT)
    }
}

/// Joins what belongs together. Each keeps the number of its last update.
pub(super) fn join(updates: Vec<Update>) -> Vec<Update> {
    let mut joined: Vec<Update> = Vec::new();
    for mut update in updates {
        if let Some(last) = joined.last_mut()
            && let (Some(first), Some(next)) = (&mut last.message, &update.message)
            && first.more.len() + 1 < PIECES_MAX
            && belongs(first, next)
        {
            first.more.extend(update.message.take());
            last.update_id = update.update_id;
        } else {
            joined.push(update);
        }
    }
    joined
}

fn belongs(first: &Message, next: &Message) -> bool {
    let sender = |message: &Message| message.from.as_ref().map(|from| from.id);
    let place = |message: &Message| (message.chat.id, message.message_thread_id);
    if place(first) != place(next) || sender(first).is_none() || sender(first) != sender(next) {
        return false;
    }
    match (&first.media_group_id, &next.media_group_id) {
        (Some(one), Some(other)) => one == other,
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => is_cut(first.more.last().unwrap_or(first)) && goes_on(next),
    }
}

fn is_cut(message: &Message) -> bool {
    let text = message.text.as_deref().unwrap_or_default();
    text.encode_utf16().count() >= CUT_UNITS
}

/// Whether the message may be the rest of another: words, and no command.
fn goes_on(message: &Message) -> bool {
    let text = message.text.as_deref();
    text.is_some_and(|text| !text.starts_with('/'))
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
