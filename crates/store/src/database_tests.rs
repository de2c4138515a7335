//! What only SQLite promises: the file, the shared commit, the full disk. What every store promises
//! is in the testkit's contract.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{DeliveryId, InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::session::rules::Rules;
use angelia_core::time::Timestamp;
use angelia_core::turn::outcome::Outcome;
use tempfile::TempDir;

use super::*;
use crate::Fenced;
use crate::database::value::Nothing;
use crate::intake::{Accept, Accepted, Intake as _};
use crate::leases::Leases as _;
use crate::outbox::Outbox as _;
use crate::turns::{Settle, Turns as _};
use crate::views::{Range, SessionFilter, Views as _};

fn clock() -> Clock {
    Arc::new(|| Timestamp::from_ms(1_700_000_000_000))
}

/// A folder of its own, and the path of the store in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("angelia.db");
    (folder, path)
}

fn number() -> u128 {
    static MADE: AtomicU64 = AtomicU64::new(1);
    u128::from(MADE.fetch_add(1, Ordering::Relaxed))
}

fn message(chat: &str, text: &str) -> Accept {
    let message_id = number().to_string();
    Accept {
        inbound: Inbound {
            address: Address {
                platform: Platform::Api,
                account: AccountId::of(Platform::Api),
                chat: Chat {
                    id: chat.to_owned(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: "u1".to_owned(),
                name: None,
            },
            event_key: EventKey::in_chat(chat, &message_id),
            message_id,
            text: text.to_owned(),
            pictures: Vec::new(),
            attached: Vec::new(),
            context: Vec::new(),
            about: About::default(),
        },
        inbox: InboxId::from_bits(number()),
        session: SessionId::from_bits(number()),
        rules: Arc::new(Rules::default()),
        cursor: None,
    }
}

type Asked<'a> = Pin<Box<dyn Future<Output = Result<Accepted, StoreError>> + Send + 'a>>;

/// Asks all at once and waits for every answer.
struct Together<'a>(Vec<Asked<'a>>, Vec<Result<Accepted, StoreError>>);

impl Future for Together<'_> {
    type Output = Vec<Result<Accepted, StoreError>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self(asked, answers) = &mut *self;
        asked.retain_mut(|one| match one.as_mut().poll(context) {
            Poll::Ready(answer) => {
                answers.push(answer);
                false
            }
            Poll::Pending => true,
        });
        if asked.is_empty() {
            Poll::Ready(std::mem::take(answers))
        } else {
            Poll::Pending
        }
    }
}

#[tokio::test]
async fn many_messages_at_once_share_few_commits() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let before = store.stats();
    let asked = (0..64).map(|chat| store.accept(message(&format!("c{chat}"), "hello")));
    let answers = Together(asked.collect(), Vec::new()).await;
    assert!(
        answers
            .iter()
            .all(|answer| matches!(answer, Ok(Accepted::New(_))))
    );
    let commits = store.stats().commits - before.commits;
    assert!(commits <= 8, "64 messages took {commits} commits");
    assert_eq!(store.stats().verbs - before.verbs, 64);
}

#[tokio::test]
async fn a_store_that_is_opened_again_remembers_everything() {
    let (_folder, path) = folder();
    let node = NodeId::from_bits(number());
    let (place, turn) = {
        let store = Database::open(&path, clock()).unwrap();
        let Accepted::New(place) = store.accept(message("c1", "hello")).await.unwrap() else {
            panic!("a new message is taken")
        };
        let turn = store
            .claim_turn(node, TurnId::from_bits(number()))
            .await
            .unwrap()
            .unwrap();
        (place, turn)
    };
    let store = Database::open(&path, clock()).unwrap();
    let story = store.story(place.inbox).await.unwrap().unwrap();
    assert_eq!(story.turn.unwrap().id, turn.turn);
    let settled = store.settle_turn(Settle {
        turn: turn.turn,
        fence: turn.fence,
        outcome: Outcome::Completed { text: "hi".into() },
        entries: Vec::new(),
        compacted: None,
        deliveries: vec![(DeliveryId::from_bits(number()), "hi".into())],
        files: Vec::new(),
        quotes: None,
    });
    assert_eq!(settled.await.unwrap(), Fenced::Done(()));
}

