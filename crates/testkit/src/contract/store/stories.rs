//! Everything about one message, one turn, and one conversation.

use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound;
use angelia_core::outbound::DeliveryState;
use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::{Tokens, Usage};
use angelia_core::turn::journal::Step;
use angelia_core::turn::outcome::Outcome;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::turns::Settle;
use angelia_store::views::{Activity, Answer, Range, Reading, Story, TurnSteps, Work};

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

/// An answer of a model that used so many tokens.
fn answered(input: u64, output: u64) -> Step {
    let tokens = Tokens {
        input,
        output,
        ..Tokens::default()
    };
    let spent = Usage {
        tokens,
        calls: 1,
        ..Usage::default()
    };
    Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, "words".to_owned())),
        spent: Some(Box::new(spent)),
    }
}

/// The whole reply, how the turn ended and what it used; nothing before that, and nothing for a message that is not
/// there.
pub async fn an_answer_is_there_once_its_turn_has_ended(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    assert_eq!(given.store.answer(place.inbox).await?, None);
    let turn = given.claim().await?;
    for (seq, step) in [(1, answered(7, 3)), (2, answered(20, 4))] {
        let recorded = given.store.record_step(turn.turn, turn.fence, seq, step);
        done(recorded.await?);
    }
    assert_eq!(given.store.answer(place.inbox).await?, None);
    given.settle(&turn, &["one", "two"]).await?;
    let answer = Answer {
        state: "completed".to_owned(),
        reply: "onetwo".to_owned(),
        tokens: Tokens {
            input: 27,
            output: 7,
            ..Tokens::default()
        },
    };
    assert_eq!(given.store.answer(place.inbox).await?, Some(answer));
    let unknown = InboxId::from_bits(given.number());
    assert_eq!(given.store.answer(unknown).await?, None);
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

/// In order, from a cursor on; of a turn that does not exist, nothing.
pub async fn the_steps_of_a_turn_are_read_page_by_page(given: &Given) -> Told {
    given.say("c1", "hello").await?;
    let turn = given.claim().await?;
    for seq in 1..=3 {
        let step = Step::words(format!("{seq}"));
        let recorded = given.store.record_step(turn.turn, turn.fence, seq, step);
        done(recorded.await?);
    }
    let page = async |after: Option<String>| {
        let range = Range { after, limit: 2 };
        let found = given.store.steps(turn.turn, range).await?;
        Ok::<_, StoreError>(found.expect("the turn exists"))
    };
    let first = page(None).await?;
    assert_eq!(
        (first.turn.id, first.turn.state.as_str()),
        (turn.turn, "running")
    );
    let seqs =
        |found: &TurnSteps| -> Vec<u32> { found.page.items.iter().map(|one| one.seq).collect() };
    assert_eq!(seqs(&first), [1, 2]);
    let rest = page(first.page.next).await?;
    assert_eq!((seqs(&rest), rest.page.next.clone()), (vec![3], None));
    assert_eq!(seqs(&page(Some("nonsense".to_owned())).await?), [0; 0]);
    let unknown = TurnId::from_bits(given.number());
    assert_eq!(given.store.steps(unknown, Range::default()).await?, None);
    Ok(())
}

/// A call, a plan, or thoughts.
pub async fn a_reply_tells_whether_its_turn_did_more_than_speak(given: &Given) -> Told {
    let place = given.say("c1", "only words").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["words"]).await?;

    given.say("c1", "with a tool").await?;
    let turn = given.claim().await?;
    let begun = Step::ToolBegun {
        call: "call".to_owned(),
        tool: "terminal".to_owned(),
        arguments: serde_json::json!({}),
        effect: EffectClass::Pure,
    };
    done(
        given
            .store
            .record_step(turn.turn, turn.fence, 1, begun)
            .await?,
    );
    given.settle(&turn, &["done"]).await?;

    given.say("c1", "with a plan").await?;
    let turn = given.claim().await?;
    let planned = Step::Planned {
        plan: "1".to_owned(),
        standing: "0 of 1 done".to_owned(),
        words: "[ ] look".to_owned(),
    };
    let recorded = given.store.record_step(turn.turn, turn.fence, 1, planned);
    done(recorded.await?);
    given.settle(&turn, &["planned"]).await?;

    given.say("c1", "with thoughts").await?;
    let turn = given.claim().await?;
    let mut row = Entry::new(Role::Assistant, "so".to_owned());
    row.reasoning.insert("text".to_owned(), "hm".into());
    let settle = Settle {
        turn: turn.turn,
        fence: turn.fence,
        outcome: Outcome::Completed {
            text: "so".to_owned(),
        },
        entries: vec![row],
        compacted: None,
        deliveries: Vec::new(),
        files: Vec::new(),
        quotes: None,
    };
    done(given.store.settle_turn(settle).await?);

    let read = given
        .store
        .transcript(place.session, Reading::default(), Range::default());
    let rows = read.await?.expect("the conversation exists").items;
    let told = rows.iter().map(|row| (row.text.as_str(), row.work));
    let told: Vec<_> = told
        .filter(|(text, _)| !text.starts_with("with") && *text != "only words")
        .collect();
    assert_eq!(
        told,
        [
            ("words", Work::None),
            ("done", Work::Steps),
            ("planned", Work::Steps),
            ("so", Work::Steps)
        ]
    );
    assert!(
        rows.iter()
            .all(|row| row.role != inbound::Role::User || row.work == Work::None)
    );
    Ok(())
}
