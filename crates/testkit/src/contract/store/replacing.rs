//! Rows in place of others: a summary, or another conversation altogether.

use angelia_core::id::SessionId;
use angelia_core::transcript::entry::{Role, Visibility};
use angelia_store::transcripts::{By, Hide, Last, MessageKey, Replacement, Said, Seen};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, first};
use super::transcripts::{conversation, made, row, visible, words};

pub(super) fn instead(session: SessionId, rows: &[&str]) -> Replacement {
    Replacement {
        session,
        by: By::Anyone,
        seen: Seen::Anything,
        rows: rows.iter().map(|text| row(Role::User, text)).collect(),
    }
}

/// How many rows there are of each kind: visible, undone, summarised.
async fn kinds(given: &Given, session: SessionId) -> Result<[usize; 3], StoreError> {
    let rows = given.store.rows(session, first(100)).await?;
    let rows = rows.expect("the conversation exists").items;
    let count = |kind| {
        let of_kind = rows.iter().filter(|row| row.entry.visibility == kind);
        of_kind.count()
    };
    Ok([
        count(Visibility::Visible),
        count(Visibility::Rewound),
        count(Visibility::Compacted),
    ])
}

async fn undo_one(given: &Given, session: SessionId) -> Told {
    let plan = given.store.rewind_plan(session, 1).await?;
    let plan = plan.expect("there is a turn");
    let hide = Hide {
        session,
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    };
    assert!(made(given.store.hide_from(hide).await?) > 0);
    Ok(())
}

/// Visible is what was given; every earlier row is still there (T6).
pub async fn a_summary_stands_for_what_it_sums_up(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    undo_one(given, session).await?;
    let summary = instead(session, &["in short", "go on"]);
    assert_eq!(made(given.store.compact(summary).await?), 8);
    assert_eq!(visible(given, session).await?, ["in short", "go on"]);
    assert_eq!(kinds(given, session).await?, [2, 2, 4]);
    given.say("c1", "q4").await?;
    let turn = given.claim().await?;
    given.settle(&turn, &["a4"]).await?;
    let summary = instead(session, &["shorter"]);
    made(given.store.compact(summary).await?);
    assert_eq!(visible(given, session).await?, ["shorter"]);
    assert_eq!(kinds(given, session).await?, [1, 2, 8]);
    Ok(())
}

/// Nothing of the old rows is left, in sight or out of it.
pub async fn a_rewrite_leaves_no_other_row(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    made(given.store.compact(instead(session, &["in short"])).await?);
    undo_one(given, session).await?;
    let last = made(
        given
            .store
            .rewrite(instead(session, &["anew", "so"]))
            .await?,
    );
    assert_eq!(visible(given, session).await?, ["anew", "so"]);
    assert_eq!(kinds(given, session).await?, [2, 0, 0]);
    let rows = given.store.conversation(session, Last::All).await?;
    let rows = rows.expect("the conversation exists");
    assert!(rows[0].seq > 5, "a number is never given twice");
    assert_eq!(rows[1].seq, last);
    Ok(())
}

/// Rewriting what is there with what is there keeps it (T5), and may leave nothing.
pub async fn a_conversation_can_be_rewritten_with_itself_and_with_nothing(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    undo_one(given, session).await?;
    let rows = given.store.conversation(session, Last::All).await?;
    let rows = rows.expect("the conversation exists").into_iter();
    let rows = rows.map(|kept| Said {
        name: kept.name,
        ..Said::from(kept.entry)
    });
    let same = Replacement {
        rows: rows.collect(),
        ..instead(session, &[])
    };
    made(given.store.rewrite(same).await?);
    assert_eq!(visible(given, session).await?, ["q1", "a1"]);
    assert_eq!(kinds(given, session).await?, [2, 0, 0]);
    made(given.store.rewrite(instead(session, &[])).await?);
    assert_eq!(kinds(given, session).await?, [0, 0, 0]);
    Ok(())
}

/// Whoever lost the answer may ask again.
pub async fn a_replacement_that_stands_is_not_made_again(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let summary = Replacement {
        seen: Seen::UpTo(4),
        ..instead(session, &["in short"])
    };
    let last = made(given.store.compact(summary.clone()).await?);
    assert_eq!(made(given.store.compact(summary).await?), last);
    assert_eq!(kinds(given, session).await?, [1, 0, 4]);
    let anew = Replacement {
        seen: Seen::UpTo(last),
        ..instead(session, &["anew"])
    };
    let last = made(given.store.rewrite(anew.clone()).await?);
    assert_eq!(made(given.store.rewrite(anew).await?), last);
    assert_eq!(kinds(given, session).await?, [1, 0, 0]);
    Ok(())
}

/// A summary does not know what was said while it was written.
pub async fn nothing_is_replaced_if_more_was_said_meanwhile(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    made(
        given
            .store
            .append(session, vec![row(Role::User, "wait")])
            .await?,
    );
    let summary = Replacement {
        seen: Seen::UpTo(4),
        ..instead(session, &["in short"])
    };
    let store = &given.store;
    assert_eq!(store.compact(summary.clone()).await?, Change::Moved);
    assert_eq!(store.rewrite(summary).await?, Change::Moved);
    assert_eq!(kinds(given, session).await?, [5, 0, 0]);
    Ok(())
}

/// The turn that is open may do it itself.
pub async fn nothing_is_replaced_under_somebody_elses_turn(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    given.say("c1", "q2").await?;
    let turn = given.claim().await?;
    let (store, summary) = (&given.store, instead(session, &["in short"]));
    assert_eq!(store.compact(summary.clone()).await?, Change::Busy);
    assert_eq!(store.rewrite(summary.clone()).await?, Change::Busy);
    let own = Replacement {
        by: By::Turn(turn.turn, turn.fence),
        ..summary
    };
    made(store.compact(own).await?);
    given.settle(&turn, &["a2"]).await?;
    assert_eq!(visible(given, session).await?, ["in short", "q2", "a2"]);
    let unknown = instead(SessionId::from_bits(given.number()), &["x"]);
    assert_eq!(store.compact(unknown.clone()).await?, Change::Unknown);
    assert_eq!(store.rewrite(unknown).await?, Change::Unknown);
    Ok(())
}

/// A summary may say a message again, and the message stays recognised.
pub async fn a_summary_may_repeat_a_message(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let inbound = given.inbound("c1", "keep this");
    let said = Said {
        key: Some(MessageKey::of(&inbound)),
        ..row(Role::User, "keep this")
    };
    made(given.store.append(session, vec![said.clone()]).await?);
    let mut summary = instead(session, &["in short"]);
    summary.rows.push(said.clone());
    made(given.store.compact(summary).await?);
    assert_eq!(visible(given, session).await?, ["in short", "keep this"]);
    let again = made(given.store.append(session, vec![said]).await?);
    assert_eq!((again.written, again.known), (0, 1));
    let rows = given.store.rows(session, first(10)).await?;
    let rows = rows.expect("the conversation exists").items;
    assert_eq!(
        words(&rows),
        ["q1", "a1", "keep this", "in short", "keep this"]
    );
    Ok(())
}