#[tokio::test]
async fn what_is_queued_is_written_before_the_store_closes() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let mut asked: Vec<_> = (0..20)
        .map(|_| store.accept(message("c1", "hello")))
        .collect();
    let mut context = Context::from_waker(std::task::Waker::noop());
    for one in &mut asked {
        // The first poll puts it into the queue; nobody waits for the answer.
        let _ = one.as_mut().poll(&mut context);
    }
    drop(asked);
    drop(store);
    let store = Database::open(&path, clock()).unwrap();
    assert_eq!(store.counts().await.unwrap().waiting, 20);
}

#[tokio::test]
async fn a_file_from_a_newer_release_is_refused_untouched() {
    let (_folder, path) = folder();
    drop(Database::open(&path, clock()).unwrap());
    let newer = Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 7).unwrap();
    drop(newer);
    let before = fs::read(&path).unwrap();
    let refused = Database::open(&path, clock()).err();
    assert_eq!(refused, Some(StoreError::Newer { found: 7, known: 1 }));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn only_the_owner_may_read_the_file_and_its_log() {
    let (folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    store.accept(message("c1", "hello")).await.unwrap();
    let names = ["angelia.db", "angelia.db-wal", "angelia.db-shm"];
    for name in names {
        let mode = fs::metadata(folder.path().join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn a_file_that_is_no_database_is_named_and_kept() {
    let (_folder, path) = folder();
    fs::write(
        &path,
        "dear diary, today I was no database at all. ".repeat(100),
    )
    .unwrap();
    let Some(StoreError::Corrupt(words)) = Database::open(&path, clock()).err() else {
        panic!("a diary is not a store")
    };
    assert!(
        words.contains("angelia.db") && words.contains("restore a backup"),
        "{words}"
    );
    assert!(fs::read_to_string(&path).unwrap().starts_with("dear diary"));
}

#[test]
fn a_missing_folder_is_said_with_what_to_do() {
    let (folder, _) = folder();
    let path = folder.path().join("nowhere/angelia.db");
    let Some(StoreError::Unavailable(words)) = Database::open(&path, clock()).err() else {
        panic!("there is no such folder")
    };
    assert!(
        words.contains("nowhere/angelia.db") && words.contains("check that"),
        "{words}"
    );
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_damage() {
    let store = Database::in_memory(clock()).unwrap();
    let Accepted::New(place) = store.accept(message("c1", "hello")).await.unwrap() else {
        panic!("a new message is taken")
    };
    store
        .write(|tx| tx.run("UPDATE inbox SET body = '{\"v\":1}'", Nothing))
        .await
        .unwrap();
    assert!(matches!(
        store.story(place.inbox).await,
        Err(StoreError::Corrupt(_))
    ));
}

/// Lets the file grow by at most so many pages from now on.
async fn allow_pages(store: &Database, more: i64) {
    let limit = store.write(move |tx| {
        let pages = tx.number("PRAGMA page_count", Nothing)?;
        tx.number(
            &format!("PRAGMA max_page_count = {}", pages + more),
            Nothing,
        )
    });
    limit.await.unwrap();
}

#[tokio::test]
async fn a_full_disk_refuses_whole_verbs_and_goes_on_once_there_is_space() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    allow_pages(&store, 4).await;
    let large = "x".repeat(20_000);
    let mut taken = 0;
    let words = loop {
        match store.accept(message(&format!("c{taken}"), &large)).await {
            Ok(_) => taken += 1,
            Err(StoreError::Unavailable(words)) => break words,
            Err(other) => panic!("a full disk is not {other}"),
        }
        assert!(taken < 64, "the disk should be full by now");
    };
    assert!(
        words.contains("its disk is full; free some space"),
        "{words}"
    );
    let counts = store.counts().await.unwrap();
    assert_eq!(
        (counts.waiting, counts.sessions),
        (taken, taken),
        "nothing half-written"
    );
    allow_pages(&store, 1_000).await;
    store.accept(message("after", &large)).await.unwrap();
    assert_eq!(store.counts().await.unwrap().waiting, taken + 1);
}

#[tokio::test]
async fn a_full_disk_in_company_loses_nobody_who_was_told_otherwise() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    allow_pages(&store, 60).await;
    let large = "x".repeat(20_000);
    let asked = (0..64).map(|chat| store.accept(message(&format!("c{chat}"), &large)));
    let answers = Together(asked.collect(), Vec::new()).await;
    let taken = answers.iter().filter(|answer| answer.is_ok()).count() as u64;
    assert!(taken < 64, "the disk should be full by now");
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.waiting, counts.sessions), (taken, taken));
}

#[tokio::test]
async fn a_store_that_another_program_holds_says_so_and_goes_on_afterwards() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.accept(message("c1", "hello")).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("another program holds it locked"),
        "{refused}"
    );
    other.execute_batch("ROLLBACK").unwrap();
    assert!(matches!(
        store.accept(message("c1", "hello")).await,
        Ok(Accepted::New(_))
    ));
}

