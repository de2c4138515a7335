//! What the writer remembers of conversations while only messages arrive.
//!
//! A crowd asks for the same conversations again and again, and while nothing but arrivals is written
//! nobody else can change the answer: one thread writes. So an arrival notes what it found and what it
//! added, and the next one need not look. Whatever is written otherwise, by this thread or by another
//! program, and whatever is undone, makes the writer forget everything; no other verb has to know.

use std::cell::RefCell;
use std::collections::BTreeMap;

use angelia_core::id::SessionId;

/// Conversations remembered; one more, and it begins anew.
const SCOPES_MAX: usize = 4096;

/// A conversation, as far as an arrival must know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) seq: i64,
    pub(super) id: SessionId,
    /// Messages that wait, the next one included.
    pub(super) waiting: usize,
    /// Whether the next message that arrives is the next to be claimed.
    pub(super) rests: bool,
}

impl Session {
    /// The same conversation after one more message.
    fn with_one_more(self) -> Self {
        Self {
            waiting: self.waiting + 1,
            rests: false,
            ..self
        }
    }
}

/// The conversations of the latest arrivals, by scope.
#[derive(Default)]
pub(super) struct Door {
    sessions: RefCell<BTreeMap<String, Session>>,
}

impl Door {
    /// The conversation of the scope, if it is remembered.
    pub(super) fn session(&self, scope: &str) -> Option<Session> {
        self.sessions.borrow().get(scope).copied()
    }

    /// Notes that one more message was written into the conversation.
    pub(super) fn added(&self, scope: &str, session: &Session) {
        let mut sessions = self.sessions.borrow_mut();
        if let Some(known) = sessions.get_mut(scope) {
            *known = session.with_one_more();
            return;
        }
        if sessions.len() >= SCOPES_MAX {
            sessions.clear();
        }
        sessions.insert(scope.to_owned(), session.with_one_more());
    }

    /// Forgets everything.
    pub(super) fn forget(&self) {
        self.sessions.borrow_mut().clear();
    }
}

#[cfg(test)]
#[path = "door_tests.rs"]
mod tests;
