//! Things that grow while people watch: when to show them again, and what a model thinks.
//!
//! What grows is shown at most every `limits::DRAFT_EVERY`, and only if it grew. Nothing of it is stored: a
//! turn that is taken up by another node begins with nothing to show.

use angelia_core::{limits, mask};
use tokio::time::Instant;

/// Whether people see something as it stands.
#[derive(Debug)]
pub(crate) enum Draft {
    /// They were shown it then.
    Shown(Instant),
    /// It has grown, and may be shown then.
    Grown(Instant),
}

impl Draft {
    /// Nothing was shown yet.
    pub(crate) fn new(now: Instant) -> Self {
        Self::Shown(now - limits::DRAFT_EVERY.to_std())
    }

    /// There is more of it.
    pub(crate) fn grew(&mut self) {
        if let Self::Shown(at) = self {
            *self = Self::Grown(*at + limits::DRAFT_EVERY.to_std());
        }
    }

    /// People see all of it.
    pub(crate) fn shown(&mut self, now: Instant) {
        *self = Self::Shown(now);
    }

    /// Whether it has grown and people may be shown it.
    pub(crate) fn may_be_shown(&self, now: Instant) -> bool {
        matches!(self, Self::Grown(due) if *due <= now)
    }

    /// Waits until it has grown and people may be shown it.
    pub(crate) async fn is_due(&self) {
        match self {
            Self::Shown(_) => std::future::pending().await,
            Self::Grown(due) => tokio::time::sleep_until(*due).await,
        }
    }
}

/// What a model thinks about the answer that it gives now: the newest part, if it is long.
#[derive(Debug)]
pub(crate) struct Thoughts {
    /// When to show them.
    pub(crate) draft: Draft,
    text: String,
}

impl Thoughts {
    /// None yet.
    pub(crate) fn new(now: Instant) -> Self {
        let (draft, text) = (Draft::new(now), String::new());
        Self { draft, text }
    }

    /// More of them.
    pub(crate) fn more(&mut self, more: &str) {
        self.text.push_str(more);
        if self.text.len() > limits::STEP_SHOWN_BYTES {
            let half = limits::STEP_SHOWN_BYTES / 2;
            self.text = mask::newest(&self.text, half).into_owned();
        }
        self.draft.grew();
    }

    /// Those about the answer before are over.
    pub(crate) fn over(&mut self, now: Instant) {
        self.text.clear();
        self.draft.shown(now);
    }

    /// As far as they go.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_thoughts_keep_their_newest_part() {
        let mut thoughts = Thoughts::new(Instant::now());
        for _ in 0..limits::STEP_SHOWN_BYTES {
            thoughts.more("ö");
        }
        thoughts.more("last");
        assert!(thoughts.text().len() <= limits::STEP_SHOWN_BYTES + "[…] ".len());
        assert!(thoughts.text().starts_with("[…] ") && thoughts.text().ends_with("last"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_grew_is_shown_once_its_time_has_come() {
        let began = Instant::now();
        let mut draft = Draft::new(began);
        draft.grew();
        draft.is_due().await;
        assert_eq!(Instant::now(), began, "the first is shown at once");
        draft.shown(Instant::now());
        draft.grew();
        draft.is_due().await;
        assert!(Instant::now() - began >= limits::DRAFT_EVERY.to_std());
    }
}
