//! *deliver* and *confirm*: order within a chat, and how far a refusal goes.

use angelia_core::address::AccountId;
use angelia_core::lease::Fence;
use angelia_core::outbound::{DeliveryState, DeliveryUpdate, NextTry, Reach, Receipt, Wedge};
use angelia_core::time::{Span, Timestamp};
use angelia_store::StoreError;

use super::Told;
use super::given::{Given, account, done, is_lost, shown};

/// The update of a delivery that was refused with this reach.
pub(super) fn refused(reach: Reach) -> DeliveryUpdate {
    DeliveryUpdate::Wedged(Wedge {
        reach,
        why: "no".to_owned(),
    })
}

/// One after another, also within one reply.
pub async fn only_the_head_of_a_lane_is_claimed(given: &Given) -> Told {
    given.answered("c1", &["one", "two"]).await?;
    given.answered("c1", &["three"]).await?;
    let fence = given.courier().await?;
    for text in ["one", "two", "three"] {
        let claimed = done(given.store.claim_deliveries(&account(), fence, 100).await?);
        let [delivery] = claimed.as_slice() else {
            panic!("one at a time: {claimed:?}")
        };
        assert_eq!(delivery.text, text);
        assert_eq!(
            (&delivery.state, delivery.attempts),
            (&DeliveryState::Sending, 1)
        );
        assert!(
            given.claim_texts(fence).await?.is_empty(),
            "it is under way"
        );
        done(
            given
                .store
                .confirm_delivery(delivery.id, fence, shown())
                .await?,
        );
    }
    assert!(given.claim_texts(fence).await?.is_empty());
    Ok(())
}

/// Every chat is a lane of its own; the oldest comes first.
pub async fn chats_do_not_wait_for_one_another(given: &Given) -> Told {
    for chat in ["c3", "c1", "c2"] {
        given.answered(chat, &[chat, "more"]).await?;
        given.clock.advance(Span::ms(1));
    }
    let fence = given.courier().await?;
    assert_eq!(given.claim_texts(fence).await?, ["c3", "c1", "c2"]);
    Ok(())
}

/// A courier takes what it can carry.
pub async fn no_more_is_claimed_than_asked_for(given: &Given) -> Told {
    for chat in ["c1", "c2", "c3"] {
        given.answered(chat, &[chat]).await?;
    }
    let fence = given.courier().await?;
    let two = done(given.store.claim_deliveries(&account(), fence, 2).await?);
    assert_eq!(
        two.iter()
            .map(|delivery| delivery.text.as_str())
            .collect::<Vec<_>>(),
        ["c1", "c2"]
    );
    assert_eq!(given.claim_texts(fence).await?, ["c3"]);
    Ok(())
}

/// Nothing new is begun without a lease that is live.
pub async fn claiming_needs_a_live_lease_and_its_fence(given: &Given) -> Told {
    given.answered("c1", &["one"]).await?;
    let without = given
        .store
        .claim_deliveries(&account(), Fence(1), 10)
        .await?;
    assert!(is_lost(&without), "there is no lease");
    let fence = given.courier().await?;
    let wrong = given
        .store
        .claim_deliveries(&account(), Fence(fence.0 + 1), 10)
        .await?;
    assert!(is_lost(&wrong), "another fence");
    given.clock.advance(Span::seconds(30));
    let lapsed = given.store.claim_deliveries(&account(), fence, 10).await?;
    assert!(is_lost(&lapsed), "the lease has lapsed");
    let fence = given.courier().await?;
    assert_eq!(given.claim_texts(fence).await?, ["one"]);
    Ok(())
}

/// What the platform said is kept.
pub async fn a_sent_delivery_keeps_its_receipt(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    given.clock.advance(Span::seconds(1));
    let update = DeliveryUpdate::Sent(Receipt("message 17".into()));
    let delivery = done(given.store.confirm_delivery(ids[0], fence, update).await?);
    assert_eq!(
        delivery.state,
        DeliveryState::Sent(Receipt("message 17".into()))
    );
    assert_eq!(delivery.sent_at, Some(given.clock.now()));
    assert_eq!(given.delivery(ids[0]).await?, delivery);
    assert_eq!(given.store.next_due(&account()).await?, None);
    Ok(())
}

/// Later ones wait until its time comes.
pub async fn a_delivery_for_later_holds_its_lane(given: &Given) -> Told {
    given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    let later = given.clock.now() + Span::seconds(10);
    let again = DeliveryUpdate::Again(NextTry {
        at: later,
        why: "slow down".to_owned(),
    });
    assert_eq!(given.send_all(fence, &again).await?, ["one"]);
    assert!(given.claim_texts(fence).await?.is_empty());
    let due = given.store.next_due(&account()).await?;
    assert_eq!(due, Some(Span::seconds(10)));
    given.clock.advance(Span::seconds(10));
    let due = given.store.next_due(&account()).await?;
    assert_eq!(due, Some(Span::ms(0)));
    let again = done(given.store.claim_deliveries(&account(), fence, 10).await?);
    assert_eq!(
        (again[0].text.as_str(), again[0].attempts, again[0].doubts),
        ("one", 2, 0)
    );
    Ok(())
}

/// The update of a delivery that may have been shown, and is tried again.
pub(super) fn in_doubt(at: Timestamp) -> DeliveryUpdate {
    let why = "nobody answered".to_owned();
    DeliveryUpdate::AgainInDoubt(NextTry { at, why })
}

