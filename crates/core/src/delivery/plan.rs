//! A reply becomes parts: split at the platform's limit, in order, never none.
//!
//! It does not render: the text arrives in the platform's own flavour, or its adapter writes so. Where a reply is shown
//! while it grows, [`live`] cuts it as it was shown.

use crate::limits;
use crate::outbound::Capabilities;
use crate::stream::reasoning::Look;
use crate::stream::{Manner, Words};
use crate::text;
use crate::text::silence::Ending;

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

/// A reply for a place that shows it while it grows.
#[derive(Debug, Clone, Copy)]
pub struct Live<'r> {
    /// What is said before it.
    pub notice: Option<&'r str>,
    /// Its words as the agent gave them.
    pub text: &'r str,
    /// Where it is parted, because the agent turned to a tool.
    pub breaks: &'r [usize],
    /// How the turn ended.
    pub ending: Ending,
    /// What was thought about it beside its words, and how thoughts are shown, if they are.
    pub thoughts: Option<(&'r str, Look)>,
    /// The line below it; empty for none.
    pub footer: &'r str,
}

/// The texts of the deliveries that carry a reply where drafts are shown: cut as the drafts are, without
/// thoughts, and none for silence.
pub fn live(reply: &Live<'_>, manner: &Manner) -> Vec<String> {
    let mut words = Words::new(reply.thoughts.map(|(_, look)| look));
    if let Some(notice) = reply.notice {
        words.announce(notice);
    }
    if let Some((thoughts, _)) = reply.thoughts {
        words.think(thoughts);
    }
    let is_empty = text::Thinking::of(reply.text).said.trim().is_empty();
    words.say_parted(reply.text, reply.breaks);
    if is_empty {
        words.say(NO_WORDS);
    } else if !reply.footer.is_empty() && !text::silence::suppresses(reply.text, reply.ending) {
        words.say(&format!("\n\n{}", reply.footer));
    }
    words.finished(manner, reply.ending)
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
