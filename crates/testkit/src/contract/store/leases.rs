//! Leases and boots.

use angelia_core::id::{NodeId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::leases::{Boot, Held};
use angelia_store::views::{Liveness, NodeRow};

use super::Told;
use super::given::{Given, first, is_lost};

fn held(name: &str, fence: Fence) -> Held {
    Held {
        name: name.to_owned(),
        fence,
    }
}

async fn taken(given: &Given, name: &str, node: NodeId) -> Result<Fence, StoreError> {
    Ok(given
        .store
        .take_lease(name, node)
        .await?
        .expect("the lease is free"))
}

/// Nobody else gets it before its end, and then with a higher number.
pub async fn a_lease_is_one_holders_until_it_ends(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let fence = taken(given, "janitor", one).await?;
    assert_eq!(given.store.take_lease("janitor", two).await?, None);
    given.clock.advance(limits::LEASE_TIME);
    assert!(taken(given, "janitor", two).await? > fence);
    assert_eq!(given.store.take_lease("janitor", one).await?, None);
    Ok(())
}

/// Asking again is renewing.
pub async fn a_holder_renews_under_the_same_fence(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let fence = taken(given, "janitor", one).await?;
    for _ in 0..3 {
        given.clock.advance(limits::HEARTBEAT_EVERY);
        assert_eq!(taken(given, "janitor", one).await?, fence);
    }
    given.clock.advance(limits::HEARTBEAT_EVERY);
    assert_eq!(given.store.take_lease("janitor", two).await?, None);
    Ok(())
}

/// Someone may have acted on its end.
pub async fn a_lapsed_lease_comes_with_a_higher_fence_even_to_its_holder(given: &Given) -> Told {
    let fence = taken(given, "janitor", given.node).await?;
    given.clock.advance(limits::LEASE_TIME);
    assert!(taken(given, "janitor", given.node).await? > fence);
    Ok(())
}

/// The row stays, so numbers never begin again.
pub async fn a_released_lease_is_free_and_keeps_its_fence(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let fence = taken(given, "janitor", one).await?;
    given.store.release_lease(&held("janitor", fence)).await?;
    assert!(taken(given, "janitor", two).await? > fence);
    Ok(())
}

/// The machine's clock was wrong and is set right: conversations that rest must not wait for it.
pub async fn what_was_ended_stays_ended_when_the_clock_goes_back(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let fence = taken(given, "janitor", one).await?;
    given.store.release_lease(&held("janitor", fence)).await?;
    given.answered("c", &["answer"]).await?;
    given.clock.advance(Span::hours(-1));
    assert!(taken(given, "janitor", two).await? > fence);
    given.say("c", "after").await?;
    assert!(given.try_claim().await?.is_some());
    Ok(())
}

/// Whoever lost a lease cannot end it for its new holder.
pub async fn an_old_fence_releases_nothing(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let old = taken(given, "janitor", one).await?;
    given.clock.advance(limits::LEASE_TIME);
    taken(given, "janitor", two).await?;
    given.store.release_lease(&held("janitor", old)).await?;
    assert_eq!(given.store.take_lease("janitor", one).await?, None);
    Ok(())
}

/// One beat keeps every lease and the boot alive.
pub async fn a_heartbeat_renews_what_is_held(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let all = [
        held("a", taken(given, "a", one).await?),
        held("b", taken(given, "b", one).await?),
    ];
    for _ in 0..6 {
        given.clock.advance(limits::HEARTBEAT_EVERY);
        assert_eq!(given.store.beat(one, &all).await?, []);
    }
    assert_eq!(given.store.take_lease("a", two).await?, None);
    assert_eq!(given.store.take_lease("b", two).await?, None);
    assert_eq!(node(given, one).await?.liveness, Liveness::Alive);
    Ok(())
}

/// What another holds by now is named, the rest is renewed.
pub async fn a_heartbeat_tells_what_is_lost(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let mine = held("mine", taken(given, "mine", one).await?);
    let lost = held("lost", taken(given, "lost", one).await?);
    let unknown = held("unknown", Fence(1));
    given.clock.advance(limits::LEASE_TIME);
    taken(given, "lost", two).await?;
    let told = given
        .store
        .beat(one, &[mine, lost.clone(), unknown.clone()])
        .await?;
    assert_eq!(told, [lost, unknown]);
    Ok(())
}

/// Nobody acted on its end, so there is nothing to fear.
pub async fn a_heartbeat_saves_a_lapsed_lease_that_nobody_took(given: &Given) -> Told {
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    let mine = held("janitor", taken(given, "janitor", one).await?);
    given.clock.advance(Span::hours(1));
    assert_eq!(
        given.store.beat(one, std::slice::from_ref(&mine)).await?,
        []
    );
    assert_eq!(given.store.take_lease("janitor", two).await?, None);
    assert_eq!(
        given.store.take_lease("janitor", one).await?,
        Some(mine.fence)
    );
    Ok(())
}

/// A beat that crosses a settlement must not hold up the next message.
pub async fn a_heartbeat_does_not_revive_what_was_ended(given: &Given) -> Told {
    given.say("c1", "one").await?;
    given.say("c1", "two").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["answer"]).await?;
    let late = held(&turn.lease, turn.fence);
    assert_eq!(
        given
            .store
            .beat(given.node, std::slice::from_ref(&late))
            .await?,
        [late]
    );
    assert_eq!(given.claim().await?.batch[0].inbound.text, "two");
    let released = held("janitor", taken(given, "janitor", given.node).await?);
    given.store.release_lease(&released).await?;
    let told = given
        .store
        .beat(given.node, std::slice::from_ref(&released))
        .await?;
    assert_eq!(told, [released]);
    Ok(())
}

