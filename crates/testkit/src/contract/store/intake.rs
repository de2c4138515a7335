//! *accept*: what is taken, what is recognised, what is refused.

use std::sync::Arc;

use angelia_core::address::{AccountId, ChatKind};
use angelia_core::id::{DeliveryId, InboxId};
use angelia_core::inbound::Inbound;
use angelia_core::intake::Refusal;
use angelia_core::limits;
use angelia_core::outbound::DeliveryKind;
use angelia_core::session::key::{Isolation, Sharing};
use angelia_core::session::rules::Rules;
use angelia_store::StoreError;
use angelia_store::intake::{Accept, Accepted, Away};
use angelia_store::views::{Activity, OutboxFilter, SessionFilter};

use super::Told;
use super::given::{Given, account, first};

/// One message makes one conversation that waits.
pub async fn a_new_message_begins_a_conversation(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let listed = given
        .store
        .sessions(SessionFilter::default(), first(10))
        .await?
        .items;
    let [session] = listed.as_slice() else {
        panic!("there is one conversation: {listed:?}")
    };
    assert_eq!(session.id, place.session);
    assert_eq!(session.key.as_str(), "agent:main:api:dm:c1");
    assert_eq!(session.generation, 1);
    assert_eq!(
        (session.label.as_str(), session.preview.as_str()),
        ("Anna", "hello")
    );
    assert_eq!(
        (session.created_at, session.active_at),
        (given.clock.now(), given.clock.now())
    );
    assert_eq!(session.activity, Activity::Waiting);
    Ok(())
}

/// Ids stand in a key as they are; what was said in one place is still never found in another.
pub async fn places_whose_keys_read_alike_do_not_share_a_conversation(given: &Given) -> Told {
    let plain = given.say("a:b", "in the chat a:b").await?;
    let mut threaded = given.inbound("a", "in thread b of the chat a");
    threaded.address.thread = Some("b".to_owned());
    let mut elsewhere = given.inbound("a:b", "on another account");
    elsewhere.address.account = AccountId("other".to_owned());
    for inbound in [threaded, elsewhere] {
        let accepted = given.store.accept(given.at_the_door(inbound)).await?;
        let Accepted::New(place) = accepted else {
            panic!("it should be taken, not {accepted:?}")
        };
        assert_eq!(place.key, plain.key);
        assert_ne!(place.session, plain.session);
    }
    Ok(())
}

/// The second message finds the first one's conversation.
pub async fn a_second_message_joins_the_conversation(given: &Given) -> Told {
    let one = given.say("c1", "one").await?;
    let two = given.say("c1", "two").await?;
    let elsewhere = given.say("c2", "three").await?;
    assert_eq!(one.session, two.session);
    assert_ne!(one.inbox, two.inbox);
    assert_ne!(one.session, elsewhere.session);
    assert_eq!(given.store.waiting(one.session).await?, 2);
    Ok(())
}

/// Whoever lost the answer asks again under the same id. The row is theirs, so nobody has been told of it yet.
pub async fn a_message_that_is_asked_for_again_under_its_id_is_still_new(given: &Given) -> Told {
    given.say("c2", "hello").await?;
    // The first of its place, one more, and one that goes the longer way.
    let mut letter = given.at_the_door(given.inbound("c1", "with a cursor"));
    letter.cursor = Some("7".to_owned());
    for message in [
        given.at_the_door(given.inbound("c1", "hello")),
        given.at_the_door(given.inbound("c2", "once more")),
        letter,
    ] {
        let first = given.store.accept(message.clone()).await?;
        assert!(matches!(first, Accepted::New(_)), "{first:?}");
        assert_eq!(given.store.accept(message.clone()).await?, first);
        let repeat = given.at_the_door(message.inbound);
        let repeat = given.store.accept(repeat).await?;
        assert!(matches!(repeat, Accepted::Duplicate(_)), "{repeat:?}");
    }
    let waiting = given
        .store
        .sessions(SessionFilter::default(), first(10))
        .await?;
    assert_eq!(waiting.items.len(), 2, "nothing was begun twice");
    Ok(())
}

/// A repeat answers where the first one stands, also after it was answered.
pub async fn a_message_that_comes_again_starts_nothing(given: &Given) -> Told {
    let inbound = given.inbound("c1", "hello");
    let Accepted::New(place) = given
        .store
        .accept(given.at_the_door(inbound.clone()))
        .await?
    else {
        panic!("the first one is new")
    };
    let again = given
        .store
        .accept(given.at_the_door(inbound.clone()))
        .await?;
    assert_eq!(again, Accepted::Duplicate(place.clone()));
    let turn = given.claim().await?;
    given.settle(&turn, &["hi"]).await?;
    let later = given.store.accept(given.at_the_door(inbound)).await?;
    assert_eq!(later, Accepted::Duplicate(place));
    assert!(given.try_claim().await?.is_none());
    assert_eq!(given.store.counts().await?.sessions, 1);
    Ok(())
}

async fn fill(given: &Given, chat: &str) -> Result<Inbound, StoreError> {
    let first = given.inbound(chat, "the first");
    given.store.accept(given.at_the_door(first.clone())).await?;
    for _ in 1..limits::WAITING_PER_SESSION {
        given.say(chat, "more").await?;
    }
    Ok(first)
}

/// Being full is no reason to forget.
pub async fn a_message_is_recognised_although_its_conversation_is_full(given: &Given) -> Told {
    let first = fill(given, "c1").await?;
    let again = given.store.accept(given.at_the_door(first)).await?;
    assert!(matches!(again, Accepted::Duplicate(_)), "{again:?}");
    Ok(())
}

fn with_cursor(accept: Accept, cursor: &str) -> Accept {
    Accept {
        cursor: Some(cursor.to_owned()),
        ..accept
    }
}

