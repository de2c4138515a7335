use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::access::code::SALT_BYTES;
use angelia_core::address::{Address, Chat, ChatKind, Person};
use angelia_core::id::{KnockId, NodeId};
use angelia_core::inbound::EventKey;
use angelia_core::limits::access::{FAILURES_MAX, LOCK_TIME, WAITING_MAX};
use angelia_core::outbound::{DeliveryUpdate, Receipt};

use super::*;
use crate::Clock;
use crate::leases::Leases;
use crate::outbox::Outbox;

const USERS: u64 = 100;
const GUESSES_EACH: u64 = 100;

fn clock() -> (Clock, Arc<AtomicI64>) {
    let time = Arc::new(AtomicI64::new(1_700_000_000_000));
    let shown = time.clone();
    let clock = move || Timestamp::from_ms(shown.load(Ordering::SeqCst));
    (Arc::new(clock), time)
}

fn account() -> AccountId {
    AccountId::of(Platform::Telegram)
}

/// Numbers that look like anybody's guess.
fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

fn code(number: u64) -> Code {
    let [a, b, c, d, e, ..] = mixed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_be_bytes();
    Code::of([a, b, c, d, e])
}

/// As many strangers as may wait, with codes of these numbers.
async fn strangers_wait(store: &Database, first: u64) -> Vec<Code> {
    let mut codes = Vec::new();
    for number in first..first + WAITING_MAX as u64 {
        let id = u128::from(number);
        let new = NewKnock {
            id: KnockId::from_bits(id),
            delivery: DeliveryId::from_bits(id),
            address: Address {
                platform: Platform::Telegram,
                account: account(),
                chat: Chat {
                    id: number.to_string(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: number.to_string(),
                name: None,
            },
            event_key: EventKey::of_update(&number.to_string()),
            cursor: None,
        };
        if matches!(store.knock(new).await.unwrap(), Knocked::Answered(_)) {
            codes.push(sent(store, code(number)).await);
        }
    }
    codes
}

async fn sent(store: &Database, code: Code) -> Code {
    let node = NodeId::from_bits(1);
    let fence = store.take_lease("account/telegram", node).await.unwrap();
    let fence = fence.unwrap();
    let due = store.claim_deliveries(&account(), fence, 1).await.unwrap();
    let Fenced::Done(due) = due else { panic!() };
    let sealed = code.seal([9; SALT_BYTES]);
    let issued = store.issue_code(due[0].id, fence, sealed).await.unwrap();
    assert_eq!(issued, Fenced::Done(Issued::Now));
    let shown = DeliveryUpdate::Sent(Receipt("shown".to_owned()));
    let confirmed = store.confirm_delivery(due[0].id, fence, shown).await;
    assert!(matches!(confirmed.unwrap(), Fenced::Done(_)));
    code
}

/// What one user tries: every tenth guess is right.
fn guesses(user: u64, codes: &[Code]) -> Vec<Code> {
    let guess = |number: u64| match number % 10 {
        0 => codes[(number % WAITING_MAX as u64) as usize].clone(),
        _ => code(1_000_000 + user * GUESSES_EACH + number),
    };
    (0..GUESSES_EACH).map(guess).collect()
}

/// They take turns, so that each guess comes from somebody else than the one before.
#[tokio::test]
async fn ten_thousand_guesses_of_a_hundred_users_at_once_never_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let store = Database::open(&folder.path().join("angelia.db"), clock().0).unwrap();
    let codes = strangers_wait(&store, 1).await;
    assert_eq!(codes.len(), WAITING_MAX);
    for _ in 0..FAILURES_MAX {
        let guess = store.recognise(code(u64::MAX), None).await;
        assert_eq!(guess.unwrap(), Recognised::Wrong);
    }
    let users: Vec<Vec<Code>> = (0..USERS).map(|user| guesses(user, &codes)).collect();
    for number in 0..GUESSES_EACH as usize {
        for user in &users {
            let worth = store.recognise(user[number].clone(), None).await.unwrap();
            assert!(matches!(worth, Recognised::Locked(_)), "{worth:?}");
        }
    }
    let grants = store.grants(GrantFilter::All, Range::default()).await;
    assert!(grants.unwrap().items.is_empty());
}

/// Whoever waits for the end of each lock has five guesses an hour, and new codes to guess.
#[tokio::test]
async fn ten_thousand_patient_guesses_never_succeed() {
    let (clock, time) = clock();
    let store = Database::in_memory(clock).unwrap();
    let hours = USERS * GUESSES_EACH / u64::from(FAILURES_MAX);
    let mut wrong = 0;
    for hour in 0..hours {
        strangers_wait(&store, 1 + hour * WAITING_MAX as u64).await;
        for guess in 0..u64::from(FAILURES_MAX) {
            let guess = code(1_000_000_000 + hour * 100 + guess);
            let worth = store.recognise(guess, Some(account())).await.unwrap();
            assert_eq!(worth, Recognised::Wrong);
            wrong += 1;
        }
        time.fetch_add(LOCK_TIME.as_ms() + 1, Ordering::SeqCst);
    }
    assert_eq!(wrong, USERS * GUESSES_EACH);
}
