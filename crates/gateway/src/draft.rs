//! Things that grow while people watch: when to show them again, and what a model thinks.
//!
//! What grows is shown at most every `limits::DRAFT_EVERY`, and only if it grew. Nothing of it is stored: a
//! turn that is taken up by another node begins with nothing to show.

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface, Tail};
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

/// As much of thoughts as is shown whole.
const ROOM: usize = limits::STEP_SHOWN_BYTES * 3 / 4;

/// What a model thinks about the answer that it gives now: the newest part, if it is long.
#[derive(Debug)]
pub(crate) struct Thoughts {
    /// When to show them.
    pub(crate) draft: Draft,
    text: Tail,
}

impl Thoughts {
    /// None yet.
    pub(crate) fn new(now: Instant) -> Self {
        let (draft, text) = (Draft::new(now), Tail::new(Surface::Output, ROOM));
        Self { draft, text }
    }

    /// More of them.
    pub(crate) fn more(&mut self, more: &str, masker: &Masker) {
        self.text.push(more, masker);
        self.draft.grew();
    }

    /// Those about the answer before are over.
    pub(crate) fn over(&mut self, now: Instant) {
        self.text.clear();
        self.draft.shown(now);
    }

    /// As far as they may be seen while they go on.
    pub(crate) fn growing(&self, masker: &Masker) -> String {
        self.text.growing(masker)
    }

    /// As they may be seen when they are over.
    pub(crate) fn whole(&self, masker: &Masker) -> String {
        self.text.whole(masker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_thoughts_keep_their_newest_part() {
        let (mut thoughts, masker) = (Thoughts::new(Instant::now()), Masker::default());
        for _ in 0..limits::STEP_SHOWN_BYTES {
            thoughts.more("ö\n", &masker);
        }
        thoughts.more("last", &masker);
        for seen in [thoughts.growing(&masker), thoughts.whole(&masker)] {
            assert!(seen.len() <= limits::STEP_SHOWN_BYTES);
            assert!(seen.starts_with("[…] ") && seen.ends_with("last"));
        }
    }

    #[test]
    fn no_half_of_a_secret_is_seen_where_thoughts_are_cut() {
        let masker = Masker::new(["hunter2 hunter2-hunter2".to_owned()]);
        let mut thoughts = Thoughts::new(Instant::now());
        for _ in 0..limits::STEP_SHOWN_BYTES / 10 {
            for words in ["say hunter2", " hunter2", "-hunter2 now", "\n"] {
                thoughts.more(words, &masker);
                let seen = [thoughts.growing(&masker), thoughts.whole(&masker)];
                assert!(!seen[0].contains("hunter2"), "{}", seen[0]);
                assert!(words != "\n" || !seen[1].contains("hunter2"));
            }
        }
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
