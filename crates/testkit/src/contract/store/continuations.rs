//! Conversations that go on from a summary.

use angelia_core::id::SessionId;
use angelia_core::time::Span;
use angelia_core::transcript::ending::{Life, Reason};
use angelia_core::transcript::lineage::{Kind, Link};
use angelia_store::sessions::Compacted;

use super::Told;
use super::given::Given;
use super::lives::{record, under_hourly};
use super::sessions::{life, place, rested};

/// Hazard 8: what goes on from a summary keeps its place, key, origin and what waits, with the commit that
/// ends its parent. There is no moment at which a crash loses it.
pub async fn a_compacted_conversation_keeps_its_place(given: &Given) -> Told {
    let parent = rested(given, "c1").await?;
    given.say("c1", "one").await?;
    given.say("c1", "two").await?;
    let child = SessionId::from_bits(given.number());
    assert_eq!(
        given.store.compact_into(parent, child).await?,
        Compacted::Done
    );
    assert_eq!(life(given, parent).await?, Life::Ended(Reason::Compression));
    let (before, after) = (record(given, parent).await?, record(given, child).await?);
    assert_eq!((&after.scope, &after.key), (&before.scope, &before.key));
    assert_eq!(after.origin, before.origin);
    let kind = Kind::Continuation;
    assert_eq!(after.link, Some(Link { parent, kind }));
    assert_eq!(given.store.peek(&place(given, "c1")).await?, Some(child));
    assert_eq!(given.say("c1", "three").await?.session, child);
    let first = given.claim().await?;
    assert_eq!(
        (first.session, first.batch[0].inbound.text.as_str()),
        (child, "one")
    );
    assert!(given.try_claim().await?.is_none(), "one turn at a time");
    Ok(())
}

/// Hazard 9: whether it goes on is decided where it goes on, with everything that was known before.
pub async fn a_compacted_conversation_is_still_suspended(given: &Given) -> Told {
    let parent = rested(given, "c1").await?;
    given.store.suspend(parent).await?;
    let child = SessionId::from_bits(given.number());
    given.store.compact_into(parent, child).await?;
    let new = given.say("c1", "again").await?.session;
    assert_ne!(new, child);
    assert_eq!(life(given, child).await?, Life::Ended(Reason::Suspended));
    assert_eq!(life(given, parent).await?, Life::Ended(Reason::Compression));
    Ok(())
}

/// Hazard 9 again, for the policy: its last activity goes along.
pub async fn a_compacted_conversation_is_as_old_as_it_was(given: &Given) -> Told {
    let parent = rested(given, "c1").await?;
    given.clock.advance(Span::minutes(61));
    let child = SessionId::from_bits(given.number());
    given.store.compact_into(parent, child).await?;
    given
        .store
        .accept(under_hourly(given, "c1", "hello"))
        .await?;
    assert_eq!(life(given, child).await?, Life::Ended(Reason::Idle));
    Ok(())
}

/// Compacting happens once, and not beneath somebody who speaks.
pub async fn a_conversation_goes_on_in_one_child(given: &Given) -> Told {
    let parent = rested(given, "c1").await?;
    let [child, other] = [(); 2].map(|()| SessionId::from_bits(given.number()));
    given.say("c1", "wait").await?;
    let turn = given.claim().await?;
    assert_eq!(
        given.store.compact_into(parent, child).await?,
        Compacted::Busy
    );
    given.settle(&turn, &[]).await?;
    assert_eq!(
        given.store.compact_into(parent, child).await?,
        Compacted::Done
    );
    assert_eq!(
        given.store.compact_into(parent, child).await?,
        Compacted::Before
    );
    let second = given.store.compact_into(parent, other).await?;
    assert_eq!(second, Compacted::Ended(Reason::Compression));
    let unknown = given.store.compact_into(other, child).await?;
    assert_eq!(unknown, Compacted::Unknown);
    Ok(())
}
