//! The list of tasks that a conversation keeps.

use angelia_core::id::SessionId;
use angelia_core::lease::Fence;
use angelia_core::todo::{Status, Task};
use angelia_core::transcript::ending::Reason;
use angelia_store::sessions::{Anew, At, Authority, Begun, Compacted};
use angelia_store::transcripts::{Branch, Then};
use angelia_store::turns::ClaimedTurn;
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, done, is_lost};
use super::sessions::place;

fn task(content: &str) -> Task {
    Task {
        id: "1".to_owned(),
        content: content.to_owned(),
        status: Status::InProgress,
    }
}

/// A turn in a chat, with one task in the list of its conversation.
async fn begun(given: &Given, chat: &str) -> Result<ClaimedTurn, StoreError> {
    given.say(chat, "plan it").await?;
    let turn = given.claim().await?;
    let tasks = vec![task("look")];
    done(given.store.keep_tasks(turn.turn, turn.fence, tasks).await?);
    Ok(turn)
}

/// In this turn and in later ones, as it was said last.
pub async fn a_list_is_kept_until_it_is_said_anew(given: &Given) -> Told {
    let turn = begun(given, "c1").await?;
    let (store, session) = (&given.store, turn.session);
    assert_eq!(store.tasks(session).await?, [task("look")]);
    given.settle(&turn, &["planned"]).await?;
    given.say("c1", "go on").await?;
    let next = given.claim().await?;
    assert_eq!(store.tasks(session).await?, [task("look")]);
    for _ in 0..2 {
        let tasks = vec![task("build")];
        done(store.keep_tasks(next.turn, next.fence, tasks).await?);
    }
    assert_eq!(store.tasks(session).await?, [task("build")]);
    done(store.keep_tasks(next.turn, next.fence, Vec::new()).await?);
    assert_eq!(store.tasks(session).await?, []);
    Ok(())
}

/// A turn that is somebody else's by now changes nothing.
pub async fn only_the_owner_of_a_turn_changes_the_list(given: &Given) -> Told {
    let turn = begun(given, "c1").await?;
    let stale = Fence(turn.fence.0 - 1);
    let tasks = vec![task("mine")];
    let refused = given
        .store
        .keep_tasks(turn.turn, stale, tasks.clone())
        .await?;
    assert!(is_lost(&refused));
    given.settle(&turn, &["planned"]).await?;
    let refused = given.store.keep_tasks(turn.turn, turn.fence, tasks).await?;
    assert!(is_lost(&refused), "a turn that is over writes nothing");
    assert_eq!(given.store.tasks(turn.session).await?, [task("look")]);
    let unknown = SessionId::from_bits(given.number());
    assert_eq!(given.store.tasks(unknown).await?, []);
    Ok(())
}

/// A summary and a branch go on with the list; a new conversation begins without.
pub async fn a_list_goes_where_its_conversation_goes(given: &Given) -> Told {
    let turn = begun(given, "c1").await?;
    given.settle(&turn, &["planned"]).await?;
    let store = &given.store;
    let [child, branch, new] = [(); 3].map(|()| SessionId::from_bits(given.number()));
    let compacted = store.compact_into(turn.session, child).await?;
    assert_eq!(compacted, Compacted::Done);
    assert_eq!(store.tasks(child).await?, [task("look")]);
    let branched = Branch {
        session: child,
        id: branch,
        up_to: None,
        then: Then::Stay,
    };
    assert!(matches!(store.branch(branched).await?, Change::Done(_)));
    assert_eq!(store.tasks(branch).await?, [task("look")]);
    let anew = Anew {
        at: At::Scope(place(given, "c1")),
        session: new,
        why: Reason::NewSession,
        label: None,
        by: Authority::Place,
    };
    assert!(matches!(store.begin_anew(anew).await?, Begun::Anew { .. }));
    assert_eq!(store.tasks(new).await?, []);
    Ok(())
}