/// What may be taken later is not read past.
pub async fn a_full_conversation_refuses_and_the_cursor_stays(given: &Given) -> Told {
    given
        .store
        .accept(with_cursor(
            given.at_the_door(given.inbound("c1", "x")),
            "1",
        ))
        .await?;
    for _ in 1..limits::WAITING_PER_SESSION {
        given.say("c1", "more").await?;
    }
    let refused = with_cursor(given.at_the_door(given.inbound("c1", "too much")), "2");
    assert_eq!(
        given.store.accept(refused).await?,
        Accepted::Refused(Refusal::Full)
    );
    assert_eq!(given.store.cursor(&account()).await?.as_deref(), Some("1"));
    let elsewhere = given
        .store
        .accept(given.at_the_door(given.inbound("c2", "x")))
        .await?;
    assert!(
        matches!(elsewhere, Accepted::New(_)),
        "others still have room"
    );
    Ok(())
}

/// Where nobody can be made to wait, it is told that the message was not taken; it is known from then on.
pub async fn a_message_that_is_turned_away_is_told_so_and_never_taken(given: &Given) -> Told {
    fill(given, "c1").await?;
    let inbound = given.inbound("c1", "too much");
    let away = || Away {
        inbound: inbound.clone(),
        inbox: InboxId::from_bits(given.number()),
        notice: (DeliveryId::from_bits(given.number()), "not now".to_owned()),
        cursor: Some("2".to_owned()),
    };
    given.store.turn_away(away()).await?;
    given.store.turn_away(away()).await?;
    assert_eq!(given.store.cursor(&account()).await?.as_deref(), Some("2"));
    given.claim().await?;
    let again = given
        .store
        .accept(given.at_the_door(inbound.clone()))
        .await?;
    assert_eq!(again, Accepted::Refused(Refusal::Forgotten));
    let told = given
        .store
        .deliveries(OutboxFilter::Open, first(9))
        .await?
        .items;
    let told: Vec<_> = told
        .iter()
        .map(|one| (one.text.as_str(), one.quotes.as_deref(), one.kind))
        .collect();
    let quoted = Some(inbound.message_id.as_str());
    assert_eq!(told, [("not now", quoted, DeliveryKind::Notice)]);
    Ok(())
}

/// The message that is being answered no longer waits.
pub async fn an_answer_makes_room_again(given: &Given) -> Told {
    fill(given, "c1").await?;
    given.claim().await?;
    given.say("c1", "fits again").await?;
    Ok(())
}

/// What will never be taken is read past and leaves no trace.
pub async fn a_final_refusal_stores_nothing_and_the_cursor_moves(given: &Given) -> Told {
    let empty = with_cursor(given.at_the_door(given.inbound("c1", "  ")), "7");
    assert_eq!(
        given.store.accept(empty).await?,
        Accepted::Refused(Refusal::Empty)
    );
    assert_eq!(given.store.cursor(&account()).await?.as_deref(), Some("7"));
    assert_eq!(given.store.counts().await?.sessions, 0);
    assert!(given.try_claim().await?.is_none());
    Ok(())
}

/// A repeat is read past.
pub async fn a_duplicate_moves_the_cursor(given: &Given) -> Told {
    let inbound = given.inbound("c1", "hello");
    given
        .store
        .accept(with_cursor(given.at_the_door(inbound.clone()), "1"))
        .await?;
    given
        .store
        .accept(with_cursor(given.at_the_door(inbound), "2"))
        .await?;
    assert_eq!(given.store.cursor(&account()).await?.as_deref(), Some("2"));
    Ok(())
}

/// A message that says nothing about the cursor does not touch it.
pub async fn a_message_without_a_cursor_leaves_it(given: &Given) -> Told {
    assert_eq!(given.store.cursor(&account()).await?, None);
    given
        .store
        .accept(with_cursor(
            given.at_the_door(given.inbound("c1", "x")),
            "1",
        ))
        .await?;
    given.say("c1", "no cursor").await?;
    assert_eq!(given.store.cursor(&account()).await?.as_deref(), Some("1"));
    assert_eq!(given.store.cursor(&AccountId("other".into())).await?, None);
    Ok(())
}

/// Event keys are unique within an account only.
pub async fn the_same_event_on_another_account_is_another_message(given: &Given) -> Told {
    let here = given.inbound("c1", "hello");
    let mut there = here.clone();
    there.address.account = AccountId("other".into());
    given.store.accept(given.at_the_door(here)).await?;
    let accepted = given.store.accept(given.at_the_door(there)).await?;
    assert!(matches!(accepted, Accepted::New(_)), "{accepted:?}");
    Ok(())
}

/// The isolation that comes with the message decides who shares a conversation.
pub async fn people_in_a_group_are_divided_as_configured(given: &Given) -> Told {
    let shared = Isolation {
        groups: Sharing::Shared,
        threads: Sharing::Shared,
    };
    let mut seen = Vec::new();
    for (chat, isolation) in [("apart", Isolation::default()), ("together", shared)] {
        for person in ["u1", "u2"] {
            let mut inbound = given.inbound(chat, "hello");
            inbound.address.chat.kind = ChatKind::Group;
            inbound.person.id = person.to_owned();
            let accept = Accept {
                rules: Arc::new(Rules {
                    isolation,
                    ..Rules::default()
                }),
                ..given.at_the_door(inbound)
            };
            let Accepted::New(place) = given.store.accept(accept).await? else {
                panic!("a new message is taken")
            };
            seen.push(place.session);
        }
    }
    assert_ne!(seen[0], seen[1]);
    assert_eq!(seen[2], seen[3]);
    Ok(())
}