/// The lock on the home proves that its earlier boots are dead; it says nothing of other homes.
pub async fn a_boot_ends_the_leases_of_its_home_only(given: &Given) -> Told {
    let (dead, other) = (given.boot("h1").await?, given.boot("h2").await?);
    let names = ["account/api", "janitor", "zeal"];
    for name in names {
        taken(given, name, dead).await?;
    }
    taken(given, "scheduler", other).await?;
    let next = given.boot("h1").await?;
    for name in names {
        assert!(taken(given, name, next).await? > Fence(1), "{name}");
    }
    assert_eq!(given.store.take_lease("scheduler", next).await?, None);
    Ok(())
}

/// Its open turns are taken up at once, those of other homes are not.
pub async fn a_boot_frees_the_open_turns_of_its_home(given: &Given) -> Told {
    let (dead, other) = (given.boot("h1").await?, given.boot("h2").await?);
    given.say("c1", "one").await?;
    given.say("c2", "two").await?;
    let id = || TurnId::from_bits(given.number());
    let left = given
        .store
        .claim_turn(dead, id())
        .await?
        .expect("a message waits");
    given
        .store
        .claim_turn(other, id())
        .await?
        .expect("another message waits");
    let next = given.boot("h1").await?;
    let orphan = given
        .store
        .claim_orphan(next)
        .await?
        .expect("the dead boot's turn is free");
    assert_eq!((orphan.turn, orphan.attempts), (left.turn, 2));
    assert!(given.store.claim_orphan(next).await?.is_none());
    let step = Step::words("from the dead");
    assert!(is_lost(
        &given
            .store
            .record_step(left.turn, left.fence, 1, step)
            .await?
    ));
    Ok(())
}

/// A repeat after a lost answer keeps the boot and its leases.
pub async fn registering_a_boot_twice_changes_nothing(given: &Given) -> Told {
    let node = given.boot("h1").await?;
    let fence = taken(given, "janitor", node).await?;
    let again = Boot {
        node,
        home: "h1".into(),
        place: "tower:h1".into(),
        version: "1.0.0".into(),
    };
    given.store.start_node(again).await?;
    assert_eq!(taken(given, "janitor", node).await?, fence);
    assert_eq!(given.store.nodes(first(10)).await?.items.len(), 1);
    Ok(())
}

async fn node(given: &Given, id: NodeId) -> Result<NodeRow, StoreError> {
    let all = given.store.nodes(first(200)).await?.items;
    Ok(all
        .into_iter()
        .find(|node| node.id == id)
        .expect("the boot is stored"))
}

/// Silence and an orderly stop both count.
pub async fn a_boot_is_alive_until_it_is_silent_or_stopped(given: &Given) -> Told {
    let (silent, stopped) = (given.boot("h1").await?, given.boot("h2").await?);
    let row = node(given, silent).await?;
    assert_eq!(
        (row.liveness, row.started_at),
        (Liveness::Alive, given.clock.now())
    );
    assert_eq!((row.version.as_str(), row.stopped_at), ("1.0.0", None));
    given.store.stop_node(stopped).await?;
    let row = node(given, stopped).await?;
    assert_eq!(
        (row.liveness, row.stopped_at),
        (Liveness::Gone, Some(given.clock.now()))
    );
    given.clock.advance(limits::LEASE_TIME);
    assert_eq!(node(given, silent).await?.liveness, Liveness::Gone);
    given.store.beat(silent, &[]).await?;
    assert_eq!(node(given, silent).await?.liveness, Liveness::Alive);
    Ok(())
}

/// Old rows go, those seen since stay.
pub async fn boots_that_were_long_silent_are_swept(given: &Given) -> Told {
    given.boot("h1").await?;
    let seen = given.boot("h2").await?;
    given.clock.advance(Span::days(7));
    assert_eq!(given.store.sweep_nodes(limits::NODE_KEPT).await?, 0);
    given.clock.advance(Span::seconds(1));
    given.store.beat(seen, &[]).await?;
    assert_eq!(given.store.sweep_nodes(limits::NODE_KEPT).await?, 1);
    let left = given.store.nodes(first(10)).await?.items;
    assert_eq!(left.iter().map(|node| node.id).collect::<Vec<_>>(), [seen]);
    Ok(())
}
