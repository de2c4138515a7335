//! Steps 9 and 10 for one account: due deliveries go to the adapter, answers go to the rows.
//!
//! The courier claims the heads of lanes, at most one per chat, sends them side by side and confirms
//! each. It is woken by the outbox bell, by the next due time, or by a period. It ends when it can no
//! longer tell which deliveries it holds: its claim may have happened although the store answered
//! with an error. Its account then takes a new fence, and what was left in the middle is decided
//! over like after a crash. A part that was shown while it grew ends in the message that showed it. When
//! the node stops or hands the account over, it claims nothing more and finishes what is under way.

use std::sync::Arc;

use angelia_core::access::{self, code::Code};
use angelia_core::address::AccountId;
use angelia_core::approval::buttons;
use angelia_core::delivery::retry;
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::media::enclosure::{self, Enclosure};
use angelia_core::outbound::{
    Action, Delivery, DeliveryKind, DeliveryUpdate, NextTry, Reach, Receipt, SendError, Wedge,
};
use angelia_core::time::Span;
use angelia_platforms::Adapter;
use angelia_store::Fenced;
use angelia_store::access::Issued;
use angelia_store::drafts::{Draft, Role};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio_util::sync::CancellationToken;

use crate::ground::Ground;

/// Pause before a confirmation that the store did not take is tried again.
const CONFIRM_AGAIN: Span = Span::ms(200);

/// The shortest rest before the next look, so that clocks that disagree by a little cost little.
const REST_MIN: Span = Span::ms(10);

/// The courier of one account, under one fence.
pub(crate) struct Courier {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The account.
    pub(crate) account: AccountId,
    /// The platform.
    pub(crate) adapter: Arc<dyn Adapter>,
    /// The fence of the account's lease.
    pub(crate) fence: Fence,
    /// Cancelled when another node shall go on.
    pub(crate) leave: CancellationToken,
}

impl Courier {
    fn name(&self) -> String {
        format!("courier {}", self.account)
    }

    /// Delivers until the lease is lost or a claim's outcome is not known. What is under way is
    /// finished first.
    pub(crate) async fn run(&self) {
        let phase = self.ground.phase.clone();
        let mut ear = self.ground.bells.outbox(&self.account).listen();
        let mut sends = FuturesUnordered::new();
        loop {
            let free = limits::SENDS_PER_ACCOUNT - sends.len();
            let Some(heads) = self.claim(free).await else {
                break;
            };
            sends.extend(heads.into_iter().map(|head| self.deliver(head)));
            let rest = self.rest(limits::SENDS_PER_ACCOUNT - sends.len()).await;
            tokio::select! {
                biased;
                () = phase.stopping() => break,
                () = self.leave.cancelled() => break,
                // Those that ended together are followed by one look.
                Some(()) = sends.next(), if !sends.is_empty() => {
                    while let Some(Some(())) = sends.next().now_or_never() {}
                }
                () = ear.heard() => (),
                () = tokio::time::sleep(rest.to_std()) => (),
            }
        }
        let under_way = async { while sends.next().await.is_some() {} };
        tokio::select! {
            biased;
            () = under_way => (),
            // A platform that does not answer leaves its deliveries in doubt, like a crash would.
            () = phase.stopping_for(limits::STOP_TIME) => (),
        }
    }

    /// The deliveries to send now; nothing if it cannot be told which ones are ours.
    async fn claim(&self, free: usize) -> Option<Vec<Delivery>> {
        if free == 0 {
            return Some(Vec::new());
        }
        let claimed = self
            .ground
            .store
            .claim_deliveries(&self.account, self.fence, free)
            .await;
        self.ground.note(&self.name(), &claimed);
        match claimed {
            Ok(Fenced::Done(heads)) => Some(heads),
            Ok(Fenced::Lost) | Err(_) => None,
        }
    }

