//! What conversations have used.

use angelia_core::id::SessionId;
use angelia_core::time::Span;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::{Billing, Cost, Micros, Tokens, Usage};
use angelia_core::turn::journal::Step;
use angelia_core::turn::outcome::{Outcome, Repeating};
use angelia_store::turns::{ClaimedTurn, Settle};
use angelia_store::usage::{Account, Counted, Counting, Used};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, done, is_lost};
use super::transcripts::made;

fn used(model: &str, input: u64) -> Usage {
    Usage {
        model: Some(model.to_owned()),
        billing: Billing {
            provider: Some("p".to_owned()),
            ..Billing::default()
        },
        tokens: Tokens {
            input,
            output: 1,
            ..Tokens::default()
        },
        calls: 1,
        cost: Cost {
            estimated: Some(Micros::new(10)),
            status: Some("estimated".to_owned()),
            ..Cost::default()
        },
    }
}

pub(super) fn more(session: SessionId, model: &str, input: u64) -> Account {
    Account {
        session,
        used: used(model, input),
        counting: Counting::More,
        call: None,
    }
}

/// In all, and by model (D5).
pub async fn calls_add_up(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let store = &given.store;
    assert_eq!(store.usage(session).await?, Some(Used::default()));
    for (model, input) in [("m1", 5), ("m2", 7), ("m1", 1)] {
        given.clock.advance(Span::seconds(1));
        made(store.account(more(session, model, input)).await?);
    }
    let told = store
        .usage(session)
        .await?
        .expect("the conversation exists");
    let (total, lines) = (&told.total, &told.lines);
    assert_eq!(
        (total.tokens.input, total.tokens.output, total.calls),
        (13, 3, 3)
    );
    assert_eq!(total.cost.estimated, Some(Micros::new(30)));
    assert_eq!(
        (total.model.as_deref(), total.cost.status.as_deref()),
        (Some("m1"), Some("estimated"))
    );
    let by: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line.line.model.as_str(),
                line.used.tokens.input,
                line.used.calls,
            )
        })
        .collect();
    assert_eq!(by, [("m1", 6, 2), ("m2", 7, 1)]);
    assert_eq!(lines[0].last_at.since(lines[0].first_at), Span::seconds(2));
    Ok(())
}

/// It says nothing of models, so their lines stay.
pub async fn a_total_takes_the_place_of_the_sum(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let store = &given.store;
    made(store.account(more(session, "m1", 5)).await?);
    let total = Account {
        counting: Counting::Total,
        ..more(session, "m1", 3)
    };
    made(store.account(total.clone()).await?);
    made(store.account(total).await?);
    made(store.account(more(session, "m1", 1)).await?);
    let told = store
        .usage(session)
        .await?
        .expect("the conversation exists");
    assert_eq!((told.total.tokens.input, told.total.calls), (4, 2));
    assert_eq!(told.lines[0].used.tokens.input, 6);
    Ok(())
}

/// Naming a conversation is not part of it.
pub async fn calls_beside_the_conversation_are_told_apart(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let store = &given.store;
    let aside = Account {
        counting: Counting::Aside("title".to_owned()),
        ..more(session, "small", 2)
    };
    made(store.account(aside).await?);
    let told = store
        .usage(session)
        .await?
        .expect("the conversation exists");
    assert_eq!(told.total, Usage::default());
    assert_eq!(told.lines[0].line.task, "title");
    assert_eq!(told.lines[0].used.calls, 1);
    Ok(())
}

/// Whoever lost the answer may tell it again.
pub async fn a_call_that_is_told_again_is_counted_once(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let store = &given.store;
    for (call, expected) in [
        ("1", Counted::Now),
        ("1", Counted::Before),
        ("2", Counted::Now),
    ] {
        let told = Account {
            call: Some(call.to_owned()),
            ..more(session, "m", 1)
        };
        assert_eq!(made(store.account(told).await?), expected);
    }
    let told = store
        .usage(session)
        .await?
        .expect("the conversation exists");
    assert_eq!(told.total.calls, 2);
    Ok(())
}

