//! What a turn leaves behind: drafts to see, steps in the journal, and one end.
//!
//! Writes are tried again until the store answers or the lease is lost. A write that happened although
//! its answer was lost is recognised the second time: a step by its place, a settled turn by being
//! closed.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::delivery::plan;
use angelia_core::outbound::{Capabilities, Dedupe};
use angelia_core::text::{Limit, Unit};
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_core::turn::outcome::Outcome;
use angelia_platforms::Adapter;
use angelia_store::turns::{ClaimedTurn, Settle};
use angelia_store::{Fenced, StoreError};

use crate::common::Common;
use crate::feed::Frame;
use crate::leases::Grip;

/// Pause before a write that the store did not take is tried again.
const AGAIN: Span = Span::ms(200);

/// What replies are planned for when their account is not configured any more: small parts, so that
/// whoever delivers them one day can.
const UNKNOWN_ACCOUNT: Capabilities = Capabilities {
    text: Limit {
        max: 2000,
        unit: Unit::Chars,
    },
    dedupe: Dedupe::None,
};

/// Closes turns.
#[derive(Clone)]
pub(crate) struct Closing {
    /// The common ground.
    pub(crate) common: Common,
    /// The platforms that replies go to.
    pub(crate) adapters: Arc<BTreeMap<AccountId, Arc<dyn Adapter>>>,
}

impl Closing {
    /// Tells watchers that the turn is in `state`.
    pub(crate) fn announce(&self, claimed: &ClaimedTurn, state: &'static str) {
        metrics::counter!("angelia_turn_total", "state" => state).increment(1);
        let at = self.common.env.now();
        self.common.feed.publish(|| Frame::Turn {
            turn: claimed.turn,
            session: claimed.session,
            inbox_ids: claimed.batch.iter().map(|waiting| waiting.inbox).collect(),
            state,
            at,
        });
    }

    /// Shows the reply as it stands.
    pub(crate) fn show(&self, claimed: &ClaimedTurn, text: String) {
        self.common.feed.publish(|| Frame::Draft {
            turn: claimed.turn,
            session: claimed.session,
            inbox_ids: claimed.batch.iter().map(|waiting| waiting.inbox).collect(),
            address: Arc::new(last(claimed).inbound.address.clone()),
            text: text.into(),
        });
    }

    /// Writes a step into the journal. If the turn is no longer ours, its grip is lost, and with it
    /// the agent stops.
    pub(crate) async fn record(
        &self,
        claimed: &ClaimedTurn,
        (seq, step): (u32, Step),
        grip: &Grip,
    ) {
        let _lost_is_in_the_grip = self
            .insist(grip, || {
                self.common
                    .store
                    .record_step(claimed.turn, claimed.fence, seq, step.clone())
            })
            .await;
    }

    /// Closes the turn and plans its reply.
    pub(crate) async fn settle(&self, claimed: &ClaimedTurn, outcome: Outcome, grip: &Grip) {
        let account = &last(claimed).inbound.address.account;
        let adapter = self.adapters.get(account);
        let capabilities = adapter.map_or(UNKNOWN_ACCOUNT, |adapter| adapter.capabilities());
        let parts = plan::plan(&outcome.reply(), &capabilities);
        let state = outcome.name();
        let settle = Settle {
            turn: claimed.turn,
            fence: claimed.fence,
            outcome,
            deliveries: parts
                .into_iter()
                .map(|text| (self.common.env.delivery_id(), text))
                .collect(),
        };
        let settled = self
            .insist(grip, || self.common.store.settle_turn(settle.clone()))
            .await;
        self.common.bells.outbox(account).ring();
        if settled == Fenced::Done(()) {
            self.announce(claimed, state);
        }
    }

    /// Leaves the turn to whoever starts next. If this fails, its lease ends by itself and the
    /// attempt counts.
    pub(crate) async fn release(&self, claimed: &ClaimedTurn) {
        let released = self
            .common
            .store
            .release_turn(claimed.turn, claimed.fence)
            .await;
        self.common.note("turn", &released);
    }

    /// Writes until the store answers. A lost lease ends the turn as `Lost`.
    async fn insist<W>(&self, grip: &Grip, write: impl Fn() -> W) -> Fenced<()>
    where
        W: Future<Output = Result<Fenced<()>, StoreError>>,
    {
        while !grip.lost().is_cancelled() {
            match write().await {
                Ok(Fenced::Done(())) => return Fenced::Done(()),
                Ok(Fenced::Lost) => break,
                Err(error) => self.common.note::<()>("turn", &Err(error)),
            }
            tokio::time::sleep(AGAIN.to_std()).await;
        }
        grip.lost().cancel();
        Fenced::Lost
    }
}

fn last(claimed: &ClaimedTurn) -> &angelia_store::turns::Waiting {
    claimed
        .batch
        .last()
        .expect("a claimed turn has at least one message")
}