    /// How long to rest: until the next delivery is due, and never longer than a period. Without a
    /// free place there is nothing to look for until a send has ended.
    async fn rest(&self, free: usize) -> Span {
        if free == 0 {
            return limits::LOOP_PERIOD;
        }
        let due = self.ground.store.next_due(&self.account).await;
        self.ground.note(&self.name(), &due);
        let Ok(Some(due)) = due else {
            return limits::LOOP_PERIOD;
        };
        due.max(REST_MIN).min(limits::LOOP_PERIOD)
    }

    async fn deliver(&self, delivery: Delivery) {
        let update = match self.draft(&delivery).await {
            Some(draft) => self.end(&delivery, draft).await,
            None => self.send(&delivery).await,
        };
        self.confirm(&delivery, update).await;
        if let Some(turn) = delivery.turn
            && delivery.part == delivery.parts
            && self.is_live()
        {
            self.ground.sketches.delivered(turn);
        }
    }

    /// Sends files. Where none are kept, nobody can.
    async fn send_files(&self, delivery: &Delivery) -> DeliveryUpdate {
        // Another node may have kept them.
        self.ground.media.have_enclosed(&delivery.files).await;
        let place = |file: &Enclosure| Some((file.clone(), self.ground.media.enclosed(file)?));
        let files: Option<Vec<_>> = delivery.files.iter().map(place).collect();
        let Some(files) = files else {
            let why = "this gateway keeps no files".to_owned();
            let reach = Reach::Message;
            return DeliveryUpdate::Wedged(Wedge { reach, why });
        };
        let action = Action::SendFiles {
            key: delivery.id,
            address: delivery.address.clone(),
            files,
            quotes: delivery.quotes.clone(),
        };
        let sent = self.perform_within(action, enclosure::time(&delivery.files));
        match sent.await {
            Ok(receipt) => DeliveryUpdate::Sent(receipt),
            Err(error) => self.after(delivery, &error),
        }
    }

    async fn send(&self, delivery: &Delivery) -> DeliveryUpdate {
        if !delivery.files.is_empty() {
            return self.send_files(delivery).await;
        }
        let text = match self.words(delivery).await {
            Ok(text) => text,
            Err(instead) => return instead,
        };
        let action = Action::Send {
            key: delivery.id,
            address: delivery.address.clone(),
            text,
            buttons: delivery.asks.as_ref().map(buttons::of).unwrap_or_default(),
            quotes: delivery.quotes.clone(),
        };
        match self.perform(action).await {
            Ok(receipt) => DeliveryUpdate::Sent(receipt),
            Err(error) => self.after(delivery, &error),
        }
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        self.perform_within(action, limits::SEND_TIME).await
    }

    async fn perform_within(&self, action: Action, time: Span) -> Result<Receipt, SendError> {
        let sent = tokio::time::timeout(time.to_std(), self.adapter.perform(action));
        sent.await.unwrap_or_else(|_| {
            let why = "the platform did not answer in time".to_owned();
            Err(SendError::Unknown { why })
        })
    }

    fn is_live(&self) -> bool {
        self.adapter.capabilities().live.is_some()
    }

    /// The message in which this part was shown while it grew. Nothing of it is under way any more, and no
    /// other node shows it: its account is ours.
    async fn draft(&self, delivery: &Delivery) -> Option<Draft> {
        let is_shown = delivery.kind == DeliveryKind::Reply && delivery.files.is_empty();
        if !self.is_live() || !is_shown {
            return None;
        }
        let turn = delivery.turn?;
        let rested = self.ground.sketches.rested(turn);
        let _in_doubt = tokio::time::timeout(limits::SEND_TIME.to_std(), rested)
            .await
            .is_err();
        let store = &self.ground.store;
        let read = self.ground.insist("courier", || store.drafts(turn));
        let mut drafts = read.await.into_iter();
        let this = |one: &Draft| one.role == Role::Reply && one.place == delivery.part;
        drafts.find(this)
    }