/// A step that is written again, as after a lost answer of the store, counts nothing; neither does one of
/// somebody who lost the turn.
pub async fn an_answer_is_counted_with_its_step_and_once(given: &Given) -> Told {
    let session = given.say("c1", "x").await?.session;
    let turn = given.claim().await?;
    let store = &given.store;
    for (seq, input) in [(1, 5), (1, 5), (2, 7)] {
        let step = answered(input);
        done(store.record_step(turn.turn, turn.fence, seq, step).await?);
    }
    given.clock.advance(Span::hours(1));
    given.orphan().await?;
    let late = store.record_step(turn.turn, turn.fence, 3, answered(100));
    assert!(is_lost(&late.await?));
    let told = store.usage(session).await?.expect("it exists");
    assert_eq!((told.total.tokens.input, told.total.calls), (12, 2));
    assert_eq!(told.lines.len(), 1);
    assert_eq!(told.lines[0].used.calls, 2);
    Ok(())
}

/// A model's answer that read so much.
fn answered(input: u64) -> Step {
    Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, "hm")),
        spent: Some(Box::new(used("m", input))),
    }
}

/// The first turn of a chat in which a model read 500 tokens, and the second, which knows that.
async fn read_500(given: &Given, chat: &str) -> Result<ClaimedTurn, StoreError> {
    answers(given, chat, "q1", Some(answered(500))).await?;
    given.say(chat, "q2").await?;
    let turn = given.claim().await?;
    assert_eq!(turn.prompt_tokens, 500);
    Ok(turn)
}

/// A whole turn with this answer, or with a reply that is no step.
async fn answers(
    given: &Given,
    chat: &str,
    words: &str,
    step: Option<Step>,
) -> Result<(), StoreError> {
    given.say(chat, words).await?;
    let turn = given.claim().await?;
    ends(given, &turn, step).await
}

/// The turn ends with this answer, or with a reply that is no step.
async fn ends(given: &Given, turn: &ClaimedTurn, step: Option<Step>) -> Result<(), StoreError> {
    let mut settle = given.settlement(turn, &["hm"]);
    if let Some(step) = step {
        let recorded = given.store.record_step(turn.turn, turn.fence, 1, step);
        done(recorded.await?);
        settle.entries = vec![Entry::new(Role::Assistant, "hm")];
    }
    done(given.store.settle_turn(settle).await?);
    Ok(())
}

/// How large the last prompt of a chat is believed to have been.
async fn believed(given: &Given, chat: &str) -> Result<u32, StoreError> {
    given.say(chat, "and now?").await?;
    Ok(given.claim().await?.prompt_tokens)
}

/// What was counted for an earlier answer says nothing of the newest one, and neither does what an agent with a history
/// of its own read.
pub async fn the_size_of_a_prompt_that_nobody_counted_is_not_known(given: &Given) -> Told {
    let mut theirs = used("agent", 150_000);
    theirs.billing.provider = Some("acp".to_owned());
    let answer = |spent| Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, "hm")),
        spent,
    };
    let uncounted = [
        ("untold", Some(answer(None))),
        ("nothing", Some(answered(0))),
        ("theirs", Some(answer(Some(Box::new(theirs))))),
        ("without a step", None),
    ];
    for (chat, step) in uncounted {
        let turn = read_500(given, chat).await?;
        ends(given, &turn, step).await?;
        assert_eq!(believed(given, chat).await?, 0, "{chat}");
    }
    let turn = read_500(given, "counted").await?;
    ends(given, &turn, Some(answered(700))).await?;
    assert_eq!(believed(given, "counted").await?, 700);
    Ok(())
}

/// A notice and a command are no answers: the last one is still the one that was counted.
pub async fn the_size_of_a_prompt_stays_while_nobody_answers(given: &Given) -> Told {
    let turn = read_500(given, "failed").await?;
    let settle = Settle {
        outcome: Outcome::Failed {
            text: "sorry".to_owned(),
            why: "it broke".to_owned(),
            repeating: Repeating::IsNoUse,
        },
        ..given.settlement(&turn, &["sorry"])
    };
    done(given.store.settle_turn(settle).await?);
    assert_eq!(believed(given, "failed").await?, 500);
    answers(given, "command", "q1", Some(answered(600))).await?;
    answers(given, "command", "/status", None).await?;
    assert_eq!(believed(given, "command").await?, 600);
    Ok(())
}

/// Nothing is invented for it.
pub async fn an_unknown_conversation_uses_nothing(given: &Given) -> Told {
    let unknown = SessionId::from_bits(given.number());
    let store = &given.store;
    assert_eq!(store.account(more(unknown, "m", 1)).await?, Change::Unknown);
    assert_eq!(store.usage(unknown).await?, None);
    Ok(())
}
