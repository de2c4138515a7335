//! Turns and deliveries found without their owner.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, DeliveryState, Reach};
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::commands::Behind;
use angelia_store::sessions::{Anew, At, Authority};
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::{Given, account, done, is_lost, shown};

/// A lease that is kept is respected.
pub async fn a_turn_with_a_live_lease_is_no_orphan(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    given.claim().await?;
    assert!(given.store.claim_orphan(given.node).await?.is_none());
    given.clock.advance(Span::seconds(29));
    assert!(given.store.claim_orphan(given.node).await?.is_none());
    Ok(())
}

/// The new owner knows what was done, and that it is not the first.
pub async fn an_orphan_comes_with_a_higher_fence_one_more_attempt_and_its_journal(
    given: &Given,
) -> Told {
    given.say("c1", "hello").await?;
    let before = given.claim().await?;
    let step = Step::words("thinking");
    done(
        given
            .store
            .record_step(before.turn, before.fence, 1, step.clone())
            .await?,
    );
    given.clock.advance(Span::seconds(30));
    let after = given.orphan().await?;
    assert_eq!((after.turn, after.session), (before.turn, before.session));
    assert_eq!(after.batch, before.batch);
    assert!(after.fence > before.fence);
    assert_eq!(after.attempts, 2);
    assert_eq!(after.journal[0].step, step);
    assert!(
        given.store.claim_orphan(given.node).await?.is_none(),
        "it has an owner again"
    );
    Ok(())
}

/// One that may be what ends nodes is taken when all others are.
pub async fn an_orphan_that_was_one_before_comes_last(given: &Given) -> Told {
    given.say("c1", "one").await?;
    let one = given.claim().await?;
    given.clock.advance(Span::hours(1));
    given.orphan().await?;
    given.say("c2", "two").await?;
    let two = given.claim().await?;
    given.clock.advance(Span::hours(1));
    let found = [given.orphan().await?, given.orphan().await?];
    let found = found.map(|claimed| (claimed.turn, claimed.attempts));
    assert_eq!(found, [(two.turn, 2), (one.turn, 3)]);
    Ok(())
}

/// Orphans are taken in the order of their first claim.
pub async fn the_oldest_orphan_comes_first(given: &Given) -> Told {
    given.say("c1", "one").await?;
    given.say("c2", "two").await?;
    let (one, two) = (given.claim().await?, given.claim().await?);
    given.clock.advance(Span::hours(1));
    assert_eq!(given.orphan().await?.turn, one.turn);
    assert_eq!(given.orphan().await?.turn, two.turn);
    Ok(())
}

/// A task that slept through its lease changes nothing.
pub async fn after_a_takeover_the_old_owner_can_write_nothing(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let old = given.claim().await?;
    given.clock.advance(Span::hours(1));
    let new = given.orphan().await?;
    let step = Step::words("late");
    assert!(is_lost(
        &given
            .store
            .record_step(old.turn, old.fence, 1, step)
            .await?
    ));
    assert!(is_lost(
        &given
            .store
            .release_turn(old.turn, old.fence, Interrupted::ShutdownTimeout)
            .await?
    ));
    assert!(is_lost(
        &given
            .store
            .settle_turn(given.settlement(&old, &["late"]))
            .await?
    ));
    assert_eq!(given.store.counts().await?.due, 0);
    given.settle(&new, &["answer"]).await?;
    assert_eq!(given.store.counts().await?.due, 1);
    Ok(())
}

/// Begins anew and writes a message in the hands of a turn. What both came to.
async fn change(given: &Given, turn: &ClaimedTurn) -> (Option<StoreError>, Option<StoreError>) {
    let held = given.store.held_by(turn.turn, turn.fence);
    let anew = Anew {
        at: At::Session(turn.session),
        session: SessionId::from_bits(given.number()),
        why: Reason::SessionReset,
        label: None,
        by: Authority::Place,
    };
    let message = given.at_the_door(given.inbound("c1", "again"));
    (
        held.begin_anew(anew).await.err(),
        held.accept(message).await.err(),
    )
}

const OVERTAKEN: (Option<StoreError>, Option<StoreError>) =
    (Some(StoreError::Overtaken), Some(StoreError::Overtaken));

/// What a command changes, its owner of the moment changes: not one that slept and comes to itself.
pub async fn in_the_hands_of_a_turn_that_was_taken_over_every_verb_is_overtaken(
    given: &Given,
) -> Told {
    given.say("c1", "/new").await?;
    let old = given.claim().await?;
    given.clock.advance(Span::hours(1));
    let new = given.orphan().await?;
    assert_eq!(change(given, &old).await, OVERTAKEN);
    let waiting = given.store.behind(new.turn).await?;
    assert_eq!(waiting, Behind::default(), "nothing of it was written");
    assert_eq!(change(given, &new).await, (None, None));
    Ok(())
}