    /// Ends a part in the message that showed it. To ask for that twice is to ask for it once, so its
    /// outcome is never in doubt. A message that is gone is sent anew.
    async fn end(&self, delivery: &Delivery, draft: Draft) -> DeliveryUpdate {
        let (shown, receipt) = (&self.ground.sketches, draft.receipt);
        let shows = |turn| shown.shows(turn, &receipt, &delivery.text);
        if delivery.turn.is_some_and(shows) {
            return DeliveryUpdate::Sent(receipt);
        }
        let action = Action::Edit {
            address: delivery.address.clone(),
            receipt,
            text: delivery.text.clone(),
        };
        match self.perform(action).await {
            Ok(receipt) => DeliveryUpdate::Sent(receipt),
            Err(SendError::Gone { .. }) => {
                // Without its row, whoever finds this delivery in the middle knows that it may have been sent.
                let store = &self.ground.store;
                let forgotten = || store.forget_draft(draft.id);
                self.ground.insist("courier", forgotten).await;
                self.send(delivery).await
            }
            Err(SendError::Unknown { why }) => {
                let not_before = None;
                self.after(delivery, &SendError::Later { not_before, why })
            }
            Err(error @ (SendError::Later { .. } | SendError::Refused { .. })) => {
                self.after(delivery, &error)
            }
        }
    }

    /// What is said: the words of the row, or those with a code that exists from this moment on. Without words, what
    /// becomes of the delivery instead.
    async fn words(&self, delivery: &Delivery) -> Result<String, DeliveryUpdate> {
        if delivery.kind != DeliveryKind::Code {
            return Ok(delivery.text.clone());
        }
        let env = &self.ground.env;
        let code = Code::of(env.random());
        let (store, sealed) = (&self.ground.store, code.seal(env.random()));
        match store.issue_code(delivery.id, self.fence, sealed).await {
            Ok(Fenced::Done(Issued::Now)) => Ok(access::words::code(&code)),
            Ok(Fenced::Done(Issued::Over)) => Err(DeliveryUpdate::Wedged(Wedge {
                reach: Reach::Message,
                why: "nobody waits for this code any more".to_owned(),
            })),
            // It is no longer ours, and so will not be confirmed.
            Ok(Fenced::Lost) => Err(DeliveryUpdate::Again(NextTry {
                at: env.now(),
                why: "its account is another node's".to_owned(),
            })),
            Err(error) => {
                let (not_before, why) = (None, error.to_string());
                self.ground.note::<()>(&self.name(), &Err(error));
                Err(self.after(delivery, &SendError::Later { not_before, why }))
            }
        }
    }

    fn after(&self, delivery: &Delivery, error: &SendError) -> DeliveryUpdate {
        tracing::info!(delivery = %delivery.id, %error, "not delivered");
        let dedupe = self.adapter.capabilities().dedupe;
        retry::next(
            delivery,
            error,
            dedupe,
            self.ground.env.now(),
            self.ground.env.jitter(),
        )
    }

    /// Records the outcome, however long the store needs. If the lease is lost meanwhile, this future
    /// is dropped with its courier.
    async fn confirm(&self, delivery: &Delivery, update: DeliveryUpdate) {
        loop {
            let update = update.clone();
            let confirmed = self
                .ground
                .store
                .confirm_delivery(delivery.id, self.fence, update)
                .await;
            match confirmed {
                Ok(Fenced::Done(now)) => return self.tell(now),
                Ok(Fenced::Lost) => return,
                Err(error) => self.ground.note::<()>(&self.name(), &Err(error)),
            }
            tokio::time::sleep(CONFIRM_AGAIN.to_std()).await;
        }
    }

    fn tell(&self, delivery: Delivery) {
        metrics::counter!("angelia_deliver_total", "state" => delivery.state.name()).increment(1);
        let address = &delivery.address;
        self.ground
            .bells
            .chats
            .ring(&address.account, &address.chat.id);
        self.ground.feed.publish_delivery(delivery);
    }
}
