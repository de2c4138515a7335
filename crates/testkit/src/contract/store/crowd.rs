//! Many who ask for the same at once: every promise that a race could break.
//!
//! The verbs of each case run beside one another, on as many connections as the engine has. What must come
//! out is counted in a small book on the side (`Book`) and compared with the rows. Where one verb writes at a
//! time these cases are easy; where many do, each of them fails if the verbs do not hold what they decide by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use angelia_core::id::{InboxId, NodeId, SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, DeliveryState};
use angelia_core::session::key::Scope;
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_store::access::Knocked;
use angelia_store::costs::Reserved;
use angelia_store::intake::Accepted;
use angelia_store::sessions::{Anew, At, Authority, Begun};
use angelia_store::transcripts::{Last, Said};
use angelia_store::turns::ClaimedTurn;
use angelia_store::views::OutboxFilter;
use angelia_store::{Change, Fenced, StoreError};
use futures_util::future::{join_all, try_join_all};

use super::Told;
use super::access::stranger;
use super::costs::{day_cap, reserve};
use super::given::{Given, account, done, first, shown};
use super::processes::{begun, exited, turn_in, works_since};

/// How many ask at once.
const CROWD: usize = 12;

/// What was promised to whom.
#[derive(Default)]
struct Book {
    /// Messages that were taken, and the chat and place in it that they came with.
    taken: BTreeMap<InboxId, (String, usize)>,
    /// Turns that were settled: the conversation, the fence and the messages.
    settled: Vec<(SessionId, Fence, Vec<InboxId>)>,
}

type Shared = Mutex<Book>;

fn open(book: &Shared) -> std::sync::MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// However many first messages come to a place at once, it has one conversation, and all are in it.
pub async fn a_place_has_one_conversation_however_many_begin_it(given: &Given) -> Told {
    let said = (0..CROWD).map(|number| async move { given.say("c1", &number.to_string()).await });
    let places = try_join_all(said).await?;
    let sessions: BTreeSet<SessionId> = places.iter().map(|place| place.session).collect();
    assert_eq!(sessions.len(), 1, "one place has one conversation");
    let session = places[0].session;
    let detail = given.store.session(session).await?.expect("it is there");
    assert_eq!(detail.unanswered.len(), CROWD);
    let mut answered = 0;
    while let Some(turn) = given.try_claim().await? {
        given.settle(&turn, &["yes"]).await?;
        answered += 1;
    }
    assert_eq!(answered, CROWD, "every message is claimed in the end");
    Ok(())
}

/// A platform that sends the same message on many connections has sent one.
pub async fn a_message_that_comes_many_times_at_once_is_taken_once(given: &Given) -> Told {
    for round in 0..4 {
        let inbound = given.inbound(&format!("c{round}"), "the same");
        let comes = (0..CROWD).map(|_| given.store.accept(given.at_the_door(inbound.clone())));
        let came = try_join_all(comes).await?;
        let mut places = BTreeSet::new();
        let mut new = 0;
        for accepted in came {
            match accepted {
                Accepted::New(place) => {
                    new += 1;
                    places.insert(place.inbox);
                }
                Accepted::Duplicate(place) => {
                    places.insert(place.inbox);
                }
                Accepted::Refused(why) => panic!("it should be taken, not {why:?}"),
            }
        }
        assert_eq!((new, places.len()), (1, 1), "one message is one row");
    }
    Ok(())
}

/// Whoever claims, freezes, is overtaken and comes back: each message is answered once, and those of a
/// place in the order in which they came.
pub async fn every_message_is_answered_once_whoever_claims(given: &Given) -> Told {
    let book = Shared::default();
    let speakers = (0..4).map(|chat| speak(given, &book, chat));
    let answerers = (0..CROWD).map(|number| answer(given, &book, number));
    let (spoken, answered) =
        futures_util::future::join(join_all(speakers), join_all(answerers)).await;
    spoken.into_iter().collect::<Result<Vec<()>, _>>()?;
    answered.into_iter().collect::<Result<Vec<()>, _>>()?;
    each_is_answered_once(given, &book).await?;
    check_order(&open(&book));
    Ok(())
}

/// Each chat has one that speaks, so the order of its messages is known.
async fn speak(given: &Given, book: &Shared, chat: usize) -> Told {
    let chat = format!("c{chat}");
    for number in 0..20 {
        let place = given.say(&chat, &number.to_string()).await?;
        open(book).taken.insert(place.inbox, (chat.clone(), number));
    }
    Ok(())
}

