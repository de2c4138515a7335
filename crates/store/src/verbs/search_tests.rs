//! Search over rows of every kind. What every store promises is in the testkit's contract; here are rows
//! that were undone or summarised, deleted ones, tools, the bounds of a walk, and the law D4.

use std::sync::Arc;

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::time::Timestamp;
use angelia_core::transcript::entry::Role;
use angelia_core::transcript::search_query::Scope;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::database::value::params;
use crate::search::{Snippet, Sort};
use crate::views::Range;

fn store() -> Database {
    Database::in_memory(Arc::new(|| Timestamp::from_ms(1_700_000_000_000))).unwrap()
}

/// A row to be written: its conversation, its role, its words.
type Said<'s> = (u64, &'s str, &'s str);

/// Writes rows behind all others; returns their numbers.
async fn say(store: &Database, said: &[Said<'_>]) -> Vec<i64> {
    let mut rows = Vec::new();
    for (session, role, text) in said {
        rows.push(say_with(store, (*session, role, text), None).await);
    }
    rows
}

async fn say_with(store: &Database, said: Said<'_>, body: Option<String>) -> i64 {
    let (session, role, text) = (said.0 as i64, said.1.to_owned(), said.2.to_owned());
    let write = store.write(move |tx| {
        tx.run(
            "INSERT OR IGNORE INTO sessions (seq, id, scope, key, generation, platform, account, chat, \
             chat_kind, created_at, active_at, listed_at, label, preview) \
             VALUES (?1, ?2, ?1, ?1, 1, ?3, 'a', 'c', 'dm', ?1, 0, 0, '', '')",
            params![session, id(session).to_string(), platform(session).name()],
        )?;
        tx.insert(
            "INSERT INTO transcript (session, seq, at, role, text, body) \
             VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM transcript WHERE session = ?1), \
                     1, ?2, ?3, ?4)",
            params![session, role, text, body],
        )
    });
    write.await.unwrap()
}

fn id(session: i64) -> SessionId {
    SessionId::from_bits(u128::from(session.unsigned_abs()))
}

/// Even conversations are on Telegram, odd ones on Discord.
fn platform(session: i64) -> Platform {
    if session % 2 == 0 {
        Platform::Telegram
    } else {
        Platform::Discord
    }
}

async fn see(store: &Database, row: i64, visibility: &'static str) {
    let sql = "UPDATE transcript SET visibility = ?2 WHERE row = ?1";
    let write = store.write(move |tx| tx.run(sql, params![row, visibility]));
    write.await.unwrap();
}

/// Deletes rows as a verb would.
async fn delete(store: &Database, rows: Vec<i64>) {
    let write = store.write(move |tx| {
        for row in &rows {
            tx.run("DELETE FROM transcript WHERE row = ?1", [row])?;
        }
        forget(tx, &rows)
    });
    write.await.unwrap();
}

async fn index(store: &Database) -> usize {
    let mut rows = 0;
    loop {
        let indexed = store.index_more(limits::SEARCH_BATCH_ROWS).await.unwrap();
        rows += indexed.rows;
        if indexed.waiting == 0 {
            return rows;
        }
    }
}

fn query(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        ..Query::default()
    }
}

/// Conversation and place of all hits, by pages of two.
async fn all(store: &Database, mut query: Query) -> Vec<(u128, u64)> {
    query.range.limit = 2;
    let mut hits = Vec::new();
    loop {
        let page = store.search(query.clone()).await.unwrap();
        hits.extend(page.items.iter().map(|hit| (hit.session.bits(), hit.seq)));
        query.range.after = page.next;
        if query.range.after.is_none() {
            return hits;
        }
    }
}

async fn found(store: &Database, text: &str) -> Vec<(u128, u64)> {
    let mut hits = all(store, query(text)).await;
    hits.sort_unstable();
    hits
}

async fn only(store: &Database, text: &str) -> Hit {
    let mut page = store.search(query(text)).await.unwrap();
    assert_eq!(page.items.len(), 1, "`{text}` is in one row");
    page.items.remove(0)
}

