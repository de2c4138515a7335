use angelia_core::transcript::compaction::{compact, rewritten};
use angelia_core::transcript::entry::{Attention, Content, Entry, Role};
use angelia_core::transcript::rewind;
use proptest::prelude::*;
use serde_json::json;

use super::super::given::{id, number, runtime, session, store};
use super::*;
use angelia_core::time::Timestamp;

/// Something that happens to a transcript.
#[derive(Debug, Clone)]
enum Event {
    Append(Vec<Entry>),
    Undo(u32),
    Compact(Vec<Entry>),
    Rewrite(Vec<Entry>),
}

fn entry() -> impl Strategy<Value = Entry> {
    let content = prop_oneof![
        "[a-c\\n\\x00 ]{0,6}".prop_map(Content::from),
        Just(Content::Nothing),
        "[a-c]{0,3}".prop_map(|text| Content::from(json!([{"type": "text", "text": text}]))),
    ];
    let role = prop_oneof![
        3 => Just(Role::User),
        3 => Just(Role::Assistant),
        1 => Just(Role::Tool),
        1 => Just(Role::Other("notice".to_owned())),
    ];
    let attention = prop_oneof![4 => Just(Attention::Addressed), 1 => Just(Attention::Observed)];
    (role, content, attention, 0..100i64).prop_map(|(role, content, attention, ms)| Entry {
        attention,
        at: Some(Timestamp::from_ms(ms)),
        ..Entry::new(role, content)
    })
}

fn event() -> impl Strategy<Value = Event> {
    let rows = || prop::collection::vec(entry(), 0..4);
    prop_oneof![
        4 => rows().prop_map(Event::Append),
        2 => (0..4u32).prop_map(Event::Undo),
        1 => rows().prop_map(Event::Compact),
        1 => rows().prop_map(Event::Rewrite),
    ]
}

fn said(rows: &[Entry]) -> Vec<Said> {
    rows.iter().cloned().map(Said::from).collect()
}

/// The same by the pure functions. What stands already is not made again.
fn expect(rows: &mut Vec<Entry>, event: &Event) {
    let shown: Vec<Entry> = rows
        .iter()
        .filter(|row| row.is_visible())
        .cloned()
        .collect();
    let stands = |new: &[Entry]| {
        let alike = shown.iter().zip(new);
        let same = alike.filter(|(a, b)| (&a.role, &a.content) == (&b.role, &b.content));
        shown.len() == new.len() && same.count() == new.len()
    };
    match event {
        Event::Append(new) => rows.extend(new.iter().cloned()),
        Event::Undo(turns) => {
            if let Some(plan) = rewind::plan(rows, i64::from(*turns)) {
                rewind::apply(rows, &plan);
            }
        }
        Event::Compact(new) if stands(new) => {}
        Event::Compact(new) => compact(rows, new.clone()),
        Event::Rewrite(new) if stands(new) && shown.len() == rows.len() => {}
        Event::Rewrite(new) => *rows = rewritten(new.clone()),
    }
}

async fn happen(store: &Database, event: &Event) {
    let instead = |rows: &[Entry]| Replacement {
        session: id(1),
        by: By::Anyone,
        seen: Seen::Anything,
        rows: said(rows),
    };
    let stood = match event {
        Event::Append(new) => store.append(id(1), said(new)).await.map(drop_value),
        Event::Undo(turns) => undo(store, *turns).await,
        Event::Compact(new) => store.compact(instead(new)).await.map(drop_value),
        Event::Rewrite(new) => store.rewrite(instead(new)).await.map(drop_value),
    };
    assert_eq!(stood, Ok(Change::Done(())));
}

fn drop_value<T>(change: Change<T>) -> Change<()> {
    change.map(|_| ())
}

async fn undo(store: &Database, turns: u32) -> Result<Change<()>, StoreError> {
    let Some(plan) = store.rewind_plan(id(1), turns).await? else {
        return Ok(Change::Done(()));
    };
    let hide = Hide {
        session: id(1),
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    };
    let hidden = store.hide_from(hide).await?;
    assert_eq!(hidden, Change::Done(plan.rows));
    Ok(drop_value(hidden))
}

async fn all(store: &Database) -> Vec<Kept> {
    let (mut rows, mut range) = (Vec::new(), Range::default());
    loop {
        let page = store.rows(id(1), range).await;
        let page = page.expect("it reads").expect("it exists");
        rows.extend(page.items);
        range = Range {
            after: page.next,
            limit: 0,
        };
        if range.after.is_none() {
            return rows;
        }
    }
}

fn entries(rows: Vec<Kept>) -> Vec<Entry> {
    rows.into_iter().map(|row| row.entry).collect()
}

proptest! {
    /// T1 to T6: whatever happens to a transcript, the rows are those of the pure functions, in their
    /// order, and numbers only rise.
    #[test]
    fn rows_are_what_the_pure_functions_say(events in prop::collection::vec(event(), 0..12)) {
        let (run, store, mut expected) = (runtime(), store(), Vec::new());
        run.block_on(session(&store, 1));
        let mut highest = 0;
        for event in &events {
            run.block_on(happen(&store, event));
            expect(&mut expected, event);
            let rows = run.block_on(all(&store));
            prop_assert!(rows.is_sorted_by(|a, b| a.seq < b.seq));
            let newest = rows.last().map_or(highest, |row| row.seq);
            prop_assert!(newest >= highest || rows.iter().all(|row| row.seq <= highest));
            highest = highest.max(newest);
            prop_assert_eq!(&entries(rows), &expected);
            let shown: Vec<Entry> = expected.iter().filter(|row| row.is_visible()).cloned().collect();
            let read = run.block_on(store.conversation(id(1), Last::All)).unwrap().unwrap();
            prop_assert_eq!(&entries(read), &shown);
            let last = run.block_on(store.conversation(id(1), Last::Rows(3))).unwrap().unwrap();
            prop_assert_eq!(&entries(last)[..], &shown[shown.len().saturating_sub(3)..]);
        }
    }
}

#[tokio::test]
async fn undos_are_counted_and_one_that_hides_nothing_is_none() {
    let store = store();
    session(&store, 1).await;
    let rows = said(&[Entry::new(Role::User, "a"), Entry::new(Role::User, "b")]);
    assert!(matches!(
        store.append(id(1), rows).await,
        Ok(Change::Done(_))
    ));
    for _ in 0..3 {
        assert_eq!(undo(&store, 1).await, Ok(Change::Done(())));
    }
    assert_eq!(number(&store, "SELECT rewinds FROM sessions"), 2);
}

#[test]
fn the_last_rows_are_read_from_the_end_of_the_index() {
    let store = store();
    let plan = |sql: &str| {
        let sql = format!("EXPLAIN QUERY PLAN {sql}");
        let read = store.read_here(|tx| tx.all(&sql, [1, 1, 1], |row| row.get::<String>(3)));
        read.unwrap().join("; ")
    };
    for sql in [
        kept_sql!(
            "WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' ORDER BY seq DESC LIMIT ?3"
        ),
        "SELECT seq FROM transcript WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' \
         AND role = 'user' AND attention IS NULL ORDER BY seq DESC LIMIT ?3",
    ] {
        let plan = plan(sql);
        assert!(plan.contains("(session=? AND seq>?)"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