/// Whoever reads it knows that it may have been shown twice, and why it is tried again.
pub async fn a_try_in_doubt_is_counted(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &in_doubt(given.clock.now())).await?;
    let delivery = given.delivery(ids[0]).await?;
    assert_eq!((delivery.state, delivery.doubts), (DeliveryState::Due, 1));
    assert_eq!(delivery.trouble.as_deref(), Some("nobody answered"));
    given.send_all(fence, &shown()).await?;
    let sent = given.delivery(ids[0]).await?;
    assert_eq!(sent.doubts, 1, "also once it is sent");
    assert_eq!(sent.trouble, None, "there is none any more");
    Ok(())
}

/// A message that will never be sent does not hold up the rest.
pub async fn a_wedged_message_is_set_aside_and_its_lane_goes_on(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    assert_eq!(
        given.send_all(fence, &refused(Reach::Message)).await?,
        ["one"]
    );
    assert_eq!(given.send_all(fence, &shown()).await?, ["two"]);
    let wedge = Wedge {
        reach: Reach::Message,
        why: "no".into(),
    };
    assert_eq!(
        given.delivery(ids[0]).await?.state,
        DeliveryState::Wedged(wedge)
    );
    Ok(())
}

/// One chat rests, the others go on.
pub async fn a_wedge_of_the_chat_holds_only_that_chat(given: &Given) -> Told {
    given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    assert_eq!(given.send_all(fence, &refused(Reach::Chat)).await?, ["one"]);
    given.answered("c2", &["three"]).await?;
    assert_eq!(given.send_all(fence, &shown()).await?, ["three"]);
    assert!(given.claim_texts(fence).await?.is_empty());
    assert_eq!(given.store.next_due(&account()).await?, None);
    Ok(())
}

/// Whoever blocked us and writes again is answered, with what they missed before it; nobody else has to act. If they
/// cannot be reached all the same, the chat rests again.
pub async fn a_chat_that_rests_is_tried_again_when_somebody_there_is_answered(
    given: &Given,
) -> Told {
    given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &refused(Reach::Chat)).await?;
    given.answered("c1", &["three"]).await?;
    assert_eq!(given.store.next_due(&account()).await?, Some(Span::ms(0)));
    assert_eq!(given.send_all(fence, &refused(Reach::Chat)).await?, ["one"]);
    assert!(given.claim_texts(fence).await?.is_empty(), "it rests again");
    given.answered("c1", &["four"]).await?;
    for text in ["one", "two", "three", "four"] {
        assert_eq!(given.send_all(fence, &shown()).await?, [text]);
    }
    Ok(())
}

async fn answered_elsewhere(given: &Given) -> Result<AccountId, StoreError> {
    let other = AccountId("other".into());
    let mut inbound = given.inbound("x1", "hello");
    inbound.address.account = other.clone();
    given.store.accept(given.at_the_door(inbound)).await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["elsewhere"]).await?;
    Ok(other)
}

/// A whole account rests, another does not.
pub async fn a_wedge_of_the_account_holds_all_of_it_and_no_other(given: &Given) -> Told {
    given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &refused(Reach::Account)).await?;
    given.answered("c2", &["two"]).await?;
    assert!(given.claim_texts(fence).await?.is_empty());
    assert_eq!(given.store.next_due(&account()).await?, None);
    let other = answered_elsewhere(given).await?;
    let taken = given.store.take_lease("account/other", given.node).await?;
    let fence = taken.expect("the other account's lease is free");
    let claimed = done(given.store.claim_deliveries(&other, fence, 10).await?);
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].address.account, other);
    Ok(())
}

/// The second answer finds nothing under way.
pub async fn a_delivery_is_confirmed_once(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    let early = given.store.confirm_delivery(ids[0], fence, shown()).await?;
    assert!(is_lost(&early), "it is not under way yet");
    given.send_all(fence, &shown()).await?;
    let again = given
        .store
        .confirm_delivery(ids[0], fence, refused(Reach::Account))
        .await?;
    assert!(is_lost(&again));
    assert!(matches!(
        given.delivery(ids[0]).await?.state,
        DeliveryState::Sent(_)
    ));
    Ok(())
}

/// After a takeover only the new courier speaks.
pub async fn a_courier_that_was_replaced_confirms_nothing(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let old = given.courier().await?;
    given.claim_texts(old).await?;
    let new = given.new_courier().await?;
    assert!(is_lost(
        &given.store.confirm_delivery(ids[0], old, shown()).await?
    ));
    let not_its_own = given.store.confirm_delivery(ids[0], new, shown()).await?;
    assert!(is_lost(&not_its_own), "the new one did not claim it");
    assert_eq!(given.delivery(ids[0]).await?.state, DeliveryState::Sending);
    Ok(())
}

/// A lapsed lease alone does not throw a receipt away.
pub async fn a_late_answer_counts_while_nobody_took_over(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    given.clock.advance(Span::hours(1));
    done(given.store.confirm_delivery(ids[0], fence, shown()).await?);
    Ok(())
}

/// What stands behind another is not due, whatever its time.
pub async fn the_next_due_time_is_that_of_a_head(given: &Given) -> Told {
    assert_eq!(given.store.next_due(&account()).await?, None);
    given.answered("c1", &["one", "two"]).await?;
    assert_eq!(given.store.next_due(&account()).await?, Some(Span::ms(0)));
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    assert_eq!(
        given.store.next_due(&account()).await?,
        None,
        "the head is under way"
    );
    Ok(())
}
