//! Ends of processes that a turn has read: they are not told as well, unless the turn came to nothing.

use angelia_core::id::{ProcessId, SessionId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::intake::Refusal;
use angelia_core::turn::outcome::{Interruption, Outcome, Repeating};
use angelia_store::intake::Accepted;
use angelia_store::processes::{Moved, Process};
use angelia_store::turns::ClaimedTurn;
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, done, is_lost};
use super::processes::{HOME, begun, changed, exited, turn_in, unchanged};

/// Whoever tells an end may die before noting so: what a completed turn has read is taken back with it.
pub async fn a_message_about_an_end_goes_when_the_turn_that_read_it_is_completed(
    given: &Given,
) -> Told {
    let store = &given.store;
    let turn = turn_in(given, "c1").await?;
    let id = begun(given, &turn, "1").await?.id;
    store.end_process(id, exited(given, 0)).await?;
    let read = store.consume_process(id, turn.turn, turn.fence).await?;
    changed(done(read));
    tell(given, &turn, id).await?;
    given.settle(&turn, &["said"]).await?;
    assert_eq!(store.waiting(turn.session).await?, 0);
    assert!(store.untold_processes(HOME, 10).await?.is_empty());
    Ok(())
}

/// A turn that read an end and is completed has told it to itself; one that is not has not.
pub async fn an_end_that_a_completed_turn_read_is_never_told(given: &Given) -> Told {
    let store = &given.store;
    let ends = [
        Outcome::Completed { text: "ok".into() },
        Outcome::Failed {
            text: String::new(),
            why: "no".into(),
            repeating: Repeating::Helps,
        },
        Outcome::Interrupted {
            text: String::new(),
            by: Interruption::NewerMessage,
        },
        Outcome::Abandoned,
    ];
    for (number, outcome) in ends.into_iter().enumerate() {
        let turn = turn_in(given, &format!("c{number}")).await?;
        let id = begun(given, &turn, "1").await?.id;
        let early = store.consume_process(id, turn.turn, turn.fence).await?;
        unchanged(done(early));
        store.end_process(id, exited(given, 0)).await?;
        let read = store.consume_process(id, turn.turn, turn.fence).await?;
        changed(done(read));
        let again = store.consume_process(id, turn.turn, turn.fence).await?;
        unchanged(done(again));
        assert!(store.untold_processes(HOME, 10).await?.is_empty());
        assert!(is_not_in(&store.spent_processes(HOME, 10).await?, id));
        let is_completed = matches!(outcome, Outcome::Completed { .. });
        let mut settle = given.settlement(&turn, &["said"]);
        settle.outcome = outcome;
        done(store.settle_turn(settle).await?);
        let untold = store.untold_processes(HOME, 10).await?;
        assert_eq!(is_not_in(&untold, id), is_completed);
        let spent = store.spent_processes(HOME, 10).await?;
        assert_eq!(is_not_in(&spent, id), !is_completed);
        let noticed = store.process_noticed(id).await?;
        let has_changed = matches!(noticed, Moved::Now(_));
        assert_eq!(has_changed, !is_completed, "{noticed:?}");
    }
    Ok(())
}

fn is_not_in(all: &[Process], id: ProcessId) -> bool {
    all.iter().all(|process| process.id != id)
}

/// A message about the end that waits behind the turn that reads it is taken back, and comes again if the
/// turn is not completed.
pub async fn a_message_about_an_end_that_is_read_is_taken_back(given: &Given) -> Told {
    let store = &given.store;
    let turn = turn_in(given, "c1").await?;
    let id = begun(given, &turn, "1").await?.id;
    store.end_process(id, exited(given, 0)).await?;
    tell(given, &turn, id).await?;
    changed(store.process_noticed(id).await?);
    given.say("c1", "and this").await?;
    let read = store.consume_process(id, turn.turn, turn.fence).await?;
    assert_eq!(changed(done(read)).noticed_at, None);
    // Whoever was about to tell it meanwhile tells nobody.
    tell(given, &turn, id).await?;
    unchanged(store.process_noticed(id).await?);
    assert_eq!(store.waiting(turn.session).await?, 1);
    let mut settle = given.settlement(&turn, &[]);
    settle.outcome = Outcome::Abandoned;
    done(store.settle_turn(settle).await?);
    assert_eq!(store.untold_processes(HOME, 10).await?[0].id, id);
    tell(given, &turn, id).await?;
    changed(store.process_noticed(id).await?);
    let next = given.claim().await?;
    assert_eq!(next.batch[0].inbound.text, "and this");
    let late = store.consume_process(id, turn.turn, turn.fence).await?;
    assert!(is_lost(&late));
    given.settle(&next, &["said"]).await?;
    let told = given.claim().await?;
    assert_eq!(told.batch[0].inbound.event_key, EventKey::end_of(id));
    let read = store.consume_process(id, told.turn, told.fence).await?;
    assert!(unchanged(done(read)).noticed_at.is_some());
    Ok(())
}

/// Whoever looked before a turn read an end, and tells it when that turn is completed, tells nobody.
pub async fn an_end_that_was_read_is_not_told_by_who_looked_before(given: &Given) -> Told {
    let store = &given.store;
    let turn = turn_in(given, "c1").await?;
    let id = begun(given, &turn, "1").await?.id;
    store.end_process(id, exited(given, 0)).await?;
    done(store.consume_process(id, turn.turn, turn.fence).await?);
    given.settle(&turn, &["said"]).await?;
    let late = put(given, &turn, id).await?;
    assert_eq!(late, Accepted::Refused(Refusal::Read));
    Ok(())
}

async fn tell(given: &Given, turn: &ClaimedTurn, id: ProcessId) -> Result<(), StoreError> {
    let accepted = put(given, turn, id).await?;
    assert!(matches!(accepted, Accepted::New(_)), "{accepted:?}");
    Ok(())
}

async fn put(given: &Given, turn: &ClaimedTurn, id: ProcessId) -> Result<Accepted, StoreError> {
    let inbound = Inbound {
        address: turn.batch[0].inbound.address.clone(),
        event_key: EventKey::end_of(id),
        ..given.inbound("c1", "it ended")
    };
    given.store.accept(given.at_the_door(inbound)).await
}

/// What was started and read by a conversation that is gone stays started and read.
pub async fn deleting_a_conversation_tells_no_end_that_it_had_read(given: &Given) -> Told {
    let store = &given.store;
    let starter = turn_in(given, "c1").await?;
    let (one, two) = (
        begun(given, &starter, "1").await?.id,
        begun(given, &starter, "2").await?.id,
    );
    given.settle(&starter, &[]).await?;
    let reader = turn_in(given, "c2").await?;
    store.end_process(one, exited(given, 0)).await?;
    let read = store
        .consume_process(one, reader.turn, reader.fence)
        .await?;
    changed(done(read));
    given.settle(&reader, &[]).await?;
    let gone = store.delete(vec![reader.session]).await?;
    assert_eq!(gone, Change::Done(vec![reader.session]));
    assert!(store.untold_processes(HOME, 10).await?.is_empty());
    assert_eq!(store.spent_processes(HOME, 10).await?[0].id, one);
    let child = SessionId::from_bits(given.number());
    store.compact_into(starter.session, child).await?;
    let gone = store.delete(vec![starter.session]).await?;
    assert_eq!(gone, Change::Done(vec![starter.session]));
    let left = store.process(two).await?.expect("it lives on");
    assert_eq!((left.session, left.turn), (Some(child), None));
    Ok(())
}
