use proptest::prelude::*;

use super::super::given::{id, link, number, runtime, session, store};
use super::*;
use crate::database::value::Nothing;

/// Rows that say something about a conversation which is not there.
const DANGLING: [&str; 14] = [
    "SELECT count(*) FROM transcript t WHERE t.session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.seq = t.session)",
    "SELECT count(*) FROM transcript t WHERE t.turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.seq = t.turn)",
    "SELECT count(*) FROM turns t WHERE t.session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.seq = t.session)",
    "SELECT count(*) FROM inbox t WHERE t.session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.seq = t.session)",
    "SELECT count(*) FROM inbox t WHERE t.turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.seq = t.turn)",
    "SELECT count(*) FROM inbox WHERE session IS NULL AND body <> ''",
    "SELECT count(*) FROM long_bodies l JOIN inbox i ON i.seq = l.inbox WHERE i.session IS NULL",
    "SELECT count(*) FROM long_texts l JOIN inbox i ON i.seq = l.message WHERE i.session IS NULL AND NOT EXISTS (SELECT 1 FROM transcript t WHERE t.long = l.message)",
    "SELECT count(*) FROM transcript t WHERE t.long IS NOT NULL AND NOT EXISTS (SELECT 1 FROM long_texts l WHERE l.message = t.long)",
    "SELECT count(*) FROM outbox t WHERE t.session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.seq = t.session)",
    "SELECT count(*) FROM outbox WHERE session IS NULL AND (text <> '' OR files IS NOT NULL OR turn IS NOT NULL)",
    "SELECT count(*) FROM steps t WHERE t.turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.seq = t.turn)",
    "SELECT count(*) FROM sessions WHERE (parent IS NULL) <> (link IS NULL)",
    "SELECT count(*) FROM pragma_foreign_key_check",
];

#[track_caller]
fn nothing_dangles(store: &Database) {
    for sql in DANGLING {
        assert_eq!(number(store, sql), 0, "{sql}");
    }
}

/// A turn of the conversation, with a message, a step, words and a reply that was sent.
async fn turn(store: &Database, session: i64, turn: i64) {
    let written = store.write(move |tx| {
        let inbox = InboxId::from_bits(u128::from(turn.unsigned_abs()));
        let batch = rows::batch_body(&[inbox])?;
        tx.run(
            "INSERT INTO turns (seq, id, session, state, attempts, fence, claimed_at, batch, agent) \
             VALUES (?1, ?1, ?2, 'completed', 1, 1, 1, ?3, 'main')",
            params![turn, session, batch],
        )?;
        tx.run(
            "INSERT INTO inbox (seq, id, account, event_key, session, state, turn, received_at, body) \
             VALUES (?1, ?3, 'a', ?1, ?2, 'done', ?1, 1, NULL)",
            params![turn, session, inbox.to_string()],
        )?;
        tx.run("INSERT INTO long_bodies (inbox, body) VALUES (?1, 'words')", [turn])?;
        tx.run("INSERT INTO long_texts (message, text) VALUES (?1, 'words')", [turn])?;
        tx.run("INSERT INTO steps (turn, seq, at, kind, body) VALUES (?1, 1, 1, '', '')", [turn])?;
        tx.run(
            "INSERT INTO transcript (session, seq, turn, at, role, long, text) \
             VALUES (?2, ?1, ?1, 1, 'user', ?1, '')",
            [turn, session],
        )?;
        tx.run(
            "INSERT INTO outbox (id, turn, session, part, parts, platform, account, chat, chat_kind, \
             state, due_at, planned_at, text, sent_order) \
             VALUES (?1, ?1, ?2, 1, 1, 'api', 'a', 'c', 'dm', 'sent', 1, 1, 'words', ?1)",
            [turn, session],
        )?;
        tx.run(
            "INSERT INTO usage_lines (session, model, provider, base_url, mode, task, input, output, \
             cache_read, cache_write, reasoning, calls, first_at, last_at) \
             VALUES (?2, ?1, '', '', '', '', 1, 1, 1, 1, 1, 1, 1, 1)",
            [turn, session],
        )?;
        let bound = "INSERT INTO bindings (scope, session, at, why) VALUES ('s', ?1, 1, 'x')";
        tx.run(bound, [session])
    });
    written.await.expect("the turn is new");
}

#[tokio::test]
async fn runs_on_behalf_of_a_deleted_conversation_go_along() {
    let store = store();
    for number in 1..=5 {
        session(&store, number).await;
        turn(&store, number, number).await;
    }
    link(&store, 2, 1, "delegate").await;
    link(&store, 3, 2, "delegate").await;
    link(&store, 4, 2, "branch").await;
    link(&store, 5, 1, "continuation").await;
    let gone = store.delete(vec![id(1)]).await;
    assert_eq!(gone, Ok(Change::Done(vec![id(1), id(2), id(3)])));
    nothing_dangles(&store);
    assert_eq!(
        number(&store, "SELECT count(*) FROM sessions WHERE parent IS NULL"),
        2
    );
}

