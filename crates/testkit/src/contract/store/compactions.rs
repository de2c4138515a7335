//! A turn makes its conversation shorter: one row more, nothing deleted, the newest rows as they were.

use angelia_core::id::SessionId;
use angelia_core::transcript::compaction::{Since, summary};
use angelia_core::transcript::conversation::for_model;
use angelia_core::transcript::entry::{Entry, Role, Visibility};
use angelia_core::transcript::usage::{Tokens, Usage};
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::transcripts::{Branch, By, Hide, Last, Seen, Then};
use angelia_store::turns::{ClaimedTurn, Settle};

use super::Told;
use super::given::{Given, done, first};
use super::transcripts::{conversation, made, visible};

/// A turn that says `text`, is told `reply`, and in between makes everything before `since` shorter.
async fn compacting(given: &Given, text: &str, since: Since) -> Result<ClaimedTurn, StoreError> {
    given.say("c1", text).await?;
    let turn = given.claim().await?;
    let reply = format!("re: {text}");
    let mut answer = Entry::new(Role::Assistant, "let me see");
    if since.own > 1 {
        answer.visibility = Visibility::Compacted;
    }
    let settle = Settle {
        entries: vec![
            answer,
            summary(format!("notes before {text}")),
            Entry::new(Role::Assistant, reply.as_str()),
        ],
        compacted: Some(since),
        ..given.settlement(&turn, &[&reply])
    };
    done(given.store.settle_turn(settle).await?);
    Ok(turn)
}

/// What a model is given, in words.
async fn told(given: &Given, session: SessionId, last: Last) -> Result<Vec<String>, StoreError> {
    let rows = given.store.conversation(session, last).await?;
    let rows = rows.expect("the conversation exists");
    let rows: Vec<Entry> = rows.into_iter().map(|kept| kept.entry).collect();
    let told = for_model(&rows);
    Ok(told.iter().map(|row| row.content.plain_text()).collect())
}

/// Everything before is archived and still there; what stays is read behind the summary, which comes first.
pub async fn a_turns_summary_stands_for_what_came_before_and_nothing_is_lost(
    given: &Given,
) -> Told {
    let session = conversation(given, 3).await?;
    compacting(given, "q4", Since { row: 5, own: 0 }).await?;
    let read = told(given, session, Last::All).await?;
    assert!(
        read[0].contains("notes before q4") && read[0].ends_with("q3"),
        "{read:?}"
    );
    assert_eq!(read[1..], ["a3", "q4", "let me see\nre: q4"]);
    let rows = given.store.rows(session, first(100)).await?;
    let rows = rows.expect("the conversation exists").items;
    let archived = rows
        .iter()
        .filter(|row| row.entry.visibility == Visibility::Compacted);
    let archived: Vec<String> = archived.map(|row| row.entry.content.plain_text()).collect();
    assert_eq!(
        (rows.len(), archived),
        (10, ["q1", "a1", "q2", "a2"].map(str::to_owned).to_vec())
    );
    Ok(())
}

/// The next one says what the one before said.
pub async fn there_is_one_summary_and_it_is_the_newest(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    compacting(given, "q3", Since { row: 3, own: 0 }).await?;
    compacting(given, "q4", Since { row: 5, own: 0 }).await?;
    let shown = visible(given, session).await?;
    let notes = shown.iter().filter(|text| text.starts_with("notes"));
    assert_eq!(notes.collect::<Vec<_>>(), ["notes before q4"]);
    assert_eq!(shown.first().map(String::as_str), Some("q3"));
    Ok(())
}

/// A turn whose own beginning does not fit any more.
pub async fn a_turn_may_set_its_own_beginning_aside(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    compacting(given, "q2", Since { row: 3, own: 2 }).await?;
    assert_eq!(
        visible(given, session).await?,
        ["notes before q2", "re: q2"]
    );
    assert_eq!(given.store.rewind_plan(session, 1).await?, None);
    Ok(())
}

/// However many rows follow it.
pub async fn the_summary_is_among_the_last_rows(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    compacting(given, "q2", Since { row: 3, own: 0 }).await?;
    given.answered("c1", &["a3"]).await?;
    given.answered("c1", &["a4"]).await?;
    let read = told(given, session, Last::Rows(2)).await?;
    assert!(read[0].contains("notes before q2"), "{read:?}");
    assert_eq!(read.last().map(String::as_str), Some("a4"));
    Ok(())
}

/// What is left is undone as before; what was summed up is not, and the summary stays.
pub async fn an_undo_leaves_the_summary(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    compacting(given, "q4", Since { row: 5, own: 0 }).await?;
    let plan = given.store.rewind_plan(session, 9).await?;
    let plan = plan.expect("there is a turn");
    assert_eq!((plan.from, plan.turns), (5, 2));
    let hide = Hide {
        session,
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    };
    assert!(made(given.store.hide_from(hide).await?) > 0);
    assert_eq!(visible(given, session).await?, ["notes before q4"]);
    assert_eq!(
        made(given.store.hide_from(hide).await?),
        0,
        "the second time"
    );
    Ok(())
}

/// The copy knows what its original knew.
pub async fn a_branch_takes_the_summary_along(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    compacting(given, "q3", Since { row: 3, own: 0 }).await?;
    let id = SessionId::from_bits(given.number());
    let branch = Branch {
        session,
        id,
        up_to: Some(4),
        then: Then::Stay,
    };
    made(given.store.branch(branch).await?);
    let read = told(given, id, Last::All).await?;
    assert!(
        read[0].contains("notes before q3") && read[0].ends_with("q2"),
        "{read:?}"
    );
    assert_eq!(read[1..], ["a2"]);
    Ok(())
}

/// It is a task beside the conversation, and the prompt is as large as the next answer says.
pub async fn what_a_summary_used_is_counted_beside_the_conversation(given: &Given) -> Told {
    let place = given.say("c1", "q1").await?;
    let turn = given.claim().await?;
    let used = |input| {
        Some(Box::new(Usage {
            model: Some("m".to_owned()),
            tokens: Tokens {
                input,
                cache_read: 10,
                ..Tokens::default()
            },
            calls: 1,
            ..Usage::default()
        }))
    };
    let answer = Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, "hm")),
        spent: used(100),
    };
    let compacted = Step::Compacted {
        summary: "in short".to_owned(),
        since: Since { row: 1, own: 2 },
        spent: used(70),
    };
    for _twice in 0..2 {
        for (seq, step) in (1..).zip([answer.clone(), compacted.clone()]) {
            let recorded = given.store.record_step(turn.turn, turn.fence, seq, step);
            done(recorded.await?);
        }
    }
    let usage = given.store.usage(place.session).await?;
    let usage = usage.expect("the conversation exists");
    assert_eq!((usage.total.tokens.input, usage.total.calls), (100, 1));
    let lines: Vec<(&str, u64)> = usage
        .lines
        .iter()
        .map(|line| (line.line.task.as_str(), line.used.tokens.input))
        .collect();
    assert_eq!(lines, [("", 100), ("compaction", 70)]);
    given.settle(&turn, &["done"]).await?;
    given.say("c1", "q2").await?;
    assert_eq!(given.claim().await?.prompt_tokens, 0);
    Ok(())
}
