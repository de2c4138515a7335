//! What the cases about questions have in common: turns that ask, and what came of it.

use angelia_core::address::{ChatKind, Person};
use angelia_core::approval::{Decider, Decision, Grant};
use angelia_core::id::{ApprovalId, DeliveryId};
use angelia_core::inbound::Inbound;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::approvals::{Approval, Asked, Matter, NewApproval, Replies, Ruled};
use angelia_store::intake::{Accepted, Place};
use angelia_store::turns::ClaimedTurn;

use super::given::{Given, done};

/// A question of `turn` about a command that is recognised by `mark`.
pub(super) fn wish(given: &Given, turn: &ClaimedTurn, call: &str, mark: u8) -> NewApproval {
    let asked = &turn.batch[0].inbound;
    NewApproval {
        id: ApprovalId::from_bits(given.number()),
        turn: turn.turn,
        fence: turn.fence,
        call: call.to_owned(),
        matter: Matter {
            fingerprint: [mark; 32],
            command: format!("rm -r {mark}"),
            workdir: Some("/work".to_owned()),
            backend: "local".to_owned(),
            reasons: vec!["it deletes".to_owned()],
            choices: None,
        },
        person: asked.person.clone(),
        address: asked.address.clone(),
        time: Span::minutes(10),
        shown: (
            DeliveryId::from_bits(given.number()),
            format!("may I {mark}?"),
        ),
    }
}

pub(super) async fn turn_in(given: &Given, chat: &str) -> Result<ClaimedTurn, StoreError> {
    given.say(chat, "do something").await?;
    given.claim().await
}

pub(super) async fn asked(
    given: &Given,
    turn: &ClaimedTurn,
    call: &str,
    mark: u8,
) -> Result<Approval, StoreError> {
    let new = wish(given, turn, call, mark);
    match done(given.store.ask_for_approval(new).await?) {
        Asked::New(approval) => Ok(*approval),
        other @ (Asked::Before(_) | Asked::Granted(_) | Asked::Differs | Asked::Full) => {
            panic!("somebody should be asked, not {other:?}")
        }
    }
}

/// Whether the question is answered at once, and how.
pub(super) async fn granted(
    given: &Given,
    turn: &ClaimedTurn,
    call: &str,
    mark: u8,
) -> Result<Option<Grant>, StoreError> {
    let new = wish(given, turn, call, mark);
    Ok(match done(given.store.ask_for_approval(new).await?) {
        Asked::Granted(approval) => {
            let decided = approval.decided.expect("it is decided");
            assert_eq!(decided.by, Decider::Grant);
            match decided.decision {
                Decision::Granted(grant) => Some(grant),
                other @ (Decision::Denied
                | Decision::Answered
                | Decision::Expired
                | Decision::Withdrawn) => {
                    panic!("a grant grants, not {other:?}")
                }
            }
        }
        Asked::New(_) => None,
        other @ (Asked::Before(_) | Asked::Differs | Asked::Full) => {
            panic!("it is asked for the first time, not {other:?}")
        }
    })
}

pub(super) async fn replies(given: &Given, turn: &ClaimedTurn) -> Result<Replies, StoreError> {
    let notice = DeliveryId::from_bits(given.number());
    let taken = given.store.take_replies(turn.turn, turn.fence, notice);
    Ok(done(taken.await?))
}

pub(super) async fn decision(
    given: &Given,
    approval: &Approval,
) -> Result<Option<Decision>, StoreError> {
    let found = given.store.approval(approval.id).await?;
    let found = found.expect("the question is there");
    Ok(found.decided.map(|decided| decided.decision))
}

pub(super) async fn put_in(given: &Given, inbound: Inbound) -> Result<Place, StoreError> {
    match given.store.accept(given.at_the_door(inbound)).await? {
        Accepted::New(place) => Ok(place),
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => {
            panic!("it should be taken, not {other:?}")
        }
    }
}

/// Something that one of several people says in a conversation they share.
pub(super) fn in_room(given: &Given, person: &str, text: &str) -> Inbound {
    let mut inbound = given.inbound("room", text);
    inbound.address.chat.kind = ChatKind::Group;
    inbound.address.thread = Some("shared".to_owned());
    inbound.person = Person {
        id: person.to_owned(),
        name: Some(format!("Person {person}")),
    };
    inbound
}

#[track_caller]
pub(super) fn ruled(ruled: Ruled) -> Approval {
    match ruled {
        Ruled::Now(approval) => *approval,
        other @ (Ruled::Before(_) | Ruled::Unknown | Ruled::Unfit) => {
            panic!("it should stand, not {other:?}")
        }
    }
}

pub(super) async fn texts_of(given: &Given, turn: &ClaimedTurn) -> Result<Vec<String>, StoreError> {
    let story = given.store.story(turn.batch[0].inbox).await?;
    let deliveries = story.expect("it is stored").deliveries;
    Ok(deliveries.into_iter().map(|one| one.text).collect())
}