async fn answer(given: &Given, book: &Shared, number: usize) -> Told {
    for round in 0..30 {
        let claimed = if (number + round).is_multiple_of(4) {
            given.store.claim_orphan(given.node).await?
        } else {
            given.try_claim().await?
        };
        let Some(turn) = claimed else {
            tokio::task::yield_now().await;
            continue;
        };
        if (number + round).is_multiple_of(5) {
            // Somebody stood still past all leases, and goes on as if nothing had been.
            given.clock.advance(Span::minutes(5));
            overtake(given, book).await?;
        }
        settle(given, book, &turn).await?;
    }
    Ok(())
}

async fn overtake(given: &Given, book: &Shared) -> Told {
    if let Some(turn) = given.store.claim_orphan(given.node).await? {
        settle(given, book, &turn).await?;
    }
    Ok(())
}

/// Settles a turn, and notes it if it took place.
async fn settle(given: &Given, book: &Shared, turn: &ClaimedTurn) -> Told {
    let settle = given.settlement(turn, &["one ", "two"]);
    if let Fenced::Done(()) = given.store.settle_turn(settle).await? {
        let batch = turn.batch.iter().map(|one| one.inbox).collect();
        open(book).settled.push((turn.session, turn.fence, batch));
    }
    Ok(())
}

async fn answer_the_rest(given: &Given, book: &Shared) -> Told {
    given.clock.advance(Span::minutes(5));
    while let Some(turn) = given.store.claim_orphan(given.node).await? {
        settle(given, book, &turn).await?;
    }
    while let Some(turn) = given.try_claim().await? {
        settle(given, book, &turn).await?;
    }
    Ok(())
}

/// Answers what is left; then nobody waits, and every message was answered, once.
async fn each_is_answered_once(given: &Given, book: &Shared) -> Told {
    answer_the_rest(given, book).await?;
    let counts = given.store.counts().await?;
    let open_ends = (counts.waiting, counts.running);
    assert_eq!(open_ends, (0, 0), "nobody waits in the end");
    let book = open(book);
    let mut answered = BTreeSet::new();
    for inbox in book.settled.iter().flat_map(|(_, _, batch)| batch) {
        assert!(answered.insert(*inbox), "{inbox} was answered twice");
    }
    let taken: BTreeSet<InboxId> = book.taken.keys().copied().collect();
    assert_eq!(answered, taken, "every message was answered");
    Ok(())
}

/// Fences of a conversation rise from turn to turn, so they are the order of its answers.
fn check_order(book: &Book) {
    let mut settled = book.settled.clone();
    settled.sort_by_key(|(session, fence, _)| (*session, fence.0));
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    let mut fences = BTreeSet::new();
    for (session, fence, batch) in &settled {
        assert!(fences.insert((*session, fence.0)), "a fence is given once");
        for inbox in batch {
            let (chat, number) = &book.taken[inbox];
            let before = last.insert(chat, *number);
            assert!(
                before < Some(*number),
                "{chat}: {number} came after {before:?}"
            );
        }
    }
}

/// However many want a lease that nobody ever had, one has it.
pub async fn a_lease_has_one_holder_however_many_want_it(given: &Given) -> Told {
    for round in 0..4 {
        let name = format!("account/{round}");
        let wants = (0..CROWD).map(|number| {
            let node = NodeId::from_bits(100 + number as u128);
            given.store.take_lease(&name, node)
        });
        let taken: Vec<Fence> = try_join_all(wants).await?.into_iter().flatten().collect();
        assert_eq!(taken.len(), 1, "one of them has it");
        given.clock.advance(Span::minutes(5));
        let wants = (0..CROWD).map(|number| {
            let node = NodeId::from_bits(200 + number as u128);
            given.store.take_lease(&name, node)
        });
        let again: Vec<Fence> = try_join_all(wants).await?.into_iter().flatten().collect();
        assert_eq!(again.len(), 1, "one of them takes it over");
        assert!(again[0] > taken[0]);
    }
    Ok(())
}

