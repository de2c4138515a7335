//! What a turn puts up for other nodes to see: the reply so far, and what was done last.
//!
//! It is put up at a pace of its own, when there is something new, and every period, so that others know that the turn is at
//! work. It goes with the turn. Where nobody else can share the store there is no easel.

use angelia_core::address::AccountId;
use angelia_core::id::TurnId;
use angelia_core::limits;
use angelia_core::stream::glimpse::{Glimpse, Seen};
use angelia_store::glimpses::Left;
use angelia_store::turns::ClaimedTurn;
use tokio::time::Instant;

use super::Glimpses;
use crate::ground::Ground;

/// Where a turn's reply is put up; nowhere if nobody could see it.
#[derive(Debug, Default)]
pub(crate) struct Easel(Option<Canvas>);

#[derive(Debug)]
struct Canvas {
    all: Glimpses,
    /// When it was put up last, or looked whether to, and when that is next.
    looked_at: Instant,
    due: Instant,
    steps: Vec<Seen>,
    thoughts: String,
    /// The turn and its account, if something is put up.
    left: Option<(TurnId, AccountId)>,
}

impl Easel {
    /// For a turn that begins.
    pub(crate) fn of(ground: &Ground) -> Self {
        let now = ground.env.steady();
        let canvas = || Canvas {
            all: ground.glimpses.clone(),
            looked_at: now,
            due: now + limits::GLIMPSE_EVERY.to_std(),
            steps: Vec::new(),
            thoughts: String::new(),
            left: None,
        };
        Self(ground.store.is_shared().then(canvas))
    }

    /// Waits until it may be put up.
    pub(crate) async fn is_due(&self) {
        match &self.0 {
            Some(canvas) => tokio::time::sleep_until(canvas.due).await,
            None => std::future::pending().await,
        }
    }

    /// There is something new.
    pub(crate) fn grew(&mut self) {
        if let Some(canvas) = &mut self.0 {
            let soon = canvas.looked_at + limits::GLIMPSE_EVERY.to_std();
            canvas.due = canvas.due.min(soon);
        }
    }

    /// Something was done. What is known of it is made only if somebody may see it.
    pub(crate) fn step(&mut self, seen: impl FnOnce() -> Seen) {
        if let Some(canvas) = &mut self.0 {
            let seen = seen().bounded();
            canvas.steps.retain(|one| !seen.step.stands_for(&one.step));
            canvas.steps.push(seen);
            let extra = canvas.steps.len().saturating_sub(limits::GLIMPSE_STEPS);
            canvas.steps.drain(..extra);
            self.grew();
        }
    }

    /// More was thought beside the words.
    pub(crate) fn think(&mut self, more: &str) {
        if let Some(canvas) = &mut self.0
            && canvas.thoughts.len() < limits::STEP_SHOWN_BYTES
        {
            canvas.thoughts.push_str(more);
            self.grew();
        }
    }

    /// Whether somebody on another node wants to see the turn anyway, whoever has its account.
    pub(crate) fn is_wanted(&self, claimed: &ClaimedTurn, now: Instant) -> bool {
        let messages: Vec<_> = claimed.batch.iter().map(|one| one.inbox).collect();
        let canvas = self.0.as_ref();
        canvas.is_some_and(|canvas| canvas.all.is_wanted(&messages, now))
    }

    /// Puts it up, with what was done and thought; or takes it down, if there is nothing to put up.
    pub(crate) fn put_up(&mut self, claimed: &ClaimedTurn, glimpse: Option<Glimpse>, now: Instant) {
        let Some(canvas) = &mut self.0 else {
            return;
        };
        canvas.looked_at = now;
        canvas.due = now + limits::LOOP_PERIOD.to_std();
        let Some(mut glimpse) = glimpse else {
            return canvas.take_down();
        };
        glimpse.steps.clone_from(&canvas.steps);
        glimpse.thoughts.clone_from(&canvas.thoughts);
        let account = glimpse.address.account.clone();
        let left = Left {
            turn: claimed.turn,
            fence: claimed.fence,
            body: glimpse.bounded().written(),
        };
        canvas.left = Some((claimed.turn, account.clone()));
        canvas.all.leave(left, account);
    }
}

impl Canvas {
    fn take_down(&mut self) {
        if let Some((turn, account)) = self.left.take() {
            self.all.take_away(turn, &account);
        }
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        self.take_down();
    }
}
