//! *claim* and the journal of the open turn.

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;

use super::Told;
use super::given::{Given, done, is_lost};

/// An empty store has no work.
pub async fn without_messages_there_is_nothing_to_claim(given: &Given) -> Told {
    assert!(given.try_claim().await?.is_none());
    assert!(given.store.claim_orphan(given.node).await?.is_none());
    Ok(())
}

/// The owner of a turn needs no further look at the store.
pub async fn a_claimed_turn_carries_everything_it_needs(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    assert_eq!((turn.session, &turn.key), (place.session, &place.key));
    assert_eq!(turn.lease, format!("session/{}", place.session));
    assert_eq!(turn.attempts, 1);
    assert!(turn.journal.is_empty());
    let [waiting] = turn.batch.as_slice() else {
        panic!("one message: {:?}", turn.batch)
    };
    assert_eq!(
        (waiting.inbox, waiting.inbound.text.as_str()),
        (place.inbox, "hello")
    );
    Ok(())
}

/// A message of any length is taken, waits, is claimed, found again and answered like any other.
pub async fn a_long_message_is_as_good_as_a_short_one(given: &Given) -> Told {
    for bytes in [1_000, 2_000, 3_000, limits::TEXT_BYTES_MAX] {
        let (chat, text) = (format!("c{bytes}"), "x".repeat(bytes));
        let place = given.say(&chat, &text).await?;
        let behind = given.say(&chat, &text).await?;
        let turn = given.claim().await?;
        assert_eq!(turn.batch[0].inbound.text, text);
        for inbox in [place.inbox, behind.inbox] {
            let story = given.store.story(inbox).await?;
            assert_eq!(story.map(|story| story.inbound.text), Some(text.clone()));
        }
        given.settle(&turn, &["yes"]).await?;
        assert_eq!(given.claim().await?.batch[0].inbound.text, text);
    }
    Ok(())
}

/// Whoever came first is answered first, whichever the conversation.
pub async fn the_oldest_message_is_claimed_first(given: &Given) -> Told {
    given.say("c1", "one").await?;
    given.say("c2", "two").await?;
    given.say("c1", "three").await?;
    given.say("c3", "four").await?;
    let mut order = Vec::new();
    while let Some(turn) = given.try_claim().await? {
        order.push(turn.batch[0].inbound.text.clone());
    }
    assert_eq!(order, ["one", "two", "four"]);
    Ok(())
}

/// A second turn waits for the first, others do not.
pub async fn a_conversation_has_one_open_turn(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    given.say("c1", "two").await?;
    assert!(given.try_claim().await?.is_none());
    given.clock.advance(Span::hours(1));
    assert!(
        given.try_claim().await?.is_none(),
        "also when its owner is gone"
    );
    given.settle(&turn, &["answer"]).await?;
    assert_eq!(given.claim().await?.batch[0].inbound.text, "two");
    Ok(())
}

/// Each turn takes the oldest message, and only that.
pub async fn messages_of_a_conversation_are_answered_one_by_one_in_order(given: &Given) -> Told {
    for text in ["one", "two", "three"] {
        given.say("c1", text).await?;
    }
    for text in ["one", "two", "three"] {
        let turn = given.claim().await?;
        let said: Vec<_> = turn
            .batch
            .iter()
            .map(|waiting| &waiting.inbound.text)
            .collect();
        assert_eq!(said, [text]);
        given.settle(&turn, &["answer"]).await?;
    }
    assert!(given.try_claim().await?.is_none());
    Ok(())
}

/// The message under work does not wait.
pub async fn messages_wait_beside_those_of_the_open_turn(given: &Given) -> Told {
    let place = given.say("c1", "one").await?;
    assert_eq!(given.store.waiting(place.session).await?, 1);
    given.claim().await?;
    assert_eq!(given.store.waiting(place.session).await?, 0);
    given.say("c1", "two").await?;
    assert_eq!(given.store.waiting(place.session).await?, 1);
    Ok(())
}

fn emitted(text: &str) -> Step {
    Step::Emitted {
        text: text.to_owned(),
    }
}

/// Steps come back with their places and times.
pub async fn the_journal_is_read_back_in_order(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    let began = given.clock.now();
    for (seq, text) in (1..).zip(["a", "b", "c"]) {
        done(
            given
                .store
                .record_step(turn.turn, turn.fence, seq, emitted(text))
                .await?,
        );
        given.clock.advance(Span::seconds(1));
    }
    given.clock.advance(Span::hours(1));
    let journal = given.orphan().await?.journal;
    let read: Vec<_> = journal
        .iter()
        .map(|recorded| (recorded.seq, &recorded.step))
        .collect();
    assert_eq!(
        read,
        [(1, &emitted("a")), (2, &emitted("b")), (3, &emitted("c"))]
    );
    assert_eq!(journal[1].at, began + Span::seconds(1));
    Ok(())
}

/// Where a turn's commands went stays known: to who takes the turn over and to later turns, and to no
/// other conversation.
pub async fn a_conversation_remembers_where_its_commands_run(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    assert_eq!(turn.directory, None);
    for (seq, directory) in (1..).zip(["/tmp", "/srv"]) {
        let directory = directory.to_owned();
        let step = Step::Moved { directory };
        done(
            given
                .store
                .record_step(turn.turn, turn.fence, seq, step)
                .await?,
        );
    }
    given.clock.advance(Span::hours(1));
    let turn = given.orphan().await?;
    assert_eq!(turn.directory.as_deref(), Some("/srv"));
    given.settle(&turn, &["answer"]).await?;
    given.say("c1", "again").await?;
    let turn = given.claim().await?;
    assert_eq!(turn.session, place.session);
    assert_eq!(turn.directory.as_deref(), Some("/srv"));
    given.say("c2", "hello").await?;
    assert_eq!(given.claim().await?.directory, None);
    Ok(())
}

/// A repeat after a lost answer is harmless.
pub async fn the_same_step_again_is_done(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    for _ in 0..2 {
        done(
            given
                .store
                .record_step(turn.turn, turn.fence, 1, emitted("a"))
                .await?,
        );
        given.clock.advance(Span::hours(1));
    }
    assert_eq!(given.orphan().await?.journal.len(), 1);
    Ok(())
}

/// What was written is never overwritten.
pub async fn another_step_at_the_same_place_is_refused(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    done(
        given
            .store
            .record_step(turn.turn, turn.fence, 1, emitted("a"))
            .await?,
    );
    let other = given
        .store
        .record_step(turn.turn, turn.fence, 1, emitted("b"))
        .await;
    assert!(matches!(other, Err(StoreError::Corrupt(_))), "{other:?}");
    given.clock.advance(Span::hours(1));
    assert_eq!(given.orphan().await?.journal[0].step, emitted("a"));
    Ok(())
}

/// The journal of a closed turn is final.
pub async fn a_closed_turn_takes_no_steps(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["answer"]).await?;
    let late = given
        .store
        .record_step(turn.turn, turn.fence, 1, emitted("late"))
        .await?;
    assert!(is_lost(&late));
    Ok(())
}
