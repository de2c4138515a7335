//! Whoever hears an answer while it is spoken.
//!
//! Words and thoughts go out as they come, words with a gap before the first if the reply has some already;
//! words of an answer that broke off are taken back. Some answers are for nobody's ears, such as a summary.
//! That nobody listens any more is noticed when an answer begins or is written down, not between its words.

use super::spoken::Spoken;
use crate::events::{Ended, Events};

/// Hears one answer, however often it is begun.
pub(super) struct Audience<'a> {
    events: Option<&'a Events>,
    gap: &'static str,
    heard: Heard,
    reached: Reached,
}

/// Whether a server had the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    Nobody,
    Server,
}

/// Whether the answer had words until now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    Nothing,
    Words,
}

impl<'a> Audience<'a> {
    /// The people of a turn. The gap stands before the first words.
    pub(super) fn new(events: &'a Events, gap: &'static str) -> Self {
        Self {
            events: Some(events),
            gap,
            heard: Heard::Nothing,
            reached: Reached::Nobody,
        }
    }

    /// Nobody.
    pub(super) fn nobody() -> Self {
        Self {
            events: None,
            gap: "",
            heard: Heard::Nothing,
            reached: Reached::Nobody,
        }
    }

    /// An answer begins.
    pub(super) async fn begin(&mut self) -> Result<(), Ended> {
        self.heard = Heard::Nothing;
        self.reached = Reached::Nobody;
        match self.events {
            Some(events) => events.begin_answer().await,
            None => Ok(()),
        }
    }

    /// The answer broke off.
    pub(super) async fn take_back(&mut self) -> Result<(), Ended> {
        self.heard = Heard::Nothing;
        match self.events {
            Some(events) => events.drop_answer().await,
            None => Ok(()),
        }
    }

    /// Hears a piece.
    pub(super) async fn hear(&mut self, piece: &Spoken) {
        let Some(events) = self.events else {
            return;
        };
        match piece {
            Spoken::Text(words) => self.hear_words(events, words).await,
            Spoken::Thought(_, more) => events.think(more.as_str()),
            Spoken::Sealed(..)
            | Spoken::Opaque(..)
            | Spoken::Detail(_)
            | Spoken::Call(..)
            | Spoken::Used(_)
            | Spoken::Stopped(_)
            | Spoken::Over
            | Spoken::Failed(_) => (),
        }
    }

    async fn hear_words(&mut self, events: &Events, words: &str) {
        let gap = match std::mem::replace(&mut self.heard, Heard::Words) {
            Heard::Nothing => self.gap,
            Heard::Words => "",
        };
        let _ended = events.text(format!("{gap}{words}")).await.is_err();
    }

    /// A server has the question, and works on it as far as anybody knows.
    pub(super) fn server_reached(&mut self) {
        self.reached = Reached::Server;
    }

    /// Whether a server had the question.
    pub(super) fn reached(&self) -> Reached {
        self.reached
    }

    /// Whether it heard any words of the answer as it stands.
    pub(super) fn heard(&self) -> Heard {
        self.heard
    }
}