#[tokio::test]
async fn reads_see_what_was_committed_and_never_write() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    store.accept(message("c1", "hello")).await.unwrap();
    assert_eq!(
        store
            .sessions(SessionFilter::default(), Range::default())
            .await
            .unwrap()
            .items
            .len(),
        1
    );
    let written = store.read_here(|tx| tx.run("DELETE FROM cursors", Nothing));
    assert!(
        matches!(written, Err(StoreError::Unavailable(_))),
        "{written:?}"
    );
}

#[tokio::test]
async fn a_panic_in_memory_is_undone_too() {
    let store = Database::in_memory(clock()).unwrap();
    let bug = store.write(|tx| -> Result<(), Fault> {
        tx.run(
            "INSERT INTO cursors (account, cursor) VALUES ('api', '1')",
            Nothing,
        )?;
        panic!("a bug")
    });
    assert!(matches!(bug.await, Err(StoreError::Unavailable(_))));
    assert_eq!(
        store.cursor(&AccountId::of(Platform::Api)).await.unwrap(),
        None
    );
    store
        .take_lease("janitor", NodeId::from_bits(1))
        .await
        .unwrap();
    assert_eq!(
        store.next_due(&AccountId::of(Platform::Api)).await.unwrap(),
        None
    );
}

/// How SQLite would go about a statement.
fn plan(store: &Database, sql: &str) -> String {
    let lines = store.read_here(|tx| {
        tx.all(&format!("EXPLAIN QUERY PLAN {sql}"), Nothing, |row| {
            row.get::<String>(3)
        })
    });
    lines.unwrap().join("\n")
}

#[test]
fn the_frequent_questions_are_answered_from_an_index_whatever_the_backlog() {
    let store = Database::in_memory(clock()).unwrap();
    let questions = [
        (
            "inbox_next",
            "SELECT seq FROM inbox WHERE state = 'next' AND seq > '7' AND seq > 0 ORDER BY seq LIMIT 1",
        ),
        (
            "inbox_next_of",
            "SELECT 1 FROM inbox WHERE session = '7' AND state = 'next'",
        ),
        (
            "inbox_waiting",
            "SELECT seq FROM inbox WHERE session = '7' AND state = 'waiting' ORDER BY seq LIMIT 1",
        ),
        (
            "inbox_next_of",
            "UPDATE inbox SET session = '8' WHERE session = '7' AND state = 'next'",
        ),
        (
            "inbox_waiting",
            "UPDATE inbox SET session = '8' WHERE session = '7' AND state = 'waiting'",
        ),
        (
            "outbox_heads",
            "SELECT seq FROM outbox WHERE account = '7' AND head_at <= '7' \
             ORDER BY head_at, seq LIMIT 9",
        ),
        (
            "outbox_lanes",
            "SELECT seq FROM outbox WHERE account = '7' AND chat = '7' AND \
             (state = 'due' OR state = 'sending' OR (state = 'wedged' AND reach <> 'message')) \
             ORDER BY seq LIMIT 2",
        ),
        (
            "outbox_sent",
            "SELECT seq FROM outbox WHERE account = '7' AND chat = '7' AND state = 'sent' \
             AND sent_order > '7' ORDER BY sent_order LIMIT 9",
        ),
        (
            "outbox_open",
            "SELECT seq FROM outbox WHERE (state = 'due' OR state = 'sending' OR state = 'wedged') \
             AND seq > '7' ORDER BY seq LIMIT 9",
        ),
        (
            "sessions_listed",
            "SELECT seq FROM sessions WHERE (listed_at, seq) < ('7', '7') \
             ORDER BY listed_at DESC, seq DESC LIMIT 9",
        ),
    ];
    for (index, sql) in questions {
        let plan = plan(&store, sql);
        assert!(plan.contains(index), "{sql}\n{plan}");
        assert!(
            !plan.contains("SCAN") && !plan.contains("B-TREE"),
            "{sql}\n{plan}"
        );
    }
}

