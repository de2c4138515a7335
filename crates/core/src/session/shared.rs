//! Whether several people share a conversation.
//!
//! It follows from the same rule that puts a person into the session key, so the two cannot
//! disagree: whoever has a lane of their own is alone in it, and where all have one lane each
//! message says who sent it. It does not count people; a group with one member is still a group.

use super::key::{Isolation, Sharing, is_per_person};

/// The kind of a chat with one person.
pub const PRIVATE: &str = "dm";

/// Who shares the conversation in a place of this kind, inside `thread` if there is one.
#[must_use]
pub fn sharing(kind: &str, thread: Option<&str>, isolation: Isolation) -> Sharing {
    let thread = thread.filter(|thread| !thread.is_empty());
    if kind == PRIVATE || is_per_person(isolation, thread) {
        Sharing::PerPerson
    } else {
        Sharing::Shared
    }
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
