//! A conversation that goes another way.

use angelia_core::id::SessionId;
use angelia_core::intake;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::transcript::lineage::Lineage;
use angelia_core::whatsapp::aliases::Aliases;
use angelia_store::Change;
use angelia_store::transcripts::{Branch, Then};

use super::Told;
use super::given::Given;
use super::transcripts::{conversation, made, visible};

fn branch(given: &Given, session: SessionId, then: Then) -> Branch {
    Branch {
        session,
        id: SessionId::from_bits(given.number()),
        up_to: None,
        then,
    }
}

fn scope(given: &Given, chat: &str) -> Scope {
    let route = intake::check(
        &given.inbound(chat, "x"),
        Isolation::default(),
        &Aliases::default(),
    );
    route.expect("a chat has a conversation").scope
}

/// What is said in one of them is not said in the other.
pub async fn a_branch_begins_with_what_was_said_and_goes_its_own_way(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let other = branch(given, session, Then::Stay);
    let id = other.id;
    assert_eq!(made(given.store.branch(other).await?), 4);
    assert_eq!(visible(given, id).await?, ["q1", "a1", "q2", "a2"]);
    let place = given.say("c1", "q3").await?;
    assert_eq!(place.session, session, "people stay where they are");
    let turn = given.claim().await?;
    given.settle(&turn, &["a3"]).await?;
    assert_eq!(visible(given, id).await?.len(), 4);
    let family = given.store.family(id).await?.unwrap_or_default();
    assert_eq!(family.root(id), session);
    assert_eq!(family.tip(session), session, "a branch continues nothing");
    Ok(())
}

/// From any point of it, without what was undone.
pub async fn a_branch_may_begin_earlier(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    let earlier = Branch {
        up_to: Some(2),
        ..branch(given, session, Then::Stay)
    };
    let id = earlier.id;
    assert_eq!(made(given.store.branch(earlier).await?), 2);
    assert_eq!(visible(given, id).await?, ["q1", "a1"]);
    Ok(())
}

/// The place speaks in the branch from now on, and the branch can be told from the rest.
pub async fn people_may_go_on_in_the_branch(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let moved = branch(given, session, Then::Move(scope(given, "c1")));
    made(given.store.branch(moved.clone()).await?);
    let place = given.say("c1", "q2").await?;
    assert_eq!(place.session, moved.id);
    let turn = given.claim().await?;
    given.settle(&turn, &["a2"]).await?;
    assert_eq!(visible(given, moved.id).await?, ["q1", "a1", "q2", "a2"]);
    assert_eq!(visible(given, session).await?, ["q1", "a1"]);
    let row = given.store.session(moved.id).await?;
    assert_eq!(row.expect("the branch exists").row.generation, 2);
    Ok(())
}

/// Whoever speaks elsewhere is not moved.
pub async fn others_stay_where_they_are(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let moved = branch(given, session, Then::Move(scope(given, "c2")));
    made(given.store.branch(moved).await?);
    assert_eq!(given.say("c1", "q2").await?.session, session);
    Ok(())
}

/// Whoever lost the answer may ask again; nothing is copied or moved twice.
pub async fn a_branch_is_made_once(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let moved = branch(given, session, Then::MoveAll);
    for _ in 0..2 {
        assert_eq!(made(given.store.branch(moved.clone()).await?), 2);
    }
    assert_eq!(visible(given, moved.id).await?, ["q1", "a1"]);
    let second = branch(given, moved.id, Then::MoveAll);
    made(given.store.branch(second.clone()).await?);
    made(given.store.branch(moved).await?);
    assert_eq!(given.say("c1", "q2").await?.session, second.id);
    let unknown = branch(given, SessionId::from_bits(given.number()), Then::Stay);
    assert_eq!(given.store.branch(unknown).await?, Change::Unknown);
    Ok(())
}

/// Lists show branches beside what they came from.
pub async fn a_branch_is_listed_beside_its_parent(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let other = branch(given, session, Then::Stay);
    made(given.store.branch(other.clone()).await?);
    let lineage: Lineage = given.store.lineage().await?;
    let shown: Vec<SessionId> = lineage.listed().iter().map(|line| line.shown).collect();
    assert_eq!(shown.len(), 2);
    assert!(shown.contains(&session) && shown.contains(&other.id));
    let unknown = SessionId::from_bits(given.number());
    assert!(given.store.family(unknown).await?.is_none());
    Ok(())
}
