//! What is owed to people and what came before: replies that a dead owner left behind, messages that come again, and
//! messages that wait their turn. Played on rows, with a clock moved by hand.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{DeliveryId, InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, Delivery, DeliveryUpdate, NextTry, Reach, Receipt, Wedge};
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::turn::outcome::Outcome;
use angelia_store::Fenced;
use angelia_store::database::Database;
use angelia_store::intake::{Accept, Accepted, Intake as _};
use angelia_store::leases::Leases as _;
use angelia_store::outbox::Outbox as _;
use angelia_store::turns::{ClaimedTurn, Settle, Turns as _};
use angelia_store::views::Views as _;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

/// Who worked before, and who comes after.
const BEFORE: NodeId = NodeId::from_bits(1);
const AFTER: NodeId = NodeId::from_bits(2);

/// A store that nobody else uses.
struct Desk {
    store: Database,
    clock: Arc<AtomicI64>,
    made: u128,
}

fn done<T>(fenced: Fenced<T>) -> T {
    match fenced {
        Fenced::Done(value) => value,
        Fenced::Lost => panic!("the fence should still hold"),
    }
}

impl Desk {
    fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
        let told = Arc::clone(&clock);
        let now = move || Timestamp::from_ms(told.load(Ordering::SeqCst));
        Self {
            store: Database::in_memory(Arc::new(now)).unwrap(),
            clock,
            made: 0,
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.clock.load(Ordering::SeqCst))
    }

    fn advance(&self, span: Span) {
        self.clock.fetch_add(span.as_ms(), Ordering::SeqCst);
    }

    fn number(&mut self) -> u128 {
        self.made += 1;
        self.made
    }

    /// Takes a message of an account that has the name of its only chat.
    async fn accept(&mut self, account: &str, message: &str) -> Accepted {
        let inbound = Inbound {
            address: Address {
                platform: Platform::Telegram,
                account: AccountId(account.to_owned()),
                chat: Chat {
                    id: account.to_owned(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: "u1".to_owned(),
                name: None,
            },
            event_key: EventKey::in_chat(account, message),
            message_id: message.to_owned(),
            text: message.to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        };
        let accept = Accept {
            inbound,
            inbox: InboxId::from_bits(self.number()),
            session: SessionId::from_bits(self.number()),
            rules: Arc::new(Rules::default()),
            cursor: None,
        };
        self.store.accept(accept).await.unwrap()
    }

    async fn claim(&mut self) -> Option<ClaimedTurn> {
        let turn = TurnId::from_bits(self.number());
        self.store.claim_turn(BEFORE, turn).await.unwrap()
    }

    async fn settle(&mut self, claimed: &ClaimedTurn, reply: &str) -> DeliveryId {
        let delivery = DeliveryId::from_bits(self.number());
        let settle = Settle {
            turn: claimed.turn,
            fence: claimed.fence,
            outcome: Outcome::Completed {
                text: reply.to_owned(),
            },
            entries: Vec::new(),
            compacted: None,
            deliveries: vec![(delivery, reply.to_owned())],
            files: Vec::new(),
            quotes: None,
        };
        done(self.store.settle_turn(settle).await.unwrap());
        delivery
    }

    async fn lease(&self, account: &str, node: NodeId) -> Option<Fence> {
        let name = format!("account/{account}");
        self.store.take_lease(&name, node).await.unwrap()
    }

    async fn claimed(&self, account: &str, fence: Fence) -> Option<Delivery> {
        let account = AccountId(account.to_owned());
        let claimed = self.store.claim_deliveries(&account, fence, 10).await;
        done(claimed.unwrap()).pop()
    }

    async fn confirm(&self, delivery: DeliveryId, fence: Fence, update: DeliveryUpdate) {
        let confirmed = self.store.confirm_delivery(delivery, fence, update).await;
        done(confirmed.unwrap());
    }
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Ledger {
    /// How the reference names a debt: a digest in which `a|b` and `c` are `a` and `b|c`. Ours has an id.
    Id {
        #[serde(rename = "result")]
        _result: String,
    },
    Sweep(Sweep),
}

#[derive(Deserialize)]
struct Sweep {
    id: String,
    rows: Vec<Row>,
    seconds_after_start: i64,
    platforms: Option<Vec<String>>,
    live_owner_pids: Vec<i64>,
    claimed: Vec<Taken>,
    after: Vec<Left>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    state: String,
    #[serde(default = "telegram")]
    platform: String,
    #[serde(default)]
    attempts: u32,
    #[serde(default = "first")]
    pid: Option<i64>,
}

fn telegram() -> String {
    "telegram".to_owned()
}

/// The owner of rows that name none.
fn first() -> Option<i64> {
    Some(111)
}

#[derive(Deserialize)]
struct Taken {
    id: String,
    marker: bool,
}

#[derive(Deserialize)]
struct Left {
    id: String,
    state: String,
}

impl Sweep {
    fn is_owned(&self, row: &Row) -> bool {
        row.pid
            .is_some_and(|pid| self.live_owner_pids.contains(&pid))
    }

    /// An account whose platform is not there has no courier.
    fn has_courier(&self, row: &Row) -> bool {
        let platforms = self.platforms.as_ref();
        platforms.is_none_or(|all| all.contains(&row.platform))
    }

    /// Whether the reference gave a debt up that was open.
    fn gave_up(&self, row: &Row) -> bool {
        let left = self.after.iter().find(|left| left.id == row.id);
        row.state != "abandoned" && left.is_some_and(|left| left.state == "abandoned")
    }
}

impl Desk {
    fn later(&self) -> NextTry {
        NextTry {
            at: self.now(),
            why: "not now".to_owned(),
        }
    }

    /// Plays a row of the reference up to its state; every row is an account with a lease of its own.
    async fn play(&mut self, row: &Row) {
        self.accept(&row.id, "question").await;
        let turn = self.claim().await.unwrap();
        let delivery = self.settle(&turn, "answer").await;
        let fence = self.lease(&row.id, BEFORE).await.unwrap();
        for _ in 0..row.attempts {
            self.claimed(&row.id, fence).await.unwrap();
            let again = DeliveryUpdate::Again(self.later());
            self.confirm(delivery, fence, again).await;
        }
        let update = match row.state.as_str() {
            "pending" => return,
            "attempting" => None,
            "failed" => Some(DeliveryUpdate::Again(self.later())),
            "delivered" => Some(DeliveryUpdate::Sent(Receipt("1".to_owned()))),
            "abandoned" => Some(DeliveryUpdate::Wedged(Wedge {
                reach: Reach::Message,
                why: "no".to_owned(),
            })),
            other => panic!("nobody judged the state `{other}`"),
        };
        self.claimed(&row.id, fence).await.unwrap();
        if let Some(update) = update {
            self.confirm(delivery, fence, update).await;
        }
    }

    /// What whoever comes after sends, and whether it says that it may be a repeat.
    async fn swept(&self, account: &str) -> Option<bool> {
        let fence = self.lease(account, AFTER).await?;
        let name = AccountId(account.to_owned());
        let left = self.store.recover_deliveries(&name, fence, Dedupe::None);
        done(left.await.unwrap());
        let delivery = self.claimed(account, fence).await?;
        Some(delivery.doubts > 0)
    }
}

#[tokio::test]
async fn what_a_dead_owner_left_is_sent_by_the_next_and_marked_only_in_doubt() {
    let (mut names, mut counts) = (0, BTreeMap::new());
    for case in cases::<Ledger>("gateway/delivery_ledger.json") {
        let Ledger::Sweep(sweep) = case else {
            names += 1;
            continue;
        };
        for (row, verdict) in play(&sweep).await {
            eprintln!("{} {row}: {verdict}", sweep.id);
            *counts.entry(verdict).or_insert(0) += 1;
        }
    }
    eprintln!("delivery_ledger: {names} names, rows: {counts:?}");
    assert!(counts.contains_key("same"));
}

async fn play(sweep: &Sweep) -> Vec<(String, &'static str)> {
    let mut desk = Desk::new();
    for row in &sweep.rows {
        desk.play(row).await;
    }
    desk.advance(Span::seconds(sweep.seconds_after_start.max(60)));
    for row in sweep.rows.iter().filter(|row| sweep.is_owned(row)) {
        desk.lease(&row.id, BEFORE).await.unwrap();
    }
    let mut verdicts = Vec::new();
    for row in &sweep.rows {
        let ours = match sweep.has_courier(row) {
            true => desk.swept(&row.id).await,
            false => None,
        };
        verdicts.push((row.id.clone(), verdict(sweep, row, ours)));
    }
    verdicts
}

fn verdict(sweep: &Sweep, row: &Row, ours: Option<bool>) -> &'static str {
    let theirs = sweep.claimed.iter().find(|taken| taken.id == row.id);
    match (ours, theirs.map(|taken| taken.marker)) {
        (ours, theirs) if ours == theirs => "same",
        // A try that failed was not shown, so it is no repeat; only a lost answer leaves a doubt.
        (Some(false), Some(true)) if row.state == "failed" => "failed, so no repeat",
        // The reference gives up after three tries, or a day.
        (Some(marked), None) if sweep.gave_up(row) => {
            assert_eq!(marked, row.state == "attempting", "{}", sweep.id);
            "given up there"
        }
        (None, None) => "same",
        other => panic!("{} {}: {other:?}", sweep.id, row.id),
    }
}

#[derive(Deserialize)]
struct Dedupes {
    id: String,
    sequence: Vec<Seen>,
    duplicate: Vec<bool>,
}

#[derive(Deserialize)]
struct Seen {
    t: i64,
    id: String,
}

#[tokio::test]
async fn a_message_that_came_before_is_known_however_long_ago() {
    let (mut same, mut forgotten, mut nameless) = (0_u32, 0_u32, 0);
    for case in cases::<Dedupes>("gateway/message_dedupe.json") {
        let (mut desk, began) = (Desk::new(), 0);
        let mut at = began;
        let mut met: Vec<&str> = Vec::new();
        let named = |seen: &Seen| !seen.id.is_empty();
        // No adapter of ours has a message without an id.
        nameless += case.sequence.iter().filter(|seen| !named(seen)).count();
        let both = case.sequence.iter().zip(&case.duplicate);
        for (seen, theirs) in both.filter(|(seen, _)| named(seen)) {
            desk.advance(Span::seconds(seen.t - at));
            at = seen.t;
            let accepted = desk.accept("c", &seen.id).await;
            let ours = matches!(accepted, Accepted::Duplicate(_));
            assert_eq!(ours, met.contains(&seen.id.as_str()), "{}", case.id);
            met.push(&seen.id);
            assert!(ours || !theirs, "{}: only the reference forgets", case.id);
            same += u32::from(ours == *theirs);
            forgotten += u32::from(ours != *theirs);
        }
    }
    eprintln!("message_dedupe: {same} the same, {forgotten} forgotten there, {nameless} nameless");
    assert!(same > 0 && forgotten > 0);
}

#[derive(Deserialize)]
struct Fifo {
    id: String,
    ops: Vec<Op>,
    results: Vec<Value>,
}

#[derive(Deserialize)]
struct Op {
    op: String,
    #[serde(default)]
    text: String,
}

/// The most that wait in the reference; what comes then is lost there.
const THEIR_CAP: u64 = 32;

async fn queued(desk: &mut Desk, text: &str) -> Value {
    let accepted = desk.accept("c", text).await;
    assert!(matches!(accepted, Accepted::New(_)), "{text}");
    Value::Null
}

#[tokio::test]
async fn messages_that_wait_are_answered_in_the_order_in_which_they_came() {
    let mut steps = 0_u32;
    for case in cases::<Fifo>("gateway/pending_fifo.json") {
        let (mut desk, mut lost) = (Desk::new(), false);
        for (op, theirs) in case.ops.iter().zip(&case.results) {
            let got = match op.op.as_str() {
                "queue" => queued(&mut desk, &op.text).await,
                "next" => next(&mut desk).await,
                other => panic!("{}: nobody judged `{other}`", case.id),
            };
            let waiting = desk.store.counts().await.unwrap().waiting as u64;
            let theirs = (theirs["got"].clone(), theirs["depth"].clone());
            let is_lost_there = waiting > THEIR_CAP; // D-10
            lost |= is_lost_there;
            assert!(lost || (got, Value::from(waiting)) == theirs, "{}", case.id);
            steps += u32::from(!lost);
        }
    }
    assert!(steps > 0);
}

async fn next(desk: &mut Desk) -> Value {
    let Some(claimed) = desk.claim().await else {
        return Value::Null;
    };
    let [message] = claimed.batch.as_slice() else {
        panic!("one message, one turn: {:?}", claimed.batch);
    };
    let text = Value::from(message.inbound.text.clone());
    desk.settle(&claimed, "answer").await;
    text
}