/// Couriers that overtake one another, turns that plan, and an operator who drops and retries: what went out
/// went out once, and in order.
pub async fn every_delivery_goes_out_once_and_in_order(given: &Given) -> Told {
    for number in 0..24 {
        given.say(&format!("c{}", number % 3), "a question").await?;
    }
    let book = Shared::default();
    let (turns, sent) = (Shared::default(), Mutex::new(Vec::new()));
    let planning = (0..6).map(|_| plan(given, &turns));
    let sending = (0..6).map(|courier| send(given, &sent, courier));
    let (planned, delivered) =
        futures_util::future::join(join_all(planning), join_all(sending)).await;
    planned.into_iter().collect::<Result<Vec<()>, _>>()?;
    delivered.into_iter().collect::<Result<Vec<()>, _>>()?;
    answer_the_rest(given, &book).await?;
    let fence = given.new_courier().await?;
    done(
        given
            .store
            .recover_deliveries(&account(), fence, Dedupe::ByKey)
            .await?,
    );
    while !given.send_all(fence, &shown()).await?.is_empty() {}
    let open = given
        .store
        .deliveries(OutboxFilter::Open, first(200))
        .await?;
    assert!(
        open.items.is_empty(),
        "nothing is left over: {:?}",
        open.items
    );
    let sent = sent.into_inner().unwrap_or_else(PoisonError::into_inner);
    let once: BTreeSet<_> = sent.iter().collect();
    assert_eq!(once.len(), sent.len(), "what was shown is not shown again");
    for chat in ["c0", "c1", "c2"] {
        check_lane(given, chat).await?;
    }
    Ok(())
}

async fn plan(given: &Given, book: &Shared) -> Told {
    for _ in 0..8 {
        if let Some(turn) = given.try_claim().await? {
            settle(given, book, &turn).await?;
        }
    }
    Ok(())
}

async fn send(
    given: &Given,
    sent: &Mutex<Vec<angelia_core::id::DeliveryId>>,
    courier: usize,
) -> Told {
    let node = NodeId::from_bits(300 + courier as u128);
    for round in 0..10 {
        if (courier + round).is_multiple_of(6) {
            given.clock.advance(Span::minutes(5));
        }
        let Some(fence) = given.store.take_lease("account/api", node).await? else {
            tokio::task::yield_now().await;
            continue;
        };
        let recovered = given
            .store
            .recover_deliveries(&account(), fence, Dedupe::ByKey)
            .await?;
        let claimed = given.store.claim_deliveries(&account(), fence, 3).await?;
        let (Fenced::Done(_), Fenced::Done(claimed)) = (recovered, claimed) else {
            continue;
        };
        let confirm = claimed
            .iter()
            .map(|one| given.store.confirm_delivery(one.id, fence, shown()));
        for (one, confirmed) in claimed.iter().zip(try_join_all(confirm).await?) {
            if let Fenced::Done(_) = confirmed {
                sent.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(one.id);
            }
        }
    }
    Ok(())
}

async fn check_lane(given: &Given, chat: &str) -> Told {
    let page = given.store.sent_to(&account(), chat, first(200)).await?;
    assert_eq!(page.items.len(), 16, "{chat}: eight answers of two parts");
    let mut seen = BTreeSet::new();
    for delivery in &page.items {
        assert!(matches!(delivery.state, DeliveryState::Sent(_)));
        assert!(seen.insert(delivery.id), "{chat}: each is there once");
        let turn: Option<TurnId> = delivery.turn;
        let before = page.items.iter().take_while(|one| one.id != delivery.id);
        let earlier = before.filter(|one| one.turn == turn).count();
        assert_eq!(
            earlier + 1,
            delivery.part as usize,
            "{chat}: parts are in order"
        );
    }
    Ok(())
}

/// Of many conversations that are to be called the same, one is.
pub async fn a_title_is_had_by_one_of_many(given: &Given) -> Told {
    let said = (0..CROWD).map(|number| async move { given.say(&format!("c{number}"), "x").await });
    let places = try_join_all(said).await?;
    let title = || Title::clean("the plan").expect("it is short");
    let call = places
        .iter()
        .map(|place| given.store.set_title(place.session, title(), Giver::Person));
    let claims = try_join_all(call).await?;
    let set = claims
        .iter()
        .filter(|claim| **claim == Some(Claim::Set))
        .count();
    assert_eq!(set, 1, "{claims:?}");
    Ok(())
}