#[tokio::test]
async fn what_was_undone_is_found_by_no_way_and_what_was_summarised_by_every_way() {
    let store = store();
    let words = "docker 大别山项目 桂林";
    let rows = say(
        &store,
        &[(1, "user", words), (1, "user", words), (1, "user", words)],
    )
    .await;
    see(&store, rows[1], "archived").await;
    index(&store).await;
    // After it was indexed: hiding writes nothing into the index.
    see(&store, rows[2], "hidden").await;
    for text in ["docker", "大别山项目", "桂林"] {
        assert_eq!(found(&store, text).await, [(1, 1), (1, 2)], "{text}");
        let everything = Query {
            scope: Scope::Everything,
            ..query(text)
        };
        assert_eq!(all(&store, everything).await.len(), 3, "{text}");
    }
}

#[tokio::test]
async fn what_was_undone_is_not_shown_beside_a_hit_either() {
    let store = store();
    let said = [
        (1, "user", "first"),
        (1, "user", "undone"),
        (1, "user", "second"),
    ];
    let rows = say(&store, &said).await;
    see(&store, rows[1], "hidden").await;
    index(&store).await;
    let context = only(&store, "first").await.context;
    let texts: Vec<&str> = context
        .iter()
        .map(|excerpt| excerpt.text.as_str())
        .collect();
    assert_eq!(texts, ["first", "second"]);
}

#[tokio::test]
async fn a_number_that_is_given_again_finds_the_new_row_and_not_the_old() {
    let store = store();
    let rows = say(
        &store,
        &[(1, "user", "stays"), (1, "user", "old 大别山项目")],
    )
    .await;
    index(&store).await;
    delete(&store, vec![rows[1]]).await;
    let again = say(&store, &[(2, "user", "new")]).await;
    assert_eq!(again[0], rows[1], "the number is given again");
    assert_eq!(index(&store).await, 1);
    assert_eq!(found(&store, "old").await, []);
    assert_eq!(found(&store, "大别山项目").await, []);
    assert_eq!(found(&store, "new").await, [(2, 1)]);
    assert_eq!(found(&store, "stays").await, [(1, 1)]);
}

#[tokio::test]
async fn a_row_that_is_deleted_before_it_is_indexed_is_no_trouble() {
    let store = store();
    let rows = say(&store, &[(1, "user", "one"), (1, "user", "two")]).await;
    delete(&store, rows).await;
    assert_eq!(index(&store).await, 0);
    assert_eq!(found(&store, "one").await, []);
}

#[tokio::test]
async fn tools_are_found_by_their_names_and_by_what_they_are_asked() {
    let store = store();
    let arguments = json!({ "command": "cd deep\nmake whales" }).to_string();
    let calls = json!([{ "id": "1", "function": { "name": "terminal", "arguments": arguments } }]);
    let asks = json!({ "v": 1, "body": { "tool_calls": calls } }).to_string();
    let answers = json!({ "v": 1, "body": { "tool_name": "terminal" } }).to_string();
    say_with(&store, (1, "assistant", ""), Some(asks)).await;
    say_with(&store, (1, "tool", "exit code 0"), Some(answers)).await;
    index(&store).await;
    assert_eq!(found(&store, "terminal").await, [(1, 1), (1, 2)]);
    assert_eq!(
        found(&store, "make whales").await,
        [(1, 1)],
        "after a line break"
    );
    let hit = only(&store, "exit").await;
    assert_eq!(hit.tool_name.as_deref(), Some("terminal"));
    assert_eq!(hit.role, Role::Tool);
}

#[tokio::test]
async fn rows_of_any_script_are_found_by_an_alternative_without_blanks_in_the_other() {
    let store = store();
    say(
        &store,
        &[
            (1, "user", "大别山项目"),
            (2, "user", "docker"),
            (3, "user", "neither"),
        ],
    )
    .await;
    index(&store).await;
    assert_eq!(
        found(&store, "大别山项目 OR docker").await,
        [(1, 1), (2, 1)]
    );
}

#[tokio::test]
async fn platforms_and_roles_narrow_every_way_of_looking() {
    let store = store();
    let words = "docker 大别山项目 桂林";
    say(
        &store,
        &[
            (1, "user", words),
            (2, "user", words),
            (2, "assistant", words),
        ],
    )
    .await;
    index(&store).await;
    for text in ["docker", "大别山项目", "桂林"] {
        let on = |platforms: &[Platform]| Query {
            platforms: Some(platforms.to_vec()),
            ..query(text)
        };
        assert_eq!(
            all(&store, on(&[Platform::Discord])).await,
            [(1, 1)],
            "{text}"
        );
        assert_eq!(all(&store, on(&[])).await, [], "{text}");
        let not = Query {
            not_platforms: vec![Platform::Telegram],
            ..query(text)
        };
        assert_eq!(all(&store, not).await, [(1, 1)], "{text}");
        let by = Query {
            roles: Some(vec![Role::Assistant]),
            ..query(text)
        };
        assert_eq!(all(&store, by).await, [(2, 2)], "{text}");
    }
}

