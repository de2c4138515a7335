//! Shows replies of one account while they grow: drafts, lines about tools, that somebody writes, and signs on messages.
//!
//! ```text
//! sketch begins ─▶ draw ─┬─▶ the platform        turn over ─▶ at rest ─▶ the courier edits the last text in
//!                 lines ─┤                                              └▶ sweep: what is no part of it goes
//!         typing, signs ─┘
//! ```
//!
//! It lives beside the courier, under the account's lease, because the platform's pace belongs to the account. Each
//! message is a row before it is sent and has its receipt after, so the reply ends in the message that it began in
//! whoever sends it. What is shown is a hint: only the courier waits for what is under way, and a question, for a while,
//! for the words above it.

mod draw;
mod lines;
mod questions;
mod signs;
mod typing;

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::outbound::{Action, Receipt, SendError};
use angelia_core::time::{Span, Timestamp};
use angelia_platforms::Adapter;
use angelia_store::drafts::{Fate, Stale};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::ground::Ground;
use crate::sketches::{Sketch, Sketches, Work};

/// What shows the replies of one account, under one fence.
pub(crate) struct Showing {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The account.
    pub(crate) account: AccountId,
    /// The platform.
    pub(crate) adapter: Arc<dyn Adapter>,
    /// The fence of the account's lease.
    pub(crate) fence: Fence,
    /// Ends it: nothing new is shown, and what is under way is finished.
    pub(crate) end: CancellationToken,
}

/// Tells the turn's place free when it is dropped, also in the middle.
struct AtRest<'s> {
    sketches: &'s Sketches,
    sketch: Arc<Sketch>,
    shown: BTreeMap<String, String>,
}

impl Drop for AtRest<'_> {
    fn drop(&mut self) {
        let shown = std::mem::take(&mut self.shown);
        self.sketches.rests(&self.sketch, shown);
    }
}

impl Showing {
    fn name(&self) -> String {
        format!("showing {}", self.account)
    }

    /// Shows until it is ended; what is under way then is finished.
    pub(crate) async fn run(&self) {
        if self.adapter.capabilities().live.is_none() {
            return;
        }
        self.ground.sketches.unsure();
        let mut ear = self.ground.sketches.listen();
        let mut shown = FuturesUnordered::new();
        let sweeping = self.keep_tidy();
        tokio::pin!(sweeping);
        loop {
            let new = self.ground.sketches.take_up(&self.account);
            shown.extend(new.into_iter().map(|sketch| self.show(sketch)));
            tokio::select! {
                biased;
                () = self.end.cancelled() => break,
                Some(()) = shown.next(), if !shown.is_empty() => (),
                () = ear.heard() => (),
                () = &mut sweeping => (),
            }
        }
        let under_way = async { while shown.next().await.is_some() {} };
        let finished = tokio::time::timeout(limits::STOP_TIME.to_std(), under_way);
        // A platform that does not answer leaves a message in doubt, like a crash would.
        let _in_doubt = finished.await.is_err();
    }

    /// Waits until there is nothing more to show of a reply.
    async fn over(&self, sketch: &Sketch) {
        tokio::select! {
            biased;
            () = self.end.cancelled() => (),
            () = sketch.over() => (),
        }
    }

    fn is_over(&self, sketch: &Sketch) -> bool {
        self.end.is_cancelled() || sketch.work() == Work::Over
    }

    /// Shows one reply until its turn is over and nothing of it is under way.
    async fn show(&self, sketch: Arc<Sketch>) {
        let mut rest = AtRest {
            sketches: &self.ground.sketches,
            sketch: Arc::clone(&sketch),
            shown: BTreeMap::new(),
        };
        let (shown, (), (), ()) = tokio::join!(
            self.draw(&sketch),
            self.list(&sketch),
            self.keep_typing(&sketch),
            self.sign(&sketch)
        );
        rest.shown = shown;
    }

    /// Takes away what is no part of a reply that is out, and changes signs on messages that are answered, for ever.
    async fn keep_tidy(&self) {
        let mut ear = self.ground.sketches.listen();
        let mut decided = self.ground.bells.decided.listen();
        loop {
            self.sweep().await;
            self.shut_questions().await;
            tokio::select! {
                biased;
                () = ear.heard() => (),
                () = decided.heard() => (),
                () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
            }
        }
    }

    async fn sweep(&self) {
        let store = &self.ground.store;
        let stale = store
            .stale_drafts(&self.account, limits::STALE_DRAFTS)
            .await;
        self.ground.note(&self.name(), &stale);
        for one in stale.unwrap_or_default() {
            if !self.is_gone(&one).await {
                return;
            }
            let forgotten = store.forget_draft(one.id).await;
            self.ground.note(&self.name(), &forgotten);
        }
    }

    /// Whether nothing is left to be done about a message; if not, later.
    async fn is_gone(&self, stale: &Stale) -> bool {
        let (address, receipt) = (stale.address.clone(), stale.receipt.clone());
        let wanted = match stale.fate {
            Fate::Stays => return true,
            Fate::Goes => Action::Delete { address, receipt },
            Fate::Signed(sign) => Action::React {
                address,
                message: receipt.0,
                sign,
            },
        };
        match self.perform(wanted, limits::DRAFT_EDIT_TIME).await {
            Ok(_) | Err(SendError::Gone { .. } | SendError::Refused { .. }) => true,
            Err(error @ (SendError::Later { .. } | SendError::Unknown { .. })) => {
                tracing::debug!(account = %self.account, %error, "a draft is seen to later");
                false
            }
        }
    }

    /// Asks the platform, and waits no longer than that.
    async fn perform(&self, action: Action, time: Span) -> Result<Receipt, SendError> {
        let asked = tokio::time::timeout(time.to_std(), self.adapter.perform(action));
        asked.await.unwrap_or_else(|_| {
            let why = "the platform did not answer in time".to_owned();
            Err(SendError::Unknown { why })
        })
    }
}

/// A clock that only goes forward, in the form in which drafts are told the time.
#[derive(Clone, Copy)]
struct Pace {
    began: Instant,
}

impl Pace {
    fn of(ground: &Ground) -> Self {
        Self {
            began: ground.env.steady(),
        }
    }

    fn now(self, ground: &Ground) -> Timestamp {
        Timestamp::from_ms(ground.env.elapsed(self.began).as_ms())
    }

    fn instant(self, at: Timestamp) -> Instant {
        self.began + at.since(Timestamp::from_ms(0)).to_std()
    }

    /// A moment of the wall's clock on this one.
    fn at(self, wall: Timestamp, ground: &Ground) -> Timestamp {
        self.now(ground) + wall.since(ground.env.now())
    }
}
