//! Forgetting conversations.

use angelia_core::id::SessionId;
use angelia_core::intake::Refusal;
use angelia_core::time::Span;
use angelia_core::transcript::title::{Giver, Title};
use angelia_store::deletion::Emptied;
use angelia_store::intake::Accepted;
use angelia_store::transcripts::{Branch, Last, Then};
use angelia_store::usage::{Account, Counting};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, account, first, shown};
use super::transcripts::{conversation, made, visible};

async fn branched(given: &Given, session: SessionId) -> Result<SessionId, StoreError> {
    let branch = Branch {
        session,
        id: SessionId::from_bits(given.number()),
        up_to: None,
        then: Then::MoveAll,
    };
    let id = branch.id;
    made(given.store.branch(branch).await?);
    Ok(id)
}

/// Words, turns, deliveries, accounts and title; nothing of another conversation (D6).
pub async fn a_deleted_conversation_is_gone_with_all_that_was_said(given: &Given) -> Told {
    let inbound = given.inbound("c1", "a secret");
    let Accepted::New(place) = given.store.accept(given.at_the_door(inbound)).await? else {
        panic!("a new message is taken")
    };
    let turn = given.claim().await?;
    given.settle(&turn, &["kept", "safe"]).await?;
    given.answered("c2", &["elsewhere"]).await?;
    let store = &given.store;
    let used = Account {
        session: place.session,
        used: angelia_core::transcript::usage::Usage {
            calls: 1,
            ..Default::default()
        },
        counting: Counting::More,
        call: None,
    };
    made(store.account(used).await?);
    let title = Title::clean("plan").expect("it is short");
    store.set_title(place.session, title, Giver::Person).await?;
    let gone = made(store.delete(vec![place.session]).await?);
    assert_eq!(gone, [place.session]);
    assert!(store.session(place.session).await?.is_none());
    assert_eq!(store.conversation(place.session, Last::All).await?, None);
    assert_eq!(store.usage(place.session).await?, None);
    assert!(store.story(place.inbox).await?.is_none());
    let counts = store.counts().await?;
    assert_eq!((counts.sessions, counts.due), (1, 1));
    let fence = given.courier().await?;
    assert_eq!(given.send_all(fence, &shown()).await?, ["elsewhere"]);
    Ok(())
}

/// Its place begins anew, and lists show one conversation.
pub async fn a_place_whose_conversation_was_deleted_begins_anew(given: &Given) -> Told {
    let old = conversation(given, 1).await?;
    let branch = branched(given, old).await?;
    made(given.store.delete(vec![branch]).await?);
    let new = given.say("c1", "hello again").await?.session;
    assert!(new != old && new != branch);
    assert_eq!(visible(given, old).await?, ["q1", "a1"], "others stay");
    Ok(())
}

/// A platform that sends it again starts nothing, now and later.
pub async fn a_message_of_a_deleted_conversation_is_still_recognised(given: &Given) -> Told {
    let door = given.at_the_door(given.inbound("c1", "once"));
    let Accepted::New(place) = given.store.accept(door.clone()).await? else {
        panic!("a new message is taken")
    };
    let turn = given.claim().await?;
    given.settle(&turn, &["said"]).await?;
    made(given.store.delete(vec![place.session]).await?);
    let again = Accepted::Refused(Refusal::Forgotten);
    assert_eq!(given.store.accept(door.clone()).await?, again);
    given.say("c1", "something new").await?;
    assert_eq!(given.store.accept(door).await?, again);
    assert_eq!(given.store.counts().await?.waiting, 1);
    Ok(())
}

/// Whoever follows a chat meets every later delivery.
pub async fn the_order_of_sending_never_goes_back(given: &Given) -> Told {
    let fence = given.courier().await?;
    let session = conversation(given, 2).await?;
    for _ in 0..2 {
        given.send_all(fence, &shown()).await?;
    }
    let store = &given.store;
    let read = store.sent_to(&account(), "c1", first(10)).await?;
    assert_eq!(read.items.len(), 2);
    made(store.delete(vec![session]).await?);
    let none = store.sent_to(&account(), "c1", first(10)).await?;
    assert!(none.items.is_empty(), "its words are gone");
    given.answered("c1", &["later"]).await?;
    given.send_all(fence, &shown()).await?;
    let mut range = first(10);
    range.after = read.next;
    let read = store.sent_to(&account(), "c1", range).await?;
    assert_eq!(read.items.len(), 1);
    assert_eq!(read.items[0].text, "later");
    Ok(())
}

