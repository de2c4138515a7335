//! A reply becomes parts: split at the platform's limit, in order, never none.
//!
//! It does not render: the text arrives in the platform's own flavour.

use crate::limits;
use crate::outbound::Capabilities;
use crate::text;

/// What people see when an agent ends without a word: every message gets an answer.
const NO_WORDS: &str = "(The agent finished without saying anything.)";

/// What ends a reply that was cut at its limit.
const CUT: &str = "\n\n[… the reply was longer than can be kept and was cut here]";

/// The texts of the deliveries that carry `reply`, in order.
pub fn plan(reply: &str, capabilities: &Capabilities) -> Vec<String> {
    let words = if reply.trim().is_empty() {
        NO_WORDS
    } else {
        reply
    };
    let parts = text::split(words, capabilities.text);
    assert!(
        !parts.is_empty(),
        "a reply with words has at least one part"
    );
    parts
}

/// Keeps a growing reply within its limit. Returns whether there is room for more.
pub fn append(reply: &mut String, more: &str) -> Room {
    let free = limits::REPLY_BYTES_MAX.saturating_sub(reply.len());
    if more.len() <= free {
        reply.push_str(more);
        return Room::Left;
    }
    let fitting = more.floor_char_boundary(free);
    reply.push_str(&more[..fitting]);
    reply.push_str(CUT);
    Room::None
}

/// Whether a reply may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// It may.
    Left,
    /// It was cut; what follows is dropped.
    None,
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