/// Strangers who come together are answered as far as codes go, and no further.
pub async fn only_so_many_strangers_are_answered_at_once(given: &Given) -> Told {
    let come = (0..CROWD).map(|number| given.store.knock(stranger(given, &format!("p{number}"))));
    let heard = try_join_all(come).await?;
    let answered = heard
        .iter()
        .filter(|heard| matches!(heard, Knocked::Answered(_)))
        .count();
    assert_eq!(answered, 3);
    Ok(())
}

/// Calls that are reserved at once stay within a cap together.
pub async fn calls_at_once_stay_within_a_cap(given: &Given) -> Told {
    let mut turns = Vec::new();
    for number in 0..CROWD {
        given.say(&format!("c{number}"), "x").await?;
        turns.push(given.claim().await?);
    }
    let calls = turns
        .iter()
        .map(|turn| reserve(given, turn, day_cap(100), 30));
    let reserved = try_join_all(calls).await?;
    let granted = reserved
        .iter()
        .filter(|one| matches!(one, Reserved::Granted(_)))
        .count();
    assert_eq!(granted, 3, "three times thirty is within a hundred");
    Ok(())
}

/// What several add to a conversation at once is all there, one row after the other.
pub async fn rows_that_are_added_at_once_are_all_there(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let adds = (0..CROWD).map(|number| {
        let entry = |part: &str| Said::from(Entry::new(Role::User, format!("{number}{part}")));
        given.store.append(session, vec![entry("a"), entry("b")])
    });
    for added in try_join_all(adds).await? {
        assert!(matches!(added, Change::Done(_)), "it stands: {added:?}");
    }
    let kept = given.store.conversation(session, Last::All).await?;
    let kept = kept.expect("the conversation exists");
    let numbers: Vec<u64> = kept.iter().map(|row| row.seq).collect();
    let all: Vec<u64> = (1..=2 * CROWD as u64).collect();
    assert_eq!(numbers, all);
    Ok(())
}

/// When the last of several processes ends, nothing works any more, in whichever order they do, again and again.
pub async fn when_all_processes_have_ended_nothing_works(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    for round in 0..5 {
        let mut processes = Vec::new();
        for number in 0..6 {
            processes.push(begun(given, &turn, &format!("{round}/{number}")).await?);
        }
        assert!(works_since(given, turn.session).await?.is_some());
        let ends = processes
            .iter()
            .map(|one| given.store.end_process(one.id, exited(given, 0)));
        try_join_all(ends).await?;
        assert_eq!(works_since(given, turn.session).await?, None);
    }
    Ok(())
}

/// A place that begins anew again and again while messages come to it loses none of them.
pub async fn nothing_is_lost_while_a_place_begins_anew(given: &Given) -> Told {
    let place = given.say("c0", "first").await?;
    let book = Shared::default();
    open(&book).taken.insert(place.inbox, ("c0".to_owned(), 0));
    let record = given.store.lookup(place.session).await?;
    let scope = record.expect("it was just begun").scope;
    let speaks = (0..4).map(|_| speak_more(given, &book));
    let renews = (0..4).map(|_| renew(given, &scope));
    let answers = (0..4).map(|number| answer(given, &book, 4 * number + 1));
    let (spoken, (renewed, answered)) = futures_util::future::join(
        join_all(speaks),
        futures_util::future::join(join_all(renews), join_all(answers)),
    )
    .await;
    for told in spoken.into_iter().chain(renewed).chain(answered) {
        told?;
    }
    each_is_answered_once(given, &book).await
}

async fn speak_more(given: &Given, book: &Shared) -> Told {
    for number in 0..10 {
        let accepted = given
            .store
            .accept(given.at_the_door(given.inbound("c0", "more")))
            .await?;
        if let Accepted::New(place) = accepted {
            open(book)
                .taken
                .insert(place.inbox, ("c0".to_owned(), number));
        }
    }
    Ok(())
}

async fn renew(given: &Given, scope: &Scope) -> Result<(), StoreError> {
    for _ in 0..5 {
        let anew = Anew {
            at: At::Scope(scope.clone()),
            session: SessionId::from_bits(given.number()),
            why: Reason::SessionReset,
            by: Authority::Place,
            label: None,
        };
        let begun = given.store.begin_anew(anew).await?;
        assert!(
            !matches!(begun, Begun::Unknown),
            "the place speaks somewhere"
        );
    }
    Ok(())
}
