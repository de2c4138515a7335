//! Retry and drop: what an operator may do to a delivery.

use angelia_core::id::DeliveryId;
use angelia_core::outbound::{Delivery, DeliveryState, Reach};
use angelia_core::time::Span;
use angelia_store::outbox::Changed;

use super::Told;
use super::given::{Given, account, done, shown};
use super::lanes::{in_doubt, refused};

#[track_caller]
fn changed(changed: Changed) -> Delivery {
    let Changed::Done(delivery) = changed else {
        panic!("the wish should be done: {changed:?}")
    };
    delivery
}

/// Its time is now and its tries begin at none.
pub async fn a_retried_delivery_is_due_now_and_counts_anew(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    let later = given.clock.now() + Span::hours(6);
    given.send_all(fence, &in_doubt(later)).await?;
    given.clock.advance(Span::seconds(1));
    let delivery = changed(given.store.retry_delivery(ids[0]).await?);
    assert_eq!(
        (&delivery.state, delivery.attempts),
        (&DeliveryState::Due, 0)
    );
    assert_eq!(delivery.due_at, given.clock.now());
    assert_eq!(delivery.doubts, 1, "what may have been shown stays marked");
    assert_eq!(given.store.next_due(&account()).await?, Some(Span::ms(0)));
    assert_eq!(given.claim_texts(fence).await?, ["one"]);
    Ok(())
}

/// The lane goes on, from where it stopped.
pub async fn retrying_frees_a_chat(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &refused(Reach::Chat)).await?;
    changed(given.store.retry_delivery(ids[0]).await?);
    assert_eq!(given.send_all(fence, &shown()).await?, ["one"]);
    assert_eq!(given.send_all(fence, &shown()).await?, ["two"]);
    Ok(())
}

/// The account goes on with all its chats.
pub async fn retrying_frees_an_account(given: &Given) -> Told {
    let ids = given.answered("c1", &["one"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &refused(Reach::Account)).await?;
    given.answered("c2", &["two"]).await?;
    changed(given.store.retry_delivery(ids[0]).await?);
    let mut texts = given.claim_texts(fence).await?;
    texts.sort();
    assert_eq!(texts, ["one", "two"]);
    Ok(())
}

/// It keeps its place among those that wait.
pub async fn a_retried_delivery_goes_before_later_ones(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two", "three"]).await?;
    let fence = given.courier().await?;
    assert_eq!(
        given.send_all(fence, &refused(Reach::Message)).await?,
        ["one"]
    );
    assert_eq!(
        given.send_all(fence, &refused(Reach::Message)).await?,
        ["two"]
    );
    changed(given.store.retry_delivery(ids[1]).await?);
    changed(given.store.retry_delivery(ids[0]).await?);
    for text in ["one", "two", "three"] {
        assert_eq!(given.send_all(fence, &shown()).await?, [text]);
    }
    Ok(())
}

/// One at a time also holds for one that comes back.
pub async fn a_retried_delivery_waits_while_another_is_under_way(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &refused(Reach::Message)).await?;
    assert_eq!(given.claim_texts(fence).await?, ["two"]);
    changed(given.store.retry_delivery(ids[0]).await?);
    assert!(given.claim_texts(fence).await?.is_empty());
    done(given.store.confirm_delivery(ids[1], fence, shown()).await?);
    assert_eq!(given.claim_texts(fence).await?, ["one"]);
    Ok(())
}

/// Dropping is for due ones and for wedged ones of every reach.
pub async fn dropping_lets_the_lane_go_on(given: &Given) -> Told {
    let fence = given.courier().await?;
    for reach in [Reach::Message, Reach::Chat, Reach::Account] {
        let ids = given.answered("c1", &["one", "two", "three"]).await?;
        given.send_all(fence, &refused(reach)).await?;
        for id in &ids[..2] {
            let delivery = changed(given.store.drop_delivery(*id).await?);
            assert_eq!(delivery.state, DeliveryState::Dropped);
        }
        assert_eq!(
            given.send_all(fence, &shown()).await?,
            ["three"],
            "{reach:?}"
        );
    }
    assert_eq!(given.store.counts().await?.wedged, 0);
    Ok(())
}

/// Sending, sent and dropped deliveries stay as they are.
pub async fn what_is_under_way_or_over_cannot_be_changed(given: &Given) -> Told {
    let ids = given.answered("c1", &["one", "two"]).await?;
    let fence = given.courier().await?;
    given.claim_texts(fence).await?;
    given.refuses(ids[0], DeliveryState::Sending).await?;
    done(given.store.confirm_delivery(ids[0], fence, shown()).await?);
    given
        .refuses(ids[0], given.delivery(ids[0]).await?.state)
        .await?;
    changed(given.store.drop_delivery(ids[1]).await?);
    given.refuses(ids[1], DeliveryState::Dropped).await
}

impl Given {
    async fn refuses(&self, id: DeliveryId, state: DeliveryState) -> Told {
        for answer in [
            self.store.retry_delivery(id).await?,
            self.store.drop_delivery(id).await?,
        ] {
            assert!(matches!(&answer, Changed::NotNow(as_it_is) if as_it_is.state == state));
        }
        Ok(())
    }
}

/// A wish to nothing changes nothing.
pub async fn an_unknown_delivery_is_not_found(given: &Given) -> Told {
    let unknown = DeliveryId::from_bits(given.number());
    assert_eq!(
        given.store.retry_delivery(unknown).await?,
        Changed::NotFound
    );
    assert_eq!(given.store.drop_delivery(unknown).await?, Changed::NotFound);
    Ok(())
}
