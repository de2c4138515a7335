//! What nodes know of each other.

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_store::leases::Held;

use super::Told;
use super::given::Given;

/// Boots of the same home follow each other; others that were stopped or not seen for long are none.
pub async fn neighbours_are_the_living_boots_of_other_homes(given: &Given) -> Told {
    let store = &given.store;
    let one = given.boot("h1").await?;
    given.boot("h1").await?;
    assert_eq!(store.neighbours(one).await?, 0);
    let (two, three) = (given.boot("h2").await?, given.boot("h3").await?);
    assert_eq!(store.neighbours(one).await?, 2);
    assert_eq!(store.neighbours(two).await?, 2);
    store.stop_node(three).await?;
    assert_eq!(store.neighbours(one).await?, 1);
    given.clock.advance(limits::LEASE_TIME);
    assert_eq!(store.neighbours(one).await?, 0);
    store.beat(two, &[]).await?;
    assert_eq!(store.neighbours(one).await?, 1);
    Ok(())
}

/// Whoever waits for a lease knows when to ask again.
pub async fn the_rest_of_a_lease_can_be_read(given: &Given) -> Told {
    let store = &given.store;
    let node = given.boot("h1").await?;
    assert_eq!(store.lease_left("account/a").await?, None);
    let fence = store.take_lease("account/a", node).await?;
    assert_eq!(
        store.lease_left("account/a").await?,
        Some(limits::LEASE_TIME)
    );
    given.clock.advance(Span::seconds(10));
    let left = limits::LEASE_TIME.as_ms() - 10_000;
    assert_eq!(store.lease_left("account/a").await?, Some(Span::ms(left)));
    let name = "account/a".to_owned();
    let fence = fence.expect("the lease is free");
    store.release_lease(&Held { name, fence }).await?;
    assert_eq!(store.lease_left("account/a").await?, None);
    Ok(())
}

/// The first of all open turns tells when somebody may have to be stood in for.
pub async fn the_first_turn_that_may_lose_its_owner_is_known(given: &Given) -> Told {
    let store = &given.store;
    assert_eq!(store.next_orphan().await?, None);
    given.say("c1", "hello").await?;
    assert_eq!(store.next_orphan().await?, None, "nobody answers it yet");
    let turn = given.claim().await?;
    assert_eq!(store.next_orphan().await?, Some(limits::LEASE_TIME));
    given.clock.advance(Span::seconds(20));
    given.say("c2", "hello").await?;
    given.claim().await?;
    assert_eq!(store.next_orphan().await?, Some(Span::seconds(10)));
    given.clock.advance(Span::seconds(20));
    assert_eq!(store.next_orphan().await?, Some(Span::ms(0)), "it is one");
    given.settle(&turn, &["hi"]).await?;
    assert_eq!(store.next_orphan().await?, Some(Span::seconds(10)));
    Ok(())
}

/// What is told is a hint: telling it changes nothing, whoever hears it.
pub async fn telling_others_changes_nothing(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let before = given.store.counts().await?;
    given.store.tell("look").await?;
    assert_eq!(given.store.counts().await?, before);
    Ok(())
}
