//! *settle*: the end of a turn, all or none.

use angelia_core::address::ChatKind;
use angelia_core::id::DeliveryId;
use angelia_core::inbound::Role;
use angelia_core::outbound::DeliveryState;
use angelia_core::time::Span;
use angelia_core::transcript::entry::{self, Entry, ToolCall};
use angelia_core::turn::outcome::{Interruption, Outcome, Repeating};
use angelia_store::intake::Accepted;
use angelia_store::transcripts::Last;
use angelia_store::turns::Settle;
use angelia_store::views::{Activity, Order};
use serde_json::json;

use super::Told;
use super::given::{Given, done, first, is_lost};

/// Turn, message, transcript, outbox and conversation change together.
pub async fn settling_closes_everything_at_once(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let received_at = given.clock.now();
    given.clock.advance(Span::seconds(5));
    let turn = given.claim().await?;
    given.clock.advance(Span::seconds(5));
    let ids = given.settle(&turn, &["hi there"]).await?;
    let story = given
        .store
        .story(place.inbox)
        .await?
        .expect("the message is stored");
    let ended = story.turn.expect("it was answered");
    assert_eq!(
        (ended.state.as_str(), ended.settled_at),
        ("completed", Some(given.clock.now()))
    );
    let delivery = given.delivery(ids[0]).await?;
    assert_eq!(
        (delivery.state, delivery.due_at),
        (DeliveryState::Due, given.clock.now())
    );
    assert_eq!(
        (delivery.planned_at, delivery.inbox_ids),
        (given.clock.now(), vec![place.inbox])
    );
    let said = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    let said = said.expect("the conversation exists").items;
    assert_eq!(
        (said[0].role, said[0].at, said[0].seq),
        (Role::User, received_at, 1)
    );
    assert_eq!(
        (said[0].text.as_str(), said[0].name.as_deref()),
        ("hello", Some("Anna"))
    );
    assert_eq!(
        (said[1].role, said[1].at),
        (Role::Assistant, given.clock.now())
    );
    assert_eq!(
        (said[1].text.as_str(), said[1].name.as_deref()),
        ("hi there", None)
    );
    let session = given
        .store
        .session(place.session)
        .await?
        .expect("the conversation exists");
    assert_eq!(
        (session.row.preview.as_str(), session.row.activity),
        ("hi there", Activity::Idle)
    );
    assert_eq!(session.row.active_at, given.clock.now());
    Ok(())
}

/// The second time the turn is no longer open.
pub async fn settling_twice_writes_nothing_twice(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["hi"]).await?;
    assert!(is_lost(
        &given
            .store
            .settle_turn(given.settlement(&turn, &["hi"]))
            .await?
    ));
    let said = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    assert_eq!(said.expect("the conversation exists").items.len(), 2);
    assert_eq!(given.store.counts().await?.due, 1);
    Ok(())
}

/// The last of its writes fails, so the first did not happen either.
pub async fn a_settlement_that_fails_leaves_nothing_behind(given: &Given) -> Told {
    let taken = given.answered("c0", &["earlier"]).await?;
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    let mut impossible = given.settlement(&turn, &["one", "two"]);
    impossible.deliveries[1].0 = taken[0];
    let failed = given.store.settle_turn(impossible).await;
    assert!(failed.is_err(), "two deliveries cannot have one id");
    let said = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    assert!(said.expect("the conversation exists").items.is_empty());
    let story = given
        .store
        .story(place.inbox)
        .await?
        .expect("the message is stored");
    assert_eq!(story.turn.expect("it is claimed").state, "running");
    assert!(story.deliveries.is_empty());
    assert_eq!(given.store.counts().await?.due, 1);
    given.settle(&turn, &["one", "two"]).await?;
    Ok(())
}

/// People read why there is no answer.
pub async fn a_failure_is_told_as_a_notice(given: &Given) -> Told {
    let endings = [
        Outcome::Failed {
            text: "so far".into(),
            why: "the agent ended".into(),
            repeating: Repeating::Helps,
        },
        Outcome::Interrupted {
            text: String::new(),
            by: Interruption::Stop { waiting: 0 },
        },
        Outcome::Abandoned,
    ];
    for outcome in endings {
        let place = given.say("c1", "hello").await?;
        let turn = given.claim().await?;
        let (name, reply) = (outcome.name(), outcome.reply());
        let settle = Settle {
            outcome,
            ..given.settlement(&turn, &["a notice"])
        };
        done(given.store.settle_turn(settle).await?);
        let story = given
            .store
            .story(place.inbox)
            .await?
            .expect("the message is stored");
        assert_eq!(story.turn.expect("it ended").state, name);
        let said = given
            .store
            .transcript(place.session, Order::Descending.into(), first(1))
            .await?;
        let last = said.expect("the conversation exists").items.remove(0);
        assert_eq!((last.role, last.text), (Role::Notice, reply));
    }
    Ok(())
}

