//! Messages that show replies while they grow.

use angelia_core::id::DeliveryId;
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, DeliveryUpdate, Receipt, Sign};
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::drafts::{Begun, Fate, NewDraft, Role};
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::{Given, account, done, is_lost};

pub(super) fn draft(
    given: &Given,
    turn: &ClaimedTurn,
    fence: Fence,
    (role, place): (Role, u32),
) -> NewDraft {
    NewDraft {
        id: DeliveryId::from_bits(given.number()),
        turn: turn.turn,
        fence,
        address: turn.batch[0].inbound.address.clone(),
        role,
        place,
    }
}

/// A message that is shown under this receipt.
async fn shown(
    given: &Given,
    turn: &ClaimedTurn,
    which: (Role, u32),
    receipt: &str,
) -> Result<DeliveryId, StoreError> {
    let fence = given.courier().await?;
    let new = draft(given, turn, fence, which);
    let id = new.id;
    assert_eq!(done(given.store.begin_draft(new).await?), Begun::Now);
    given
        .store
        .keep_draft(id, Receipt(receipt.to_owned()))
        .await?;
    Ok(id)
}

/// By its role and its place; of several in one place the newest is the one that counts.
pub async fn what_is_shown_is_found_again_by_its_turn(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    for (which, receipt) in [
        ((Role::Reply, 1), "10"),
        ((Role::Lines, 1), "11"),
        ((Role::Reply, 2), "12"),
        ((Role::Reply, 2), "13"),
    ] {
        shown(given, &turn, which, receipt).await?;
    }
    let unknown = draft(given, &turn, given.courier().await?, (Role::Reply, 3));
    done(given.store.begin_draft(unknown.clone()).await?);
    // Asked again, as after an answer that was lost.
    done(given.store.begin_draft(unknown).await?);
    let found = given.store.drafts(turn.turn).await?;
    let found: Vec<_> = found
        .iter()
        .map(|one| (one.role, one.place, one.receipt.0.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Role::Reply, 1, "10"),
            (Role::Reply, 2, "13"),
            (Role::Lines, 1, "11")
        ]
    );
    Ok(())
}

/// Under the live lease of its account, while its turn is open, and after what is to be said before.
pub async fn a_message_is_begun_only_when_it_may_be_sent(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    let fence = given.courier().await?;
    let new = |fence| draft(given, &turn, fence, (Role::Reply, 1));
    let wrong = given.store.begin_draft(new(Fence(fence.0 + 1))).await?;
    assert!(is_lost(&wrong), "another fence");
    given.clock.advance(Span::seconds(30));
    assert!(is_lost(&given.store.begin_draft(new(fence)).await?));
    let fence = given.courier().await?;
    let begun = given.store.begin_draft(new(fence)).await?;
    assert_eq!(done(begun), Begun::Now);
    given.settle(&turn, &["done"]).await?;
    let late = given.store.begin_draft(new(fence)).await?;
    assert!(is_lost(&late), "the turn has ended");
    Ok(())
}

/// What is due, or under way, comes first; other chats do not matter.
pub async fn a_message_waits_for_what_is_due_in_its_chat(given: &Given) -> Told {
    given.answered("c1", &["before"]).await?;
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    given.say("c2", "hello").await?;
    let other = given.claim().await?;
    let fence = given.courier().await?;
    let new = |turn| draft(given, turn, fence, (Role::Reply, 1));
    let waits = given.store.begin_draft(new(&turn)).await?;
    assert_eq!(done(waits), Begun::NotYet);
    let other = given.store.begin_draft(new(&other)).await?;
    assert_eq!(done(other), Begun::Now);
    let sign = draft(given, &turn, fence, (Role::Sign, 1));
    assert_eq!(done(given.store.begin_draft(sign).await?), Begun::Now);
    given.send_all(fence, &super::given::shown()).await?;
    let goes = given.store.begin_draft(new(&turn)).await?;
    assert_eq!(done(goes), Begun::Now);
    Ok(())
}

/// Once its reply is out, a message is the reply, stays beside it, or has to go.
pub async fn messages_of_a_turn_that_is_out_are_told_with_their_fate(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    for (which, receipt) in [
        ((Role::Reply, 1), "10"),
        ((Role::Reply, 2), "11"),
        ((Role::Lines, 1), "12"),
        ((Role::PassingLines, 1), "13"),
        ((Role::Sign, 1), "9"),
    ] {
        shown(given, &turn, which, receipt).await?;
    }
    let store = &given.store;
    assert!(store.stale_drafts(&account(), 10).await?.is_empty());
    let ids = given.settle(&turn, &["done"]).await?;
    assert!(
        store.stale_drafts(&account(), 10).await?.is_empty(),
        "it is due"
    );
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    let sent = DeliveryUpdate::Sent(Receipt("10".to_owned()));
    done(store.confirm_delivery(ids[0], fence, sent).await?);
    let stale = store.stale_drafts(&account(), 10).await?;
    let told: Vec<_> = stale
        .iter()
        .map(|one| (one.receipt.0.as_str(), one.fate))
        .collect();
    assert_eq!(
        told,
        [
            ("10", Fate::Stays),
            ("11", Fate::Goes),
            ("12", Fate::Stays),
            ("13", Fate::Goes),
            ("9", Fate::Signed(Some(Sign::Done)))
        ]
    );
    assert_eq!(store.stale_drafts(&account(), 1).await?.len(), 1);
    for one in stale {
        store.forget_draft(one.id).await?;
        store.forget_draft(one.id).await?;
    }
    assert!(store.stale_drafts(&account(), 10).await?.is_empty());
    Ok(())
}

/// A reply that is silence has no deliveries, and what was shown of it goes.
pub async fn what_a_silent_turn_showed_goes(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    shown(given, &turn, (Role::Reply, 1), "10").await?;
    given.settle(&turn, &[]).await?;
    let stale = given.store.stale_drafts(&account(), 10).await?;
    assert_eq!(stale.len(), 1);
    assert_eq!(stale[0].fate, Fate::Goes);
    Ok(())
}

/// To change a message twice is to change it once, so nobody doubts what became of it.
pub async fn a_part_that_ends_in_a_message_is_never_in_doubt(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    shown(given, &turn, (Role::Reply, 1), "10").await?;
    let ids = given.settle(&turn, &["one", "two"]).await?;
    for (place, doubts) in [(0, 0), (1, 1)] {
        let fence = given.courier().await?;
        given.claim_texts(fence).await?;
        let next = given.new_courier().await?;
        let (store, account) = (&given.store, account());
        let found = store.recover_deliveries(&account, next, Dedupe::None);
        assert_eq!(done(found.await?), 1);
        assert_eq!(given.delivery(ids[place]).await?.doubts, doubts);
        given.claim_texts(next).await?;
        let sent = DeliveryUpdate::Sent(Receipt("10".to_owned()));
        done(given.store.confirm_delivery(ids[place], next, sent).await?);
    }
    Ok(())
}
