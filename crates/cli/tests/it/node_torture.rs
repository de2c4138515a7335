//! Three gateways on one PostgreSQL, and everything that can befall them.
//!
//! Senders post to whichever node answers and insist until each message is accepted, as any client would. Meanwhile
//! nodes are killed, paused past their leases, and cut off from the database, and the server itself is ended and
//! started again, twice. In the end every message must have exactly one turn and one delivery, in order within its
//! chat, and posting everything once more must change nothing. Conversations of a node that died and stays dead are
//! answered by the others within the time of a lease and five seconds, or a little more where other tests run.
//!
//! `ANGELIA_TORTURE_MESSAGES=2000` asks for more than the usual number.

mod fates;
mod place;

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use angelia_api::client::{Replies, Rows};
use angelia_api::wire::v1::delivery::Delivery;
use angelia_core::address::Platform;
use angelia_core::id::InboxId;
use angelia_core::limits;
use angelia_gateway::env::Env;
use angelia_testkit::server::cluster::Cluster;

use place::{Place, message, runtime};

/// Messages, and how many each chat says.
const MESSAGES: usize = 400;
const MESSAGES_PER_CHAT: usize = 20;
const SENDERS: usize = 4;

/// How long the others may take once a lease has ended: they look this often.
const LOOKED_AFTER: Duration = Duration::from_secs(5);

/// What a machine may add on which other tests run at the same time. The figure itself is printed.
const BUSY: Duration = Duration::from_secs(10);

#[test]
fn torture_three_nodes_lose_nothing_whatever_befalls_them() {
    let Some(cluster) = Cluster::of_this_test() else {
        return;
    };
    let (chats, rounds) = (messages() / MESSAGES_PER_CHAT, messages() / MESSAGES);
    let place = Place::new(cluster);
    let mut accepted: BTreeMap<String, InboxId> = BTreeMap::new();
    let begun = Env::system().steady();
    let late = thread::scope(|scope| {
        let place = &place;
        let senders: Vec<_> = (0..SENDERS)
            .map(|number| scope.spawn(move || send_all(place, number, (chats, rounds))))
            .collect();
        let late = fates::befall(place, rounds);
        for sender in senders {
            accepted.extend(sender.join().unwrap());
        }
        late
    });
    assert_eq!(accepted.len(), chats * MESSAGES_PER_CHAT);
    check_answers(&place, chats, &accepted);
    post_again(&place, chats, &accepted);
    check_answers(&place, chats, &accepted);
    let took = begun.elapsed();
    eprintln!(
        "{} messages over {chats} chats in {took:?}; the last conversation of the dead node was answered after {late:?}",
        accepted.len()
    );
    let most = limits::LEASE_TIME.to_std() + LOOKED_AFTER + BUSY;
    assert!(late <= most, "{late:?} is more than {most:?}");
}

/// Posts this sender's share, chat by chat in turn, each chat in order. The load lasts as long as the fates do.
fn send_all(
    place: &Place,
    sender: usize,
    (chats, rounds): (usize, usize),
) -> Vec<(String, InboxId)> {
    let runtime = runtime();
    let mut accepted = Vec::new();
    for number in 0..MESSAGES_PER_CHAT {
        fates::wait_for_share(place, rounds, (number, MESSAGES_PER_CHAT));
        for chat in (sender..chats).step_by(SENDERS) {
            let message = message(
                &format!("c{chat}"),
                number,
                &format!("echo c{chat}-m{number}"),
            );
            let inbox = runtime.block_on(place.insist(chat + number, &message));
            accepted.push((message.text, inbox));
        }
    }
    accepted
}

/// Every chat has its answers, each once, in order, each for the message it answers.
fn check_answers(place: &Place, chats: usize, accepted: &BTreeMap<String, InboxId>) {
    let runtime = runtime();
    for chat in 0..chats {
        let deliveries = runtime.block_on(all_deliveries(place, &format!("c{chat}")));
        let texts: Vec<_> = deliveries.iter().map(|one| one.text.clone()).collect();
        let wanted: Vec<_> = (0..MESSAGES_PER_CHAT)
            .map(|number| format!("c{chat}-m{number}"))
            .collect();
        assert_eq!(texts, wanted, "chat {chat}");
        for delivery in &deliveries {
            let inbox = accepted[&format!("echo {}", delivery.text)];
            assert_eq!(delivery.inbox_ids, [inbox]);
            let story = runtime.block_on(place.client(chat).message(inbox)).unwrap();
            assert_eq!(story.deliveries.len(), 1, "{story:?}");
        }
    }
}

/// All that was delivered to a chat, once it is as much as there are messages, and whatever came after that.
async fn all_deliveries(place: &Place, chat: &str) -> Vec<Delivery> {
    let mut all: Vec<Delivery> = Vec::new();
    let mut after = None;
    loop {
        let wait = (all.len() < MESSAGES_PER_CHAT).then_some(Duration::from_secs(20));
        let replies = Replies {
            platform: Platform::Api,
            chat: chat.to_owned(),
            rows: Rows {
                after: after.clone(),
                limit: Some(50),
            },
            wait,
        };
        let page = place.client(0).deliveries(&replies).await.unwrap();
        if page.items.is_empty() {
            return all;
        }
        all.extend(page.items);
        after = page.next;
    }
}

fn post_again(place: &Place, chats: usize, accepted: &BTreeMap<String, InboxId>) {
    let runtime = runtime();
    for chat in 0..chats {
        for number in 0..MESSAGES_PER_CHAT {
            let message = message(
                &format!("c{chat}"),
                number,
                &format!("echo c{chat}-m{number}"),
            );
            let answer = runtime
                .block_on(place.client(number).inbox(&message))
                .unwrap();
            assert!(answer.duplicate, "{message:?}");
            assert_eq!(answer.inbox_id, accepted[&message.text]);
        }
    }
    let status = runtime.block_on(place.client(0).status()).unwrap();
    assert_eq!((status.waiting, status.running, status.due), (0, 0, 0));
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test may ask for more this way"
)]
fn messages() -> usize {
    let asked = std::env::var("ANGELIA_TORTURE_MESSAGES").ok();
    asked
        .and_then(|asked| asked.parse().ok())
        .unwrap_or(MESSAGES)
}