/// A lane goes on with what others said there.
pub async fn what_was_planned_and_not_begun_is_not_sent(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    branched(given, session).await?;
    given.answered("c1", &["from the branch"]).await?;
    made(given.store.delete(vec![session]).await?);
    let fence = given.courier().await?;
    assert_eq!(given.send_all(fence, &shown()).await?, ["from the branch"]);
    Ok(())
}

/// Nobody's words are lost on the way to an answer, and nothing is deleted by halves.
pub async fn a_busy_conversation_is_not_deleted(given: &Given) -> Told {
    let idle = given.say("c2", "x").await?.session;
    let turn = given.claim().await?;
    given.settle(&turn, &[]).await?;
    let busy = given.say("c1", "wait").await?.session;
    let store = &given.store;
    assert_eq!(
        store.delete(vec![idle, busy]).await?,
        Change::Busy,
        "waiting"
    );
    let turn = given.claim().await?;
    assert_eq!(
        store.delete(vec![idle, busy]).await?,
        Change::Busy,
        "working"
    );
    given.settle(&turn, &["a"]).await?;
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    assert_eq!(
        store.delete(vec![idle, busy]).await?,
        Change::Busy,
        "sending"
    );
    assert_eq!(store.counts().await?.sessions, 2);
    given.new_courier().await?;
    Ok(())
}

/// Unknown ones are passed over.
pub async fn deleting_again_finds_nothing(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let unknown = SessionId::from_bits(given.number());
    let gone = given.store.delete(vec![unknown, session]).await?;
    assert_eq!(made(gone), [session]);
    let again = given.store.delete(vec![unknown, session]).await?;
    assert_eq!(again, Change::Unknown);
    Ok(())
}

/// What came from it stays, and comes from nowhere.
pub async fn children_of_a_deleted_conversation_stay(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let branch = branched(given, session).await?;
    made(given.store.delete(vec![session]).await?);
    assert_eq!(visible(given, branch).await?, ["q1", "a1"]);
    let family = given.store.family(branch).await?.unwrap_or_default();
    assert_eq!(family.root(branch), branch);
    Ok(())
}

/// Words, a title or children keep it.
pub async fn only_an_empty_conversation_is_swept_away(given: &Given) -> Told {
    let store = &given.store;
    let said = conversation(given, 1).await?;
    let empty = Branch {
        session: said,
        id: SessionId::from_bits(given.number()),
        up_to: Some(0),
        then: Then::Stay,
    };
    made(store.branch(empty.clone()).await?);
    let sweep = |session| store.delete_if_empty(session);
    assert_eq!(sweep(said).await?, Change::Done(Emptied::Kept));
    let title = || Title::clean("plan").expect("it is short");
    store.set_title(empty.id, title(), Giver::Person).await?;
    assert_eq!(sweep(empty.id).await?, Change::Done(Emptied::Kept));
    store.set_title(empty.id, None, Giver::Person).await?;
    assert_eq!(sweep(empty.id).await?, Change::Done(Emptied::Deleted));
    assert_eq!(sweep(empty.id).await?, Change::Unknown);
    let waiting = given.say("c2", "x").await?.session;
    assert_eq!(sweep(waiting).await?, Change::Busy);
    Ok(())
}

/// The earliest first, so many at a time; those that live or work are left alone.
pub async fn what_ended_long_ago_is_forgotten(given: &Given) -> Told {
    let mut ended = Vec::new();
    let mut session = conversation(given, 1).await?;
    for _ in 0..3 {
        ended.push(session);
        session = branched(given, session).await?;
        given.clock.advance(Span::hours(1));
    }
    let store = &given.store;
    let long = Span::hours(2);
    let owed = store.forget_ended(long, 10).await?;
    assert!(owed.is_empty(), "its answer is not sent yet: {owed:?}");
    let fence = given.courier().await?;
    while !given.send_all(fence, &shown()).await?.is_empty() {}
    assert_eq!(store.forget_ended(long, 1).await?, ended[..1]);
    assert!(store.forget_ended(long, 10).await?.is_empty());
    assert_eq!(store.forget_ended(Span::ms(0), 10).await?, ended[1..]);
    assert_eq!(visible(given, session).await?, ["q1", "a1"], "it lives");
    Ok(())
}
