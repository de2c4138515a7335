//! The checker that watches every verb while it happens.
//!
//! It sees what the store really did, also when the caller was told of an error. Laws it holds:
//! fences only rise; nothing is written under a fence that was overtaken; a session has one open turn;
//! a turn settles once. What became of every message goes into its `ledger`, with laws of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::id::{DeliveryId, SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::session::news::News;
use angelia_core::turn::journal::Step;
use angelia_store::turns::{ClaimedTurn, Settle, Waiting};

use crate::sim::ledger::Ledger;

/// What was seen so far.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    fences: BTreeMap<String, Fence>,
    turn_fences: BTreeMap<TurnId, Fence>,
    open: BTreeMap<SessionId, TurnId>,
    settled: BTreeSet<TurnId>,
    news: BTreeMap<SessionId, News>,
    ledger: Ledger,
    /// Messages that show growing replies, and whose receipts are written down.
    drafts: BTreeSet<DeliveryId>,
    broken: Vec<String>,
}

impl Watch {
    /// A turn was claimed.
    pub fn claimed(&self, claimed: &ClaimedTurn) {
        let mut seen = self.lock();
        seen.fence_rose(&claimed.lease, claimed.fence);
        seen.turn_fences.insert(claimed.turn, claimed.fence);
        match seen.open.insert(claimed.session, claimed.turn) {
            Some(other) if other != claimed.turn => seen.broke(format!(
                "{} was claimed in {} while {other} was open",
                claimed.turn, claimed.session
            )),
            Some(_) | None => (),
        }
        if seen.settled.contains(&claimed.turn) {
            seen.broke(format!(
                "{} was claimed again after it had settled",
                claimed.turn
            ));
        }
        let broken = seen.ledger.claimed(claimed);
        seen.broken.extend(broken);
    }

    /// What a message is known by was written down, or so its writer was told.
    pub fn kept_draft(&self, id: DeliveryId) {
        self.lock().drafts.insert(id);
    }

    /// Whether it was.
    pub fn has_kept(&self, id: DeliveryId) -> bool {
        self.lock().drafts.contains(&id)
    }

    /// A lease was taken.
    pub fn leased(&self, name: &str, fence: Fence) {
        let mut seen = self.lock();
        if seen.fences.get(name).is_some_and(|before| *before > fence) {
            seen.broke(format!("the fence of {name} fell to {}", fence.0));
        }
        seen.fences.insert(name.to_owned(), fence);
    }

    /// Something was written for a turn under `fence`.
    pub fn wrote(&self, turn: TurnId, fence: Fence, what: &str) {
        let mut seen = self.lock();
        if seen
            .turn_fences
            .get(&turn)
            .is_some_and(|newest| *newest > fence)
        {
            seen.broke(format!(
                "{what} of {turn} was written under the old fence {}",
                fence.0
            ));
        }
    }

    /// Something was written for an account under `fence`.
    pub fn wrote_for_account(&self, name: &str, fence: Fence, what: &str) {
        let mut seen = self.lock();
        if seen.fences.get(name).is_some_and(|newest| *newest > fence) {
            seen.broke(format!(
                "{what} on {name} was written under the old fence {}",
                fence.0
            ));
        }
    }

    /// A turn was settled under `fence`.
    pub fn settled(&self, settle: &Settle, fence: Fence) {
        let turn = settle.turn;
        self.wrote(turn, fence, "the end");
        let mut seen = self.lock();
        seen.open.retain(|_, open| *open != turn);
        if !seen.settled.insert(turn) {
            seen.broke(format!("{turn} settled twice"));
        }
        let broken = seen.ledger.settled(settle);
        seen.broken.extend(broken);
    }

    /// A step was written into the journal of a turn.
    pub fn recorded(&self, turn: TurnId, step: &Step) {
        self.lock().ledger.recorded(turn, step);
    }

    /// The program of a conversation was let go.
    pub fn let_go(&self, session: SessionId) {
        let mut seen = self.lock();
        if let Some(turn) = seen.open.get(&session).copied() {
            seen.broke(format!(
                "program: that of {session} was let go while {turn} is open"
            ));
        }
    }

    /// A turn took calls to stop along.
    pub fn took(&self, turn: TurnId, batch: &[Waiting]) {
        self.lock().ledger.took(turn, batch);
    }

    /// A turn took words along.
    pub fn steered(&self, turn: TurnId, step: &Step, batch: &[Waiting]) {
        self.lock().ledger.steered(turn, step, batch);
    }

    /// Looks at the book, or writes in it.
    pub fn book<T>(&self, look: impl FnOnce(&mut Ledger) -> T) -> T {
        look(&mut self.lock().ledger)
    }

    /// Someone noticed that a law was broken.
    pub fn broke(&self, what: impl Into<String>) {
        self.lock().broke(what.into());
    }

    /// The news of a conversation as they were first told, for planted bugs.
    pub fn first_news(&self, claimed: &ClaimedTurn) -> Option<News> {
        let mut seen = self.lock();
        if let Some(news) = claimed.news {
            seen.news.entry(claimed.session).or_insert(news);
        }
        seen.news.get(&claimed.session).copied()
    }

    /// The newest fence of a turn, for planted bugs.
    pub fn newest(&self, turn: TurnId) -> Option<Fence> {
        self.lock().turn_fences.get(&turn).copied()
    }

    /// The laws that were broken.
    pub fn broken(&self) -> Vec<String> {
        self.lock().broken.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn fence_rose(&mut self, name: &str, fence: Fence) {
        let before = self.fences.insert(name.to_owned(), fence);
        if before.is_some_and(|before| before >= fence) {
            self.broke(format!("the fence of {name} did not rise with its claim"));
        }
    }

    fn broke(&mut self, what: String) {
        self.broken.push(what);
    }
}
