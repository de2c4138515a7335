//! Rows that are appended, loaded, undone and replaced.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_core::transcript::conversation::{load, tool_calls};
use angelia_core::transcript::entry::{Attention, Content, Entry, Role, ToolCall, Visibility};
use angelia_store::Change;
use angelia_store::search::{Query, Search as _};
use angelia_store::transcripts::{
    By, Hide, Kept, Last, Replacement, Said, Seen, Transcripts as _, Undo,
};
use angelia_store::views::Range;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::House;
use crate::cases;

const REASONING: [&str; 3] = ["reasoning", "reasoning_content", "reasoning_details"];
const CONTINUATION: [&str; 2] = ["codex_reasoning_items", "codex_message_items"];

/// A row of ours as the reference tells it. Every stored row has a time; how the reference's times are
/// read is `core`'s to show, so one that is no number is zero here.
fn row(message: &Value) -> Entry {
    let text = |field: &str| message[field].as_str().map(str::to_owned);
    let fields = |names: &[&str]| -> Map<String, Value> {
        let given = names.iter().filter(|name| !message[**name].is_null());
        given
            .map(|name| ((*name).to_owned(), message[*name].clone()))
            .collect()
    };
    let observed = &message["observed"];
    let addressed = observed.is_null() || *observed == false || *observed == 0;
    Entry {
        tool_calls: ToolCall::list(message["tool_calls"].clone()),
        tool_call_id: text("tool_call_id"),
        tool_name: text("tool_name"),
        platform_message_id: text("platform_message_id").or_else(|| text("message_id")),
        attention: if addressed {
            Attention::Addressed
        } else {
            Attention::Observed
        },
        at: Some(at(message)),
        reasoning: fields(&REASONING),
        continuation: fields(&CONTINUATION),
        ..Entry::new(
            text("role").map_or_else(Role::default, Role::from),
            message["content"].clone(),
        )
    }
}

fn at(message: &Value) -> Timestamp {
    let seconds = message["timestamp"].as_f64().unwrap_or(0.0);
    Timestamp::from_ms((seconds * 1000.0).round() as i64)
}

fn rows(messages: &[Value]) -> Vec<Entry> {
    messages.iter().map(row).collect()
}

fn said(messages: &[Value]) -> Vec<Said> {
    rows(messages).into_iter().map(Said::from).collect()
}

#[track_caller]
fn made<T: std::fmt::Debug>(change: Change<T>) -> T {
    match change {
        Change::Done(value) => value,
        refused @ (Change::Unknown | Change::Busy | Change::Moved) => panic!("{refused:?}"),
    }
}

fn entries(kept: Vec<Kept>) -> Vec<Entry> {
    kept.into_iter().map(|row| row.entry).collect()
}

async fn visible(house: &House, session: SessionId) -> Vec<Entry> {
    let read = house.store.conversation(session, Last::All).await;
    entries(read.expect("the store works").expect("the store works"))
}

async fn all(house: &House, session: SessionId) -> Vec<Entry> {
    let (mut all, mut range) = (Vec::new(), Range::default());
    loop {
        let page = house
            .store
            .rows(session, range)
            .await
            .expect("the store works")
            .expect("the store works");
        all.extend(page.items);
        range = Range {
            after: page.next,
            limit: 0,
        };
        if range.after.is_none() {
            return entries(all);
        }
    }
}

fn told(rows: &[Entry]) -> Vec<(String, Value)> {
    let told = |row: &Entry| (row.role.as_str().to_owned(), row.content.clone().into());
    load(rows).iter().map(told).collect()
}

#[derive(Deserialize)]
struct Load {
    id: String,
    appended: Vec<Value>,
    expected: Loaded,
}

#[derive(Deserialize)]
struct Loaded {
    conversation: Vec<Value>,
    message_count: usize,
    tool_call_count: usize,
}

/// What is stored is exactly what was appended, and loads as it does without a store; so every case is the
/// same here as in `core`, where the file's own answers are compared.
#[tokio::test]
async fn rows_come_back_as_they_were_appended() {
    let mut same = 0;
    for case in cases::<Load>("sessions/transcript_load.json") {
        let house = House::new();
        let session = house.session(1);
        for message in &case.appended {
            let one = said(std::slice::from_ref(message));
            assert_eq!(
                made(house.store.append(session, one).await.unwrap()).written,
                1
            );
        }
        let stored = visible(&house, session).await;
        assert_eq!(stored, rows(&case.appended), "{}", case.id);
        let loaded = load(&stored);
        assert_eq!(loaded.len(), case.expected.message_count, "{}", case.id);
        assert_eq!(
            tool_calls(&stored),
            case.expected.tool_call_count,
            "{}",
            case.id
        );
        let untimed = |rows: Vec<Entry>| {
            let untimed = rows.into_iter().map(|row| Entry { at: None, ..row });
            untimed.collect::<Vec<_>>()
        };
        let theirs = untimed(rows(&case.expected.conversation));
        same += usize::from(untimed(loaded) == theirs);
    }
    eprintln!("{same} conversations are the reference's word for word");
}

#[derive(Deserialize)]
struct Rewind {
    id: String,
    messages: Vec<Value>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    turns: i64,
    result: Option<Undone>,
    visible_roles_and_content: Vec<(String, Value)>,
    hidden_rows: usize,
    rewind_count: i64,
}

#[derive(Deserialize)]
struct Undone {
    rewound_count: usize,
    turns_undone: usize,
    target_text: String,
}

