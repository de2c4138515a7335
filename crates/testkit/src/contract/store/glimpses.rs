//! What nodes leave for each other to see of replies that grow.

use angelia_core::id::TurnId;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_store::glimpses::{Found, Left, Which};
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::Given;

pub(super) fn left(turn: &ClaimedTurn, body: &str) -> Left {
    Left {
        turn: turn.turn,
        fence: turn.fence,
        body: body.to_owned(),
    }
}

fn bodies(found: Vec<Found>) -> Vec<String> {
    found.into_iter().map(|one| one.body).collect()
}

/// The latest stands for all before it; its own node does not see it.
pub async fn others_see_the_latest_of_a_reply_until_it_is_taken_away(given: &Given) -> Told {
    let store = &given.store;
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    for body in ["so", "so far", "so far 🙂"] {
        store
            .leave_glimpses(one, vec![left(&turn, body)], vec![])
            .await?;
    }
    let seen = [Found {
        turn: turn.turn,
        node: one,
        body: "so far 🙂".to_owned(),
    }];
    let of = Which::Of(vec![turn.turn, TurnId::from_bits(77)]);
    assert_eq!(store.glimpses(two, Which::All).await?, seen);
    assert_eq!(store.glimpses(two, of.clone()).await?, seen);
    assert_eq!(store.glimpses(one, Which::All).await?, []);
    store.leave_glimpses(two, vec![], vec![turn.turn]).await?;
    assert_eq!(store.glimpses(two, of.clone()).await?, seen, "not theirs");
    store.leave_glimpses(one, vec![], vec![turn.turn]).await?;
    assert_eq!(store.glimpses(two, of).await?, []);
    Ok(())
}

/// Whoever lost a turn leaves nothing of it any more.
pub async fn only_the_owner_of_a_turn_leaves_something_of_it(given: &Given) -> Told {
    let store = &given.store;
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    given.say("c1", "hello").await?;
    let before = given.claim().await?;
    store
        .leave_glimpses(one, vec![left(&before, "old")], vec![])
        .await?;
    given.clock.advance(limits::LEASE_TIME);
    given.clock.advance(Span::seconds(1));
    let turn = given.orphan().await?;
    store
        .leave_glimpses(two, vec![left(&turn, "new")], vec![])
        .await?;
    store
        .leave_glimpses(one, vec![left(&before, "late")], vec![])
        .await?;
    assert_eq!(bodies(store.glimpses(one, Which::All).await?), ["new"]);
    given.settle(&turn, &["done"]).await?;
    assert_eq!(store.glimpses(one, Which::All).await?, [], "it is over");
    store
        .leave_glimpses(two, vec![left(&turn, "after")], vec![])
        .await?;
    assert_eq!(store.glimpses(one, Which::All).await?, []);
    Ok(())
}

/// A node that says nothing more is believed for a while, and what it left does not stay.
pub async fn what_is_not_left_anew_is_not_believed_for_long(given: &Given) -> Told {
    let store = &given.store;
    let (one, two) = (given.boot("h1").await?, given.boot("h2").await?);
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    let leave = || store.leave_glimpses(one, vec![left(&turn, "so far")], vec![]);
    leave().await?;
    given
        .clock
        .advance(Span::ms(limits::GLIMPSE_TIME.as_ms() - 1));
    assert_eq!(store.glimpses(two, Which::All).await?.len(), 1);
    leave().await?;
    given.clock.advance(Span::ms(1));
    store.sweep_glimpses().await?;
    assert_eq!(store.glimpses(two, Which::All).await?.len(), 1, "anew");
    given.clock.advance(limits::GLIMPSE_TIME);
    assert_eq!(store.glimpses(two, Which::All).await?, []);
    store.sweep_glimpses().await?;
    assert_eq!(store.glimpses(two, Which::Of(vec![turn.turn])).await?, []);
    Ok(())
}
