//! What a case begins with: a store, a clock moved by hand, and short ways to get somewhere.
//!
//! The short ways insist: they fail the case when the store does something else than expected, so a
//! case reads as the promise it is about.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{DeliveryId, InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::lease::Fence;
use angelia_core::outbound::{Delivery, DeliveryUpdate, Receipt};
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::outcome::Outcome;
use angelia_store::intake::{Accept, Accepted, Place};
use angelia_store::leases::Boot;
use angelia_store::turns::{ClaimedTurn, Settle};
use angelia_store::views::{OutboxFilter, Range};
use angelia_store::{Clock, Fenced, Store, StoreError};

/// A clock that stands still until it is moved.
#[derive(Debug, Clone)]
pub struct HandClock(Arc<AtomicI64>);

impl HandClock {
    /// A clock that shows a moment long after 1970, so that times before it are ordinary too.
    pub fn new() -> Self {
        Self(Arc::new(AtomicI64::new(1_700_000_000_000)))
    }

    /// What it shows.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }

    /// Moves it.
    pub fn advance(&self, span: Span) {
        self.0.fetch_add(span.as_ms(), Ordering::SeqCst);
    }

    /// The same clock, as a store takes it.
    pub fn for_store(&self) -> Clock {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

impl Default for HandClock {
    fn default() -> Self {
        Self::new()
    }
}

/// A store of its own, its clock, and a source of ids.
pub struct Given {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its clock.
    pub clock: HandClock,
    /// The boot that works in the case unless it says otherwise.
    pub node: NodeId,
    made: AtomicU64,
}

/// The value of a write that took place.
#[track_caller]
pub fn done<T>(fenced: Fenced<T>) -> T {
    match fenced {
        Fenced::Done(value) => value,
        Fenced::Lost => panic!("the fence should still hold"),
    }
}

/// Whether a write was refused because the thing is somebody else's.
pub fn is_lost<T>(fenced: &Fenced<T>) -> bool {
    matches!(fenced, Fenced::Lost)
}

/// The one account of the cases.
pub fn account() -> AccountId {
    AccountId::of(Platform::Api)
}

/// Rows from the start, at most so many.
pub fn first(limit: usize) -> Range {
    Range { after: None, limit }
}

/// The update of a delivery that the platform shows.
pub fn shown() -> DeliveryUpdate {
    DeliveryUpdate::Sent(Receipt("shown".to_owned()))
}

impl Given {
    /// Wraps a store that was opened with this clock.
    pub fn new(store: Arc<dyn Store>, clock: HandClock) -> Self {
        Self {
            store,
            clock,
            node: NodeId::from_bits(1),
            made: AtomicU64::new(1),
        }
    }

    /// A number that was not given before.
    pub fn number(&self) -> u128 {
        u128::from(self.made.fetch_add(1, Ordering::SeqCst)) + 1
    }

    /// A new message in a private chat.
    pub fn inbound(&self, chat: &str, text: &str) -> Inbound {
        let message_id = format!("m{}", self.number());
        Inbound {
            address: Address {
                platform: Platform::Api,
                account: account(),
                chat: Chat {
                    id: chat.to_owned(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: "u1".to_owned(),
                name: Some("Anna".to_owned()),
            },
            event_key: EventKey::in_chat(chat, &message_id),
            message_id,
            text: text.to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        }
    }

    /// The message at the door, with new ids.
    pub fn at_the_door(&self, inbound: Inbound) -> Accept {
        Accept {
            inbound,
            inbox: InboxId::from_bits(self.number()),
            session: SessionId::from_bits(self.number()),
            rules: Arc::new(Rules::default()),
            cursor: None,
        }
    }

    /// Puts a new message in.
    pub async fn say(&self, chat: &str, text: &str) -> Result<Place, StoreError> {
        let accepted = self
            .store
            .accept(self.at_the_door(self.inbound(chat, text)))
            .await?;
        let Accepted::New(place) = accepted else {
            panic!("`{text}` should be taken, not {accepted:?}")
        };
        Ok(place)
    }

    /// Claims the next turn, if there is one.
    pub async fn try_claim(&self) -> Result<Option<ClaimedTurn>, StoreError> {
        self.store
            .claim_turn(self.node, TurnId::from_bits(self.number()))
            .await
    }

    /// Claims the next turn.
    pub async fn claim(&self) -> Result<ClaimedTurn, StoreError> {
        Ok(self
            .try_claim()
            .await?
            .expect("a message waits to be claimed"))
    }

    /// Claims the next turn without an owner.
    pub async fn orphan(&self) -> Result<ClaimedTurn, StoreError> {
        Ok(self
            .store
            .claim_orphan(self.node)
            .await?
            .expect("a turn has no owner"))
    }

    /// The settlement of a turn with these parts as its reply.
    pub fn settlement(&self, turn: &ClaimedTurn, parts: &[&str]) -> Settle {
        let part = |text: &&str| (DeliveryId::from_bits(self.number()), (*text).to_owned());
        Settle {
            turn: turn.turn,
            fence: turn.fence,
            outcome: Outcome::Completed {
                text: parts.join(""),
            },
            entries: Vec::new(),
            compacted: None,
            deliveries: parts.iter().map(part).collect(),
            files: Vec::new(),
            quotes: None,
        }
    }

    /// Closes a turn with these parts as its reply.
    pub async fn settle(
        &self,
        turn: &ClaimedTurn,
        parts: &[&str],
    ) -> Result<Vec<DeliveryId>, StoreError> {
        let settle = self.settlement(turn, parts);
        let ids = settle.deliveries.iter().map(|(id, _)| *id).collect();
        done(self.store.settle_turn(settle).await?);
        Ok(ids)
    }

    /// Puts a message in and answers it with these parts.
    pub async fn answered(
        &self,
        chat: &str,
        parts: &[&str],
    ) -> Result<Vec<DeliveryId>, StoreError> {
        self.say(chat, "a question").await?;
        let turn = self.claim().await?;
        self.settle(&turn, parts).await
    }

    /// Takes the account's lease for another boot, after the last one has lapsed.
    pub async fn new_courier(&self) -> Result<Fence, StoreError> {
        self.clock.advance(Span::minutes(5));
        self.courier().await
    }

    /// Takes the account's lease.
    pub async fn courier(&self) -> Result<Fence, StoreError> {
        let taken = self.store.take_lease("account/api", self.node).await?;
        Ok(taken.expect("the account's lease is free"))
    }

    /// Claims what can be sent; returns the texts.
    pub async fn claim_texts(&self, fence: Fence) -> Result<Vec<String>, StoreError> {
        let claimed = done(self.store.claim_deliveries(&account(), fence, 100).await?);
        Ok(claimed.into_iter().map(|delivery| delivery.text).collect())
    }

    /// Claims what can be sent and confirms it with the same update for each; returns the texts.
    pub async fn send_all(
        &self,
        fence: Fence,
        update: &DeliveryUpdate,
    ) -> Result<Vec<String>, StoreError> {
        let claimed = done(self.store.claim_deliveries(&account(), fence, 100).await?);
        let mut texts = Vec::new();
        for delivery in claimed {
            done(
                self.store
                    .confirm_delivery(delivery.id, fence, update.clone())
                    .await?,
            );
            texts.push(delivery.text);
        }
        Ok(texts)
    }

    /// A delivery as it is stored.
    pub async fn delivery(&self, id: DeliveryId) -> Result<Delivery, StoreError> {
        let all = self.store.deliveries(OutboxFilter::All, first(200)).await?;
        let found = all.items.into_iter().find(|delivery| delivery.id == id);
        Ok(found.expect("the delivery is stored"))
    }

    /// Registers a boot of this home.
    pub async fn boot(&self, home: &str) -> Result<NodeId, StoreError> {
        let node = NodeId::from_bits(self.number());
        let boot = Boot {
            node,
            home: home.to_owned(),
            place: format!("tower:{home}"),
            version: "1.0.0".to_owned(),
        };
        self.store.start_node(boot).await?;
        Ok(node)
    }
}