/// The command was given up meanwhile, and people were told so: it is not followed after that.
pub async fn in_the_hands_of_a_turn_that_has_ended_every_verb_is_overtaken(given: &Given) -> Told {
    given.say("c1", "/new").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["that took too long"]).await?;
    assert_eq!(change(given, &turn).await, OVERTAKEN);
    Ok(())
}

/// A lapsed lease alone does not throw work away.
pub async fn late_work_is_good_while_nobody_took_over(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    given.clock.advance(Span::hours(1));
    let step = Step::words("late");
    done(
        given
            .store
            .record_step(turn.turn, turn.fence, 1, step)
            .await?,
    );
    given.settle(&turn, &["late, but there"]).await?;
    Ok(())
}

/// A stopping node gives its turns back.
pub async fn a_released_turn_is_free_at_once_and_its_attempt_is_not_counted(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    done(
        given
            .store
            .release_turn(turn.turn, turn.fence, Interrupted::ShutdownTimeout)
            .await?,
    );
    assert!(given.try_claim().await?.is_none(), "it stays open");
    let again = given.orphan().await?;
    assert_eq!((again.turn, again.attempts), (turn.turn, 1));
    assert!(again.fence > turn.fence);
    Ok(())
}

/// Whoever gave a turn back has nothing more to say about it.
pub async fn a_released_turn_takes_no_more_writes_of_its_old_owner(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    done(
        given
            .store
            .release_turn(turn.turn, turn.fence, Interrupted::ShutdownTimeout)
            .await?,
    );
    assert!(is_lost(
        &given
            .store
            .release_turn(turn.turn, turn.fence, Interrupted::ShutdownTimeout)
            .await?
    ));
    assert!(is_lost(
        &given
            .store
            .settle_turn(given.settlement(&turn, &["late"]))
            .await?
    ));
    let unknown = TurnId::from_bits(given.number());
    assert!(is_lost(
        &given
            .store
            .release_turn(unknown, turn.fence, Interrupted::ShutdownTimeout)
            .await?
    ));
    Ok(())
}

/// Where the platform shows one message for all sends, sending again is safe.
pub async fn a_delivery_left_behind_goes_out_again_where_repeats_are_recognised(
    given: &Given,
) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let dead = given.courier().await?;
    assert_eq!(given.claim_texts(dead).await?, ["one"]);
    let fence = given.new_courier().await?;
    let found = given
        .store
        .recover_deliveries(&account(), fence, Dedupe::ByKey)
        .await?;
    assert_eq!(done(found), 1);
    let delivery = given.delivery(ids[0]).await?;
    assert_eq!((delivery.state, delivery.doubts), (DeliveryState::Due, 0));
    assert_eq!(
        given.send_all(fence, &shown()).await?,
        ["one"],
        "and in its old place"
    );
    assert_eq!(given.send_all(fence, &shown()).await?, ["two"]);
    Ok(())
}

/// Elsewhere a person sees it twice at most.
pub async fn a_delivery_left_behind_is_repeated_once_and_marked_elsewhere(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let mut fence = given.courier().await?;
    assert_eq!(given.claim_texts(fence).await?, ["one"]);
    fence = given.new_courier().await?;
    done(
        given
            .store
            .recover_deliveries(&account(), fence, Dedupe::None)
            .await?,
    );
    assert_eq!(given.delivery(ids[0]).await?.doubts, 1);
    assert_eq!(given.claim_texts(fence).await?, ["one"]);
    fence = given.new_courier().await?;
    done(
        given
            .store
            .recover_deliveries(&account(), fence, Dedupe::None)
            .await?,
    );
    let state = given.delivery(ids[0]).await?.state;
    assert!(matches!(state, DeliveryState::Wedged(wedge) if wedge.reach == Reach::Message));
    assert_eq!(given.claim_texts(fence).await?, ["two"]);
    Ok(())
}

/// Only what a dead courier left behind is found without an owner.
pub async fn own_deliveries_under_way_are_not_recovered(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    let found = given
        .store
        .recover_deliveries(&account(), fence, Dedupe::ByKey)
        .await?;
    assert_eq!(done(found), 0);
    assert_eq!(given.delivery(ids[0]).await?.state, DeliveryState::Sending);
    Ok(())
}

/// A courier that was replaced recovers nothing.
pub async fn recovery_needs_the_current_fence(given: &Given) -> Told {
    given.answered("c1", &["one"]).await?;
    let nobody = given
        .store
        .recover_deliveries(&account(), Fence(1), Dedupe::ByKey)
        .await?;
    assert!(is_lost(&nobody), "there is no lease at all");
    let old = given.courier().await?;
    given.claim_texts(old).await?;
    given.new_courier().await?;
    let late = given
        .store
        .recover_deliveries(&account(), old, Dedupe::ByKey)
        .await?;
    assert!(is_lost(&late));
    Ok(())
}