#[tokio::test]
async fn the_order_is_kept_over_pages() {
    let store = store();
    let words = "docker 大别山项目 桂林";
    let said: Vec<Said<'_>> = (0..5).map(|_| (1, "user", words)).collect();
    say(&store, &said).await;
    index(&store).await;
    for text in ["docker", "大别山项目", "桂林"] {
        let sorted = |sort| Query {
            sort,
            ..query(text)
        };
        let newest: Vec<(u128, u64)> = (1..=5).rev().map(|seq| (1, seq)).collect();
        let oldest: Vec<(u128, u64)> = (1..=5).map(|seq| (1, seq)).collect();
        assert_eq!(all(&store, sorted(Sort::Newest)).await, newest, "{text}");
        assert_eq!(all(&store, sorted(Sort::Oldest)).await, oldest, "{text}");
        let alike = all(&store, sorted(Sort::Relevance)).await;
        assert_eq!(alike, newest, "{text}: of those that fit alike the newer");
    }
}

#[tokio::test]
async fn what_fits_better_comes_first() {
    let store = store();
    let long = "a docker is mentioned once among a great many other words that say other things";
    say(&store, &[(1, "user", "docker docker"), (1, "user", long)]).await;
    index(&store).await;
    assert_eq!(all(&store, query("docker")).await, [(1, 1), (1, 2)]);
}

#[tokio::test]
async fn words_are_marked_as_the_index_reads_them() {
    let store = store();
    say(
        &store,
        &[(1, "user", "Two Cafés and a CAFE, no café-bar\u{fdd0}")],
    )
    .await;
    index(&store).await;
    let snippet = only(&store, "cafe*").await.snippet;
    assert_eq!(marked(&snippet), ["Cafés", "CAFE", "café"]);
    let snippet = only(&store, "\"and a cafe\" NOT tea").await.snippet;
    assert_eq!(marked(&snippet), ["and a CAFE"]);
}

fn marked(snippet: &Snippet) -> Vec<&str> {
    let marks = snippet.marks.iter();
    marks.map(|mark| &snippet.text[mark.clone()]).collect()
}

#[tokio::test]
async fn a_snippet_shows_what_is_around_the_first_term() {
    let store = store();
    let long = format!("{}桂林 and 旅行{}", "前".repeat(300), "后".repeat(300));
    say(&store, &[(1, "user", &long)]).await;
    index(&store).await;
    let snippet = only(&store, "桂林 旅行").await.snippet;
    assert_eq!(marked(&snippet), ["桂林", "旅行"]);
    assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'));
    assert_eq!(
        snippet.text.chars().count(),
        limits::SEARCH_SNIPPET_CHARS + 2
    );
}

#[tokio::test]
async fn what_the_index_cannot_read_finds_nothing() {
    let store = store();
    say(&store, &[(1, "user", "docker compose what's")]).await;
    index(&store).await;
    for text in [
        "docker AND OR compose",
        "what's",
        "docker -compose",
        "NEAR",
        "a , b",
        "'",
    ] {
        assert_eq!(found(&store, text).await, [], "{text}");
    }
    let unreadable = Query {
        range: Range {
            after: Some("somewhere".to_owned()),
            limit: 0,
        },
        ..query("docker")
    };
    assert_eq!(store.search(unreadable).await.unwrap().items, []);
}

#[tokio::test]
async fn a_walk_ends_after_so_many_rows_and_goes_on_where_it_ended() {
    let store = store();
    let fill = store.write(|tx| {
        tx.run(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1) \
             INSERT INTO transcript (session, seq, at, role, text) SELECT 1, n + 1, 1, 'user', '' FROM n",
            [limits::SEARCH_WALK_ROWS as i64],
        )
    });
    say(&store, &[(1, "user", "桂林")]).await;
    fill.await.unwrap();
    let first = store.search(query("桂林")).await.unwrap();
    assert_eq!(first.items, []);
    assert!(first.next.is_some(), "one row is left");
    assert_eq!(found(&store, "桂林").await, [(1, 1)]);
}

