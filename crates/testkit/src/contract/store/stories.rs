//! Everything about one message, and about one conversation.

use angelia_core::id::{InboxId, SessionId};
use angelia_core::outbound::DeliveryState;
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::views::{Activity, Story};

use super::Told;
use super::given::{Given, done, shown};

async fn told(given: &Given, inbox: InboxId) -> Result<Story, StoreError> {
    Ok(given
        .store
        .story(inbox)
        .await?
        .expect("the message is stored"))
}

/// None.
pub async fn an_unknown_message_has_no_story(given: &Given) -> Told {
    assert_eq!(
        given
            .store
            .story(InboxId::from_bits(given.number()))
            .await?,
        None
    );
    Ok(())
}

/// The message as it came, and nothing yet.
pub async fn a_waiting_message_has_no_turn_yet(given: &Given) -> Told {
    let inbound = given.inbound("c1", "hello");
    let accepted = given
        .store
        .accept(given.at_the_door(inbound.clone()))
        .await?;
    let Accepted::New(place) = accepted else {
        panic!("a new message is taken")
    };
    let story = told(given, place.inbox).await?;
    assert_eq!(story.inbound, inbound);
    assert_eq!(
        (story.inbox, story.session, story.key),
        (place.inbox, place.session, place.key)
    );
    assert_eq!(story.received_at, given.clock.now());
    assert_eq!(
        (story.turn, story.steps, story.deliveries),
        (None, vec![], vec![])
    );
    Ok(())
}

/// The turn with its attempts and what it did so far.
pub async fn a_running_message_shows_its_turn_and_steps(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    let claimed_at = given.clock.now();
    let step = Step::words("hm");
    done(
        given
            .store
            .record_step(turn.turn, turn.fence, 1, step.clone())
            .await?,
    );
    given.clock.advance(Span::hours(1));
    given.orphan().await?;
    let story = told(given, place.inbox).await?;
    let row = story.turn.expect("it is claimed");
    assert_eq!(
        (row.id, row.state.as_str(), row.attempts),
        (turn.turn, "running", 2)
    );
    assert_eq!((row.claimed_at, row.settled_at), (claimed_at, None));
    assert_eq!(story.steps.len(), 1);
    assert_eq!(story.steps[0].step, step);
    assert!(story.deliveries.is_empty());
    Ok(())
}

/// What was planned in answer, with where each part is.
pub async fn an_answered_message_shows_its_deliveries(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let other = given.say("c1", "and another").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["one", "two"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &shown()).await?;
    let story = told(given, place.inbox).await?;
    let texts: Vec<_> = story
        .deliveries
        .iter()
        .map(|part| part.text.as_str())
        .collect();
    assert_eq!(texts, ["one", "two"]);
    assert!(matches!(story.deliveries[0].state, DeliveryState::Sent(_)));
    assert_eq!(story.deliveries[1].state, DeliveryState::Due);
    assert_eq!(story.deliveries[1].inbox_ids, [place.inbox]);
    assert_eq!(
        told(given, other.inbox).await?.turn,
        None,
        "the other one still waits"
    );
    Ok(())
}

/// The message under work comes first, then those that wait.
pub async fn a_conversation_shows_what_goes_on_in_it(given: &Given) -> Told {
    let place = given.say("c1", "one").await?;
    given.say("c1", "two").await?;
    let look = async || {
        let found = given.store.session(place.session).await?;
        Ok::<_, StoreError>(found.expect("the conversation exists"))
    };
    let before = look().await?;
    assert_eq!(
        (before.row.activity, before.turn),
        (Activity::Waiting, None)
    );
    let turn = given.claim().await?;
    given.say("c1", "three").await?;
    let during = look().await?;
    assert_eq!(during.row.activity, Activity::Working);
    assert_eq!(during.turn.expect("a turn is open").id, turn.turn);
    let texts: Vec<_> = during
        .unanswered
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    assert_eq!(texts, ["one", "two", "three"]);
    assert_eq!(during.unanswered[0].inbox, place.inbox);
    assert_eq!(during.unanswered[0].person.name.as_deref(), Some("Anna"));
    given.settle(&turn, &["answer"]).await?;
    let after = look().await?;
    assert_eq!(
        (after.row.activity, after.unanswered.len()),
        (Activity::Waiting, 2)
    );
    Ok(())
}

/// None.
pub async fn an_unknown_conversation_is_not_there(given: &Given) -> Told {
    let unknown = SessionId::from_bits(given.number());
    assert_eq!(given.store.session(unknown).await?, None);
    Ok(())
}