/// What the agent said before it was stopped stands in its answers. The notice says what came behind them, and the reply
/// that is delivered says all.
pub async fn a_notice_repeats_no_answer_that_stands_before_it(given: &Given) -> Told {
    let place = given.say("c1", "what time is it").await?;
    let turn = given.claim().await?;
    let call = Entry {
        tool_calls: vec![ToolCall::new(json!({"id": "c1", "name": "clock"}))],
        ..Entry::new(entry::Role::Assistant, "I look.")
    };
    let outcome = Outcome::Interrupted {
        text: "I look.\n\nIt is".into(),
        by: Interruption::NewerMessage,
    };
    let reply = outcome.reply();
    let settle = Settle {
        entries: vec![call],
        outcome,
        ..given.settlement(&turn, &[&reply])
    };
    done(given.store.settle_turn(settle).await?);
    let read = given.store.conversation(place.session, Last::All).await?;
    let read = read.expect("the conversation exists").into_iter();
    let words: Vec<_> = read.map(|row| row.entry.content.plain_text()).collect();
    let notice = "It is\n\nStopped, as a newer message asked for.";
    assert_eq!(words, ["what time is it", "I look.", notice]);
    Ok(())
}

/// The reply goes to the chat and thread of the message, in parts that say which they are.
pub async fn the_parts_of_a_reply_are_numbered_and_go_where_the_message_came_from(
    given: &Given,
) -> Told {
    let mut inbound = given.inbound("c1", "hello");
    inbound.address.chat.kind = ChatKind::Group;
    inbound.address.thread = Some("t7".into());
    let accepted = given
        .store
        .accept(given.at_the_door(inbound.clone()))
        .await?;
    let Accepted::New(place) = accepted else {
        panic!("a new message is taken")
    };
    let turn = given.claim().await?;
    given.settle(&turn, &["one", "two", "three"]).await?;
    let story = given
        .store
        .story(place.inbox)
        .await?
        .expect("the message is stored");
    let parts: Vec<_> = story
        .deliveries
        .iter()
        .map(|part| (part.part, part.parts))
        .collect();
    assert_eq!(parts, [(1, 3), (2, 3), (3, 3)]);
    for delivery in story.deliveries {
        assert_eq!(delivery.address, inbound.address);
        assert_eq!(
            (delivery.turn, delivery.session),
            (Some(turn.turn), Some(place.session))
        );
        assert_eq!(
            (delivery.attempts, delivery.doubts, delivery.sent_at),
            (0, 0, None)
        );
    }
    Ok(())
}

/// An agent may have nothing to say.
pub async fn a_reply_without_parts_is_only_written_down(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    assert_eq!(given.settle(&turn, &[]).await?, Vec::<DeliveryId>::new());
    let said = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    assert_eq!(said.expect("the conversation exists").items.len(), 2);
    assert_eq!(given.store.counts().await?.due, 0);
    let session = given
        .store
        .session(place.session)
        .await?
        .expect("the conversation exists");
    assert_eq!(session.row.preview, "hello", "the last words stay");
    Ok(())
}

/// The lease is free at once, and old numbers stay old.
pub async fn the_next_message_follows_with_a_higher_fence(given: &Given) -> Told {
    given.say("c1", "one").await?;
    given.say("c1", "two").await?;
    let one = given.claim().await?;
    given.settle(&one, &["first answer"]).await?;
    let two = given.claim().await?;
    assert_eq!((two.session, two.attempts), (one.session, 1));
    assert!(two.fence > one.fence);
    Ok(())
}

/// Entries are numbered without gaps, turn after turn.
pub async fn the_transcript_goes_on_over_turns(given: &Given) -> Told {
    let place = given.say("c1", "one").await?;
    given.say("c1", "two").await?;
    let mut turns = Vec::new();
    for reply in ["first", "second"] {
        let turn = given.claim().await?;
        given.settle(&turn, &[reply]).await?;
        turns.push(turn.turn);
    }
    let said = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    let said = said.expect("the conversation exists").items;
    let read: Vec<_> = said
        .iter()
        .map(|entry| (entry.seq, entry.text.as_str()))
        .collect();
    assert_eq!(read, [(1, "one"), (2, "first"), (3, "two"), (4, "second")]);
    let by: Vec<_> = said.iter().map(|entry| entry.turn).collect();
    assert_eq!(by, [turns[0], turns[0], turns[1], turns[1]].map(Some));
    Ok(())
}