#[tokio::test]
async fn a_step_is_bounded_by_rows_and_by_bytes() {
    let store = store();
    let long = "word ".repeat(limits::SEARCH_BATCH_BYTES / 5 + 1);
    say(
        &store,
        &[
            (1, "user", &long),
            (1, "user", &long),
            (1, "user", "x"),
            (1, "user", "x"),
        ],
    )
    .await;
    let mut steps = Vec::new();
    while steps.last().is_none_or(|step: &Indexed| step.waiting > 0) {
        steps.push(store.index_more(3).await.unwrap());
    }
    let rows: Vec<usize> = steps.iter().map(|step| step.rows).collect();
    assert_eq!(rows, [1, 1, 2], "each long row is a step of its own");
    assert_eq!(store.index_more(3).await.unwrap(), Indexed::default());
}

/// What happens to the rows of a law.
#[derive(Debug, Clone)]
enum Event {
    Say(u64, Vec<usize>),
    Hide(usize),
    Archive(usize),
    Delete(usize),
    Index(usize),
}

const VOCABULARY: [&str; 6] = [
    "docker",
    "Compose",
    "大别山项目",
    "桂林",
    "chat-send",
    "terminal",
];

fn event() -> impl Strategy<Value = Event> {
    let words = proptest::collection::vec(0..VOCABULARY.len(), 0..4);
    prop_oneof![
        5 => (1u64..4, words).prop_map(|(session, words)| Event::Say(session, words)),
        1 => (0usize..40).prop_map(Event::Hide),
        1 => (0usize..40).prop_map(Event::Archive),
        1 => (0usize..40).prop_map(Event::Delete),
        2 => (1usize..5).prop_map(Event::Index),
    ]
}

/// A row as it should be: its number, whether it may be found, its words.
#[derive(Debug, Clone)]
struct Known {
    row: i64,
    place: (u128, u64),
    hidden: bool,
    text: String,
}

async fn happen(store: &Database, known: &mut Vec<Known>, event: Event) {
    let at = |place: usize| place % known.len().max(1);
    match event {
        Event::Say(session, words) => {
            let words: Vec<&str> = words.iter().map(|word| VOCABULARY[*word]).collect();
            let text = words.join(" ");
            let row = say(store, &[(session, "user", &text)]).await[0];
            let sql = "SELECT seq FROM transcript WHERE row = ?1";
            let seq = store.read_here(|tx| tx.number(sql, [row])).unwrap();
            known.push(Known {
                row,
                place: (u128::from(session), seq.unsigned_abs()),
                hidden: false,
                text,
            });
        }
        Event::Index(limit) => drop(store.index_more(limit).await.unwrap()),
        Event::Hide(_) | Event::Archive(_) | Event::Delete(_) if known.is_empty() => (),
        Event::Hide(place) => {
            let place = at(place);
            known[place].hidden = true;
            see(store, known[place].row, "hidden").await;
        }
        Event::Archive(place) => {
            let place = at(place);
            known[place].hidden = false;
            see(store, known[place].row, "archived").await;
        }
        Event::Delete(place) => {
            let gone = known.remove(at(place));
            delete(store, vec![gone.row]).await;
        }
    }
}

fn expected(known: &[Known], word: &str) -> Vec<(u128, u64)> {
    let word = word.to_lowercase();
    let kept = known.iter().filter(|known| !known.hidden);
    let holding = kept.filter(|known| known.text.to_lowercase().contains(&word));
    let mut places: Vec<(u128, u64)> = holding.map(|known| known.place).collect();
    places.sort_unstable();
    places
}

async fn law(events: Vec<Event>) -> Result<(), TestCaseError> {
    let (store, mut known) = (store(), Vec::new());
    for event in events {
        happen(&store, &mut known, event).await;
        for word in VOCABULARY {
            let (found, most) = (found(&store, word).await, expected(&known, word));
            prop_assert!(
                found.iter().all(|place| most.contains(place)),
                "{word}: {found:?} {most:?}"
            );
        }
    }
    index(&store).await;
    for word in VOCABULARY {
        prop_assert_eq!(
            found(&store, word).await,
            expected(&known, word),
            "{}",
            word
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// D4: what is found holds the words and was not undone, at every moment; and once all is indexed,
    /// everything that holds them is found.
    #[test]
    fn what_is_found_holds_the_words_and_was_not_undone(
        events in proptest::collection::vec(event(), 1..40),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(law(events))?;
    }
}