#[tokio::test]
async fn long_words_go_with_the_last_row_that_says_them() {
    let store = store();
    for number in 1..=2 {
        session(&store, number).await;
        turn(&store, number, number).await;
    }
    let copied = store.write(|tx| {
        let copy = "INSERT INTO transcript (session, seq, at, role, long, text) VALUES (2, 9, 1, 'user', 1, '')";
        tx.run(copy, Nothing)
    });
    copied.await.unwrap();
    let texts = "SELECT count(*) FROM long_texts";
    let gone = store.delete(vec![id(1)]).await;
    assert_eq!(gone, Ok(Change::Done(vec![id(1)])));
    nothing_dangles(&store);
    assert_eq!(number(&store, texts), 2, "another conversation says them");
    let gone = store.delete(vec![id(2)]).await;
    assert_eq!(gone, Ok(Change::Done(vec![id(2)])));
    nothing_dangles(&store);
    assert_eq!(number(&store, texts), 0);
}

#[tokio::test]
async fn a_run_on_behalf_that_is_busy_keeps_all_of_them() {
    let store = store();
    for number in 1..=2 {
        session(&store, number).await;
        turn(&store, number, number).await;
    }
    link(&store, 2, 1, "delegate").await;
    let open = store.write(|tx| tx.run("UPDATE turns SET state = 'open' WHERE seq = 2", Nothing));
    open.await.unwrap();
    assert_eq!(store.delete(vec![id(1)]).await, Ok(Change::Busy));
    assert_eq!(number(&store, "SELECT count(*) FROM transcript"), 2);
}

#[tokio::test]
async fn turns_that_were_opened_after_the_look_around_go_too() {
    let store = store();
    session(&store, 1).await;
    turn(&store, 1, 1).await;
    let seen = store
        .read_here(|tx| traces(tx, &with_delegates(tx, &[id(1)])?))
        .unwrap();
    turn(&store, 1, 2).await;
    let gone = store.write(move |tx| delete(tx, &[id(1)], &seen)).await;
    assert_eq!(gone, Ok(Change::Done(vec![id(1)])));
    nothing_dangles(&store);
    assert_eq!(number(&store, "SELECT count(*) FROM turns"), 0);
}

#[tokio::test]
async fn one_that_was_reopened_meanwhile_is_not_forgotten() {
    let store = store();
    session(&store, 1).await;
    let moment = Timestamp::from_ms(5);
    let set = |sql| store.write(move |tx| tx.run(sql, Nothing));
    set("UPDATE sessions SET ended_at = 1, end_reason = 'idle'")
        .await
        .unwrap();
    let seen = store
        .read_here(|tx| traces(tx, &ended_before(tx, moment, 9)?))
        .unwrap();
    set("UPDATE sessions SET ended_at = NULL, end_reason = NULL")
        .await
        .unwrap();
    let gone = store.write(move |tx| forget(tx, moment, &seen)).await;
    assert_eq!(gone, Ok(Vec::new()));
}

const KINDS: [&str; 4] = ["continuation", "branch", "delegate", "parent"];

proptest! {
    /// D6: nothing refers to what is not there, and those that stay keep every word.
    #[test]
    fn deleting_leaves_nothing_behind_and_takes_nothing_else(
        links in prop::collection::vec((1..=5i64, 0..6usize), 5),
        turns in prop::collection::vec(1..=5i64, 0..8),
        victims in prop::collection::vec(1..=6i64, 0..3),
    ) {
        let (run, store) = (runtime(), store());
        for number in 1..=5 {
            run.block_on(session(&store, number));
        }
        for (child, (parent, kind)) in (1..).zip(links) {
            if let Some(kind) = KINDS.get(kind) {
                run.block_on(link(&store, child, parent, kind));
            }
        }
        for (number, session) in (1..).zip(&turns) {
            run.block_on(turn(&store, *session, number));
        }
        let asked: Vec<SessionId> = victims.iter().copied().map(id).collect();
        let gone = match run.block_on(store.delete(asked.clone())).unwrap() {
            Change::Done(gone) => gone,
            refused @ (Change::Unknown | Change::Busy | Change::Moved) => {
                prop_assert_eq!(refused, Change::Unknown);
                Vec::new()
            }
        };
        nothing_dangles(&store);
        let unknown = id(6);
        prop_assert!(asked.iter().all(|one| gone.contains(one) || *one == unknown));
        let kept = turns.iter().filter(|session| !gone.contains(&id(**session))).count();
        let kept = i64::try_from(kept).unwrap();
        prop_assert_eq!(number(&store, "SELECT count(*) FROM transcript"), kept);
        let messages = i64::try_from(turns.len()).unwrap();
        prop_assert_eq!(number(&store, "SELECT count(*) FROM inbox"), messages);
    }
}
