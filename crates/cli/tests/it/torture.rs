//! Nothing lost, nothing doubled, in order: the real binary under load, killed over and over.
//!
//! Senders post messages and insist until each is accepted, as any client would. Meanwhile the gateway is
//! ended with SIGKILL at random moments and started again on the same home. In the end every accepted
//! message must have exactly one turn and exactly one delivery, in order within its chat, and posting
//! everything once more must change nothing.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use angelia_api::client::{Client, ClientError, Replies, Rows};
use angelia_api::token::Token;
use angelia_api::wire::v1::delivery::Delivery;
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_core::address::Platform;
use angelia_core::id::InboxId;
use rustix::process::Signal;

use crate::world::{Gateway, World, wait_for};

const CHATS: usize = 50;
const MESSAGES_PER_CHAT: usize = 20;
const SENDERS: usize = 8;
const KILLS: usize = 24;

/// The longest that a gateway lives after it is ready, in milliseconds.
const LIFE_MS_MAX: u64 = 300;

/// Tries until a sender gives up: far more than any restart takes.
const TRIES: usize = 4_000;
const TRY_EVERY: Duration = Duration::from_millis(5);

/// Where the gateway is now. It has another port after each start.
struct Whereabouts {
    address: Mutex<String>,
    token: String,
}

impl Whereabouts {
    fn client(&self) -> Client {
        let address = format!("http://{}", self.address.lock().unwrap());
        Client::new(&address, Token::new(&self.token)).unwrap()
    }

    fn moved(&self, gateway: &Gateway) {
        self.address.lock().unwrap().clone_from(&gateway.address);
    }
}

#[test]
fn torture_every_accepted_message_is_answered_once_however_often_the_gateway_is_killed() {
    let world = World::new();
    let mut gateway = world.serve();
    let token = std::fs::read_to_string(world.home().join("api-token")).unwrap();
    let place = Whereabouts {
        address: Mutex::new(gateway.address.clone()),
        token: token.trim().to_owned(),
    };
    let (left, kills) = (
        AtomicUsize::new(CHATS * MESSAGES_PER_CHAT),
        AtomicUsize::new(0),
    );
    let mut accepted: BTreeMap<String, InboxId> = BTreeMap::new();
    std::thread::scope(|scope| {
        let (place, left, kills, gateway) = (&place, &left, &kills, &mut gateway);
        let senders: Vec<_> = (0..SENDERS)
            .map(|number| scope.spawn(move || send_all(number, place, (left, kills))))
            .collect();
        let mut dice = 0x2545_f491_4f6c_dd1d_u64;
        while kills.load(Ordering::Relaxed) < KILLS || left.load(Ordering::Relaxed) > 0 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            std::thread::sleep(Duration::from_millis((dice >> 33) % LIFE_MS_MAX));
            gateway.running.signal(Signal::KILL);
            wait_for("the gateway to be gone", || gateway.running.has_ended());
            kills.fetch_add(1, Ordering::Relaxed);
            *gateway = world.serve();
            place.moved(gateway);
        }
        for sender in senders {
            accepted.extend(sender.join().unwrap());
        }
    });
    assert_eq!(accepted.len(), CHATS * MESSAGES_PER_CHAT);
    check_answers(&place, &accepted);
    post_again(&place, &accepted);
    check_answers(&place, &accepted);
    assert!(kills.into_inner() >= KILLS);
}

/// Posts this sender's share, chat by chat in turn, each chat in order. Rounds keep step with the
/// kills, so that there is load at every one of them.
fn send_all(
    sender: usize,
    place: &Whereabouts,
    (left, kills): (&AtomicUsize, &AtomicUsize),
) -> Vec<(String, InboxId)> {
    let runtime = runtime();
    let mut accepted = Vec::new();
    for number in 0..MESSAGES_PER_CHAT {
        let due = number * KILLS / MESSAGES_PER_CHAT;
        wait_for("the next kill", || {
            (kills.load(Ordering::Relaxed) >= due).then_some(())
        });
        for chat in (sender..CHATS).step_by(SENDERS) {
            let message = message(chat, number);
            let answer = runtime.block_on(insist(place, &message));
            accepted.push((message.text, answer.inbox_id));
            left.fetch_sub(1, Ordering::Relaxed);
        }
    }
    accepted
}

fn message(chat: usize, number: usize) -> InboxRequest {
    InboxRequest {
        attachments: Vec::new(),
        chat: format!("c{chat}"),
        chat_type: ChatType::Dm,
        thread: None,
        user: Sender {
            id: format!("u{chat}"),
            name: None,
        },
        text: format!("echo c{chat}-m{number}"),
        message_id: format!("m{number}"),
        platform: Entrance::Api,
    }
}

/// Posts until the gateway says that it has the message.
async fn insist(place: &Whereabouts, message: &InboxRequest) -> Accepted {
    for _ in 0..TRIES {
        match place.client().inbox(message).await {
            Ok(accepted) => return accepted,
            Err(ClientError::Api { status, .. }) if ![429, 503].contains(&status) => {
                panic!("refused with {status}: {message:?}")
            }
            Err(_) => tokio::time::sleep(TRY_EVERY).await,
        }
    }
    panic!("never accepted: {message:?}")
}

/// Every chat has its answers, each once, in order, each for the message it answers.
fn check_answers(place: &Whereabouts, accepted: &BTreeMap<String, InboxId>) {
    let runtime = runtime();
    for chat in 0..CHATS {
        let deliveries = runtime.block_on(all_deliveries(place, chat));
        let texts: Vec<_> = deliveries.iter().map(|one| one.text.clone()).collect();
        let wanted: Vec<_> = (0..MESSAGES_PER_CHAT)
            .map(|n| format!("c{chat}-m{n}"))
            .collect();
        assert_eq!(texts, wanted, "chat {chat}");
        for delivery in &deliveries {
            let inbox = accepted[&format!("echo {}", delivery.text)];
            assert_eq!(delivery.inbox_ids, [inbox]);
            let story = runtime.block_on(place.client().message(inbox)).unwrap();
            assert_eq!(story.deliveries.len(), 1, "{story:?}");
            assert_eq!(story.turn.map(|turn| turn.id), delivery.turn);
        }
    }
}

/// All that was delivered to a chat, once it is as much as there are messages.
async fn all_deliveries(place: &Whereabouts, chat: usize) -> Vec<Delivery> {
    let mut all: Vec<Delivery> = Vec::new();
    let mut after = None;
    while all.len() < MESSAGES_PER_CHAT {
        let replies = Replies {
            platform: Platform::Api,
            chat: format!("c{chat}"),
            rows: Rows {
                after: after.clone(),
                limit: Some(7),
            },
            wait: Some(Duration::from_secs(20)),
        };
        let page = place.client().deliveries(&replies).await.unwrap();
        assert!(
            !page.items.is_empty(),
            "chat {chat} stopped at {} answers",
            all.len()
        );
        all.extend(page.items);
        after = page.next;
    }
    all
}

fn post_again(place: &Whereabouts, accepted: &BTreeMap<String, InboxId>) {
    let runtime = runtime();
    for chat in 0..CHATS {
        for number in 0..MESSAGES_PER_CHAT {
            let message = message(chat, number);
            let answer = runtime.block_on(place.client().inbox(&message)).unwrap();
            assert!(answer.duplicate, "{message:?}");
            assert_eq!(answer.inbox_id, accepted[&message.text]);
        }
    }
    let status = runtime.block_on(place.client().status()).unwrap();
    assert_eq!((status.waiting, status.running, status.due), (0, 0, 0));
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}