#[test]
fn writing_a_row_builds_no_temporary_tree() {
    let store = Database::in_memory(clock()).unwrap();
    let writes = [
        "INSERT INTO inbox (id, account, event_key, session, state, received_at, body) \
         VALUES ('7', '7', '7', 7, 'waiting', 7, '7')",
        "UPDATE inbox SET state = 'done' WHERE id = '7'",
        "UPDATE turns SET state = 'completed' WHERE seq = 7",
        "UPDATE outbox SET state = 'sent', head_at = NULL, sent_order = 7 WHERE seq = 7",
    ];
    for sql in writes {
        let steps = store.read_here(|tx| {
            tx.all(&format!("EXPLAIN {sql}"), Nothing, |row| {
                row.get::<String>(1)
            })
        });
        assert!(
            !steps.unwrap().contains(&"OpenEphemeral".to_owned()),
            "{sql}"
        );
    }
}

#[tokio::test]
async fn a_burst_fills_a_conversation_to_its_limit_and_no_further() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let limit = angelia_core::limits::WAITING_PER_SESSION;
    let asked = (0..limit + 16).map(|_| store.accept(message("c1", "hello")));
    let answers = Together(asked.collect(), Vec::new()).await;
    let taken = |answer: &&Result<Accepted, StoreError>| matches!(answer, Ok(Accepted::New(_)));
    assert_eq!(answers.iter().filter(taken).count(), limit);
    let node = NodeId::from_bits(number());
    let turn = TurnId::from_bits(number());
    assert!(store.claim_turn(node, turn).await.unwrap().is_some());
    let after = store.accept(message("c1", "hello")).await.unwrap();
    assert!(matches!(after, Accepted::New(_)), "{after:?}");
    let full = store.accept(message("c1", "hello")).await.unwrap();
    assert!(matches!(full, Accepted::Refused(_)), "{full:?}");
}

#[tokio::test]
async fn a_message_that_comes_twice_in_a_burst_is_accepted_once() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let twice = (0..40).flat_map(|_| {
        let once = message("c1", "hello");
        let again = Accept {
            inbox: message("c1", "hello").inbox,
            ..once.clone()
        };
        [once, again]
    });
    let asked = twice.map(|message| store.accept(message));
    let answers = Together(asked.collect(), Vec::new()).await;
    let new = answers
        .iter()
        .filter(|answer| matches!(answer, Ok(Accepted::New(_))));
    let again = answers
        .iter()
        .filter(|answer| matches!(answer, Ok(Accepted::Duplicate(_))));
    assert_eq!((new.count(), again.count()), (40, 40));
    assert_eq!(store.counts().await.unwrap().waiting, 40);
}

/// As many messages at once as the chat `c1` may hold, all of them new.
async fn crowd(store: &Database) {
    let limit = angelia_core::limits::WAITING_PER_SESSION;
    let asked = (0..limit).map(|_| store.accept(message("c1", "hello")));
    let answers = Together(asked.collect(), Vec::new()).await;
    let new = |answer: &Result<Accepted, StoreError>| matches!(answer, Ok(Accepted::New(_)));
    assert!(answers.iter().all(new), "{answers:?}");
}

#[tokio::test]
async fn what_another_program_writes_is_not_overlooked() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    crowd(&store).await;
    let other = rusqlite::Connection::open(&path).unwrap();
    let done = other.execute("UPDATE inbox SET state = 'done'", []);
    assert!(done.is_ok());
    crowd(&store).await;
}

#[tokio::test]
async fn what_is_answered_between_two_crowds_is_not_overlooked() {
    let (_folder, path) = folder();
    let store = Database::open(&path, clock()).unwrap();
    let node = NodeId::from_bits(number());
    crowd(&store).await;
    while let Some(turn) = store
        .claim_turn(node, TurnId::from_bits(number()))
        .await
        .unwrap()
    {
        let settled = store.settle_turn(Settle {
            turn: turn.turn,
            fence: turn.fence,
            entries: Vec::new(),
            compacted: None,
            outcome: Outcome::Completed {
                text: "done".into(),
            },
            deliveries: Vec::new(),
            files: Vec::new(),
            quotes: None,
        });
        assert!(matches!(settled.await, Ok(Fenced::Done(()))));
    }
    crowd(&store).await;
}
