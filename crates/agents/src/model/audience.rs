//! Whoever hears an answer while it is spoken.
//!
//! Words go out as they come, with a gap before the first if the reply has words already. That nobody
//! listens any more is noticed when the answer is written down, not here.

use super::spoken::Spoken;
use crate::events::Events;

/// Hears one answer.
pub(super) struct Audience<'a> {
    events: &'a Events,
    gap: Option<&'static str>,
}

impl<'a> Audience<'a> {
    /// The gap stands before the first words.
    pub(super) fn new(events: &'a Events, gap: &'static str) -> Self {
        Self {
            events,
            gap: Some(gap),
        }
    }

    /// Hears a piece.
    pub(super) async fn hear(&mut self, piece: &Spoken) {
        if let Spoken::Text(words) = piece {
            let words = format!("{}{words}", self.gap.take().unwrap_or_default());
            let _ended = self.events.text(words).await.is_err();
        }
    }

    /// Whether it heard any words.
    pub(super) fn has_heard(&self) -> bool {
        self.gap.is_none()
    }
}
