//! Who may come where, and what nobody may do beneath a turn.

use angelia_core::id::SessionId;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::transcript::ending::Reason;
use angelia_store::intake::Accepted;
use angelia_store::sessions::{Anew, At, Authority, Begun, Switched};
use angelia_store::transcripts::{Branch, Then};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, is_lost};
use super::lives::record;
use super::sessions::{place, rested};

/// What one person says in a chat of theirs; the conversation.
async fn said(given: &Given, chat: &str, person: &str) -> Result<SessionId, StoreError> {
    let mut inbound = given.inbound(chat, "hello");
    inbound.person.id = person.to_owned();
    let accepted = given.store.accept(given.at_the_door(inbound)).await?;
    let Accepted::New(place) = accepted else {
        panic!("it should be taken, not {accepted:?}")
    };
    let turn = given.claim().await?;
    given.settle(&turn, &["an answer"]).await?;
    Ok(place.session)
}

fn anew(at: At, session: SessionId, by: Authority) -> Anew {
    Anew {
        at,
        session,
        why: Reason::NewSession,
        label: None,
        by,
    }
}

/// Where only the operator led a place, it does not come back by itself.
pub async fn the_operators_slip_opens_no_door(given: &Given) -> Told {
    let own = said(given, "c1", "ann").await?;
    let other = said(given, "c2", "bob").await?;
    let here = At::Scope(place(given, "c1"));
    let store = &given.store;
    for target in [other, own] {
        let led = store
            .switch(here.clone(), target, Authority::Operator)
            .await?;
        assert!(matches!(led, Switched::Done { .. }), "{led:?}");
    }
    let listed = store.of_place(&place(given, "c1")).await?;
    assert_eq!(listed.iter().map(|one| one.id).collect::<Vec<_>>(), [own]);
    let back = store.switch(here, other, Authority::Place).await?;
    assert_eq!(back, Switched::Forbidden);
    Ok(())
}

/// A branch that one place moves to is that place's own, whoever the parent began with.
pub async fn a_branch_belongs_to_the_place_that_goes_there(given: &Given) -> Told {
    let own = said(given, "c1", "ann").await?;
    let other = said(given, "c2", "bob").await?;
    let scope = place(given, "c1");
    let store = &given.store;
    store
        .switch(At::Scope(scope.clone()), other, Authority::Operator)
        .await?;
    let id = SessionId::from_bits(given.number());
    let branch = Branch {
        session: other,
        id,
        up_to: None,
        then: Then::Move(scope.clone()),
    };
    assert!(matches!(store.branch(branch).await?, Change::Done(_)));
    let (made, mine) = (record(given, id).await?, record(given, own).await?);
    assert_eq!((made.scope, made.key), (mine.scope, mine.key));
    let theirs = store.of_place(&place(given, "c2")).await?;
    assert!(theirs.iter().all(|one| one.id != id), "{theirs:?}");
    Ok(())
}

/// What waits behind an open turn would overtake it elsewhere, and nobody could stop it any more.
pub async fn nobody_outside_moves_a_place_beneath_an_open_turn(given: &Given) -> Told {
    let earlier = rested(given, "c1").await?;
    let here = At::Scope(place(given, "c1"));
    let store = &given.store;
    let new = SessionId::from_bits(given.number());
    store
        .begin_anew(anew(here.clone(), new, Authority::Place))
        .await?;
    given.say("c1", "one").await?;
    let turn = given.claim().await?;
    let third = SessionId::from_bits(given.number());
    let begun = store
        .begin_anew(anew(here.clone(), third, Authority::Operator))
        .await?;
    assert_eq!(begun, Begun::Busy);
    let led = store
        .switch(here.clone(), earlier, Authority::Operator)
        .await?;
    assert_eq!(led, Switched::Busy);
    let branch = Branch {
        session: new,
        id: third,
        up_to: None,
        then: Then::MoveAll,
    };
    assert_eq!(store.branch(branch).await?, Change::Busy);
    given.settle(&turn, &["done"]).await?;
    let led = store.switch(here, earlier, Authority::Operator).await?;
    assert!(matches!(led, Switched::Done { .. }), "{led:?}");
    Ok(())
}

/// Who calls to stop is heard, however many wait.
pub async fn a_call_to_stop_comes_into_a_full_conversation(given: &Given) -> Told {
    let full = angelia_core::limits::WAITING_PER_SESSION;
    for number in 0..full {
        given.say("c1", &format!("m{number}")).await?;
    }
    let say = |text| {
        given
            .store
            .accept(given.at_the_door(given.inbound("c1", text)))
    };
    let ordinary = say("one more").await?;
    assert!(matches!(ordinary, Accepted::Refused(_)), "{ordinary:?}");
    let stop = say("/stop").await?;
    assert!(matches!(stop, Accepted::New(_)), "{stop:?}");
    Ok(())
}

/// A command that is cut off interrupts no conversation.
pub async fn a_cut_off_command_marks_nothing(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    given.say("c1", "/status").await?;
    let turn = given.claim().await?;
    let why = Interrupted::ShutdownTimeout;
    let released = given.store.release_turn(turn.turn, turn.fence, why).await?;
    assert!(!is_lost(&released));
    let orphan = given.orphan().await?;
    given.settle(&orphan, &["told"]).await?;
    assert_eq!(record(given, session).await?.standing.mark, None);
    Ok(())
}
