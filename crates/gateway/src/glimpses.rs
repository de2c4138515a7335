//! What nodes see of replies that grow on others.
//!
//! ```text
//! turn ── easel ──▶ the latest of each turn ──▶ leave: one row each, and a bell ─ ─▶ another node looks:
//!                                                          its feed, its sketches, who waits there
//! ```
//!
//! Nothing is left where nobody else uses the store, and nothing unless somebody there would see it: the node that looks
//! after the account, one on which somebody watches, one on which somebody waits for that answer. All of it is a
//! hint. A bell that is lost costs a period; a node that dies is believed for `limits::GLIMPSE_TIME`. The reply is a delivery.

pub(crate) mod easel;
pub(crate) mod look;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::address::AccountId;
use angelia_core::id::{InboxId, TurnId};
use angelia_core::limits;
use angelia_core::ring::Ring;
use angelia_store::glimpses::Left;
use tokio::time::Instant;

use crate::bells::{Bell, Ear};
use crate::ground::Ground;

/// What the loop is called that leaves them.
const NAME: &str = "glimpses";

/// What this node leaves for others, and what it was told of theirs.
#[derive(Debug, Clone, Default)]
pub struct Glimpses {
    desk: Arc<Mutex<Desk>>,
    /// Something is to be left.
    leaving: Bell,
    /// Something may be there to be seen.
    looking: Bell,
}

#[derive(Debug, Default)]
struct Desk {
    /// The latest of each turn that was not left yet.
    left: BTreeMap<TurnId, (Left, AccountId)>,
    /// Turns that grow no more.
    over: BTreeMap<TurnId, AccountId>,
    /// Until when it is taken that somebody watches elsewhere.
    watched_until: Option<Instant>,
    /// The same of those who wait for the answer to one message.
    followed_until: BTreeMap<InboxId, Instant>,
    news: News,
}

/// What was told of other nodes' replies, and not looked at yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum News {
    /// These have grown, or grow no more.
    Of(BTreeMap<TurnId, AccountId>),
    /// Anything may have.
    All,
}

impl Default for News {
    fn default() -> Self {
        Self::Of(BTreeMap::new())
    }
}

impl Glimpses {
    /// Leaves the latest of a turn's reply soon.
    fn leave(&self, left: Left, account: AccountId) {
        self.lock().left.insert(left.turn, (left, account));
        self.leaving.ring();
    }

    /// Takes away what was left of a turn.
    fn take_away(&self, turn: TurnId, account: &AccountId) {
        let mut desk = self.lock();
        desk.left.remove(&turn);
        desk.over.insert(turn, account.clone());
        drop(desk);
        self.leaving.ring();
    }

    /// Somebody watches on another node.
    pub(crate) fn watched(&self, now: Instant) {
        self.lock().watched_until = Some(now + limits::WATCHED_TIME.to_std());
    }

    /// Somebody on another node waits for the answer to a message.
    pub(crate) fn followed(&self, inbox: InboxId, now: Instant) {
        let followed = &mut self.lock().followed_until;
        followed.retain(|_, until| *until > now);
        if followed.len() < limits::GLIMPSES_MAX {
            followed.insert(inbox, now + limits::WATCHED_TIME.to_std());
        }
    }

    /// Whether somebody on another node watches, or waits for the answer to one of these messages.
    fn is_wanted(&self, messages: &[InboxId], now: Instant) -> bool {
        let desk = self.lock();
        let is_followed = |inbox| desk.followed_until.get(inbox).is_some_and(|at| *at > now);
        desk.watched_until.is_some_and(|until| until > now) || messages.iter().any(is_followed)
    }

    /// A reply for this account has grown on another node, or grows no more.
    pub(crate) fn grew(&self, turn: TurnId, account: AccountId) {
        let mut desk = self.lock();
        match &mut desk.news {
            News::Of(turns) if turns.len() < limits::GLIMPSES_MAX => {
                turns.insert(turn, account);
            }
            News::Of(_) | News::All => desk.news = News::All,
        }
        drop(desk);
        self.looking.ring();
    }

    /// Somebody is here who may want to see anything.
    pub(crate) fn look_at_all(&self) {
        self.lock().news = News::All;
        self.looking.ring();
    }

    fn news(&self) -> News {
        std::mem::take(&mut self.lock().news)
    }

    fn listen(&self) -> Ear {
        self.looking.listen()
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves what grows here for others to see, until the node stops.
pub(crate) async fn leave(ground: Ground) {
    if !ground.store.is_shared() {
        return;
    }
    let mut ear = ground.glimpses.leaving.listen();
    loop {
        tokio::select! {
            biased;
            () = ground.phase.stopping() => return,
            () = ear.heard() => (),
        }
        tokio::time::sleep(limits::FAR_RINGS_GATHERED.to_std()).await;
        leave_once(&ground).await;
    }
}

async fn leave_once(ground: &Ground) {
    let (left, over) = {
        let mut desk = ground.glimpses.lock();
        (
            std::mem::take(&mut desk.left),
            std::mem::take(&mut desk.over),
        )
    };
    let grown = left
        .iter()
        .map(|(turn, (_, account))| (*turn, account.clone()));
    let grown: BTreeSet<_> = grown.chain(over.clone()).collect();
    let left = left.into_values().map(|(left, _)| left).collect();
    let over = over.into_keys().collect();
    let done = ground.store.leave_glimpses(ground.node, left, over).await;
    ground.note(NAME, &done);
    for (turn, account) in grown {
        ground.bells.far.ring(|| Ring::Grew(turn, account));
    }
}