async fn undo(house: &House, session: SessionId, turns: i64) -> Option<Undo> {
    let turns = u32::try_from(turns).unwrap_or(if turns < 0 { 0 } else { u32::MAX });
    let plan = house
        .store
        .rewind_plan(session, turns)
        .await
        .expect("the store works")?;
    let hide = Hide {
        session,
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    };
    let hidden = made(house.store.hide_from(hide).await.expect("the store works"));
    assert_eq!(hidden, plan.rows, "as many rows are hidden as planned");
    assert_eq!(
        made(house.store.hide_from(hide).await.expect("the store works")),
        0,
        "twice is once"
    );
    Some(plan)
}

fn check(step: &Step, undo: Option<&Undo>, rows: &[Entry], id: &str) {
    let ours = undo.map(|undo| (undo.rows, undo.turns, undo.text.as_str()));
    let theirs = step.result.as_ref().map(|undone| {
        (
            undone.rewound_count,
            undone.turns_undone,
            undone.target_text.as_str(),
        )
    });
    assert_eq!(ours, theirs, "{id}");
    assert_eq!(told(rows), step.visible_roles_and_content, "{id}");
    let hidden = rows
        .iter()
        .filter(|row| row.visibility == Visibility::Rewound);
    assert_eq!(hidden.count(), step.hidden_rows, "{id}");
}

fn content(rows: &[Entry]) -> Vec<&Content> {
    rows.iter().map(|row| &row.content).collect()
}

/// Runs the steps of a case; says how many are as in the reference.
async fn run(case: &Rewind) -> usize {
    let house = House::new();
    let session = house.session(1);
    let appended = house.store.append(session, said(&case.messages)).await;
    made(appended.expect("the store works"));
    let before = rows(&case.messages);
    let is_chatter = |row: &Entry| row.attention == Attention::Observed;
    let chatter = before.iter().any(is_chatter);
    for step in &case.steps {
        let undo = undo(&house, session, step.turns).await;
        let after = all(&house, session).await;
        assert_eq!(content(&after), content(&before), "{}", case.id);
        if chatter {
            // Hazard 23: it begins with what was said to the agent.
            let first = undo.and_then(|undo| before.get(usize::try_from(undo.from).ok()? - 1));
            assert!(first.is_none_or(Entry::begins_turn), "{}", case.id);
        } else {
            check(step, undo.as_ref(), &after, &case.id);
            let rewinds = house.number("SELECT rewinds FROM sessions");
            assert_eq!(rewinds, step.rewind_count, "{}", case.id);
        }
    }
    if chatter { 0 } else { case.steps.len() }
}

#[tokio::test]
async fn turns_are_undone_as_in_the_reference_except_that_chatter_is_no_turn() {
    let (mut steps, mut same) = (0, 0);
    for case in cases::<Rewind>("sessions/rewind.json") {
        steps += case.steps.len();
        same += run(&case).await;
    }
    eprintln!("{same} of {steps} steps are the same, the others have chatter");
}

#[derive(Deserialize)]
struct Compaction {
    id: String,
    operations: Vec<Operation>,
    visible: Vec<(String, Value)>,
    all_rows: Vec<(String, Value, u8, u8)>,
    hits_per_word: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
#[serde(tag = "op", content = "arg", rename_all = "snake_case")]
enum Operation {
    Append(Value),
    Rewind(i64),
    Compact(Vec<Value>),
    Rewrite(Vec<Value>),
}

async fn operate(house: &House, session: SessionId, operation: &Operation) {
    let instead = |messages: &[Value]| Replacement {
        session,
        by: By::Anyone,
        seen: Seen::Anything,
        rows: said(messages),
    };
    let store = &house.store;
    match operation {
        Operation::Append(message) => {
            let one = said(std::slice::from_ref(message));
            made(store.append(session, one).await.expect("the store works"));
        }
        Operation::Rewind(turns) => drop(undo(house, session, *turns).await),
        Operation::Compact(summary) => {
            made(
                store
                    .compact(instead(summary))
                    .await
                    .expect("the store works"),
            );
        }
        Operation::Rewrite(others) => {
            made(
                store
                    .rewrite(instead(others))
                    .await
                    .expect("the store works"),
            );
        }
    }
}

/// Indexes at every moment, so that what is deleted has to leave the index.
async fn index(house: &House) {
    let more = || house.store.index_more(100);
    while more().await.expect("the store works").waiting > 0 {}
}

/// The reference's two flags.
fn flags(visibility: Visibility) -> (u8, u8) {
    match visibility {
        Visibility::Visible => (1, 0),
        Visibility::Rewound => (0, 0),
        Visibility::Compacted => (0, 1),
    }
}

#[tokio::test]
async fn what_is_shown_stored_and_found_is_the_reference_s() {
    for case in cases::<Compaction>("sessions/compaction_visibility.json") {
        let house = House::new();
        let session = house.session(1);
        for operation in &case.operations {
            operate(&house, session, operation).await;
            index(&house).await;
        }
        assert_eq!(
            told(&visible(&house, session).await),
            case.visible,
            "{}",
            case.id
        );
        let stored = all(&house, session).await.into_iter().map(|row| {
            let (active, compacted) = flags(row.visibility);
            let role = row.role.as_str().to_owned();
            (role, Value::from(row.content), active, compacted)
        });
        assert_eq!(stored.collect::<Vec<_>>(), case.all_rows, "{}", case.id);
        for (word, count) in &case.hits_per_word {
            let query = Query {
                text: word.clone(),
                ..Query::default()
            };
            let found = house.store.search(query).await.unwrap();
            assert_eq!(found.items.len(), *count, "{}: {word}", case.id);
        }
    }
}
