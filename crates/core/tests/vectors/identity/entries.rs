//! Entries of an index of conversations, each beside a sound one.
//!
//! Ours only reads them, for taking them over. What the reference writes again says what it understood,
//! and ours must have understood the same.

use std::collections::BTreeSet;

use angelia_core::session::entry::{Entry, Mark, read_all};
use angelia_core::zone::Zone;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    index_key: String,
    entry: Value,
    expected: Expected,
    expected_release: Option<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    kept: bool,
    written_again: Option<Map<String, Value>>,
}

const NEIGHBOUR: &str = "agent:main:telegram:dm:2";

fn neighbour() -> Value {
    json!({
        "session_key": NEIGHBOUR,
        "session_id": "20260301_090000_cafecafe",
        "created_at": "2026-03-01T09:00:00",
        "updated_at": "2026-03-01T09:00:00",
    })
}

/// Whether the reference keeps an entry that points from nowhere or at nothing.
fn names_nothing(entry: &Value) -> bool {
    let is_name = |name: &str| entry[name].as_str().is_some_and(|text| !text.is_empty());
    !is_name("session_key") || !is_name("session_id")
}

/// What the reference takes for set: anything but nothing, no and zero.
fn said(written: &Map<String, Value>) -> BTreeSet<Mark> {
    let marks = [
        ("suspended", Mark::Suspended),
        ("resume_pending", Mark::ResumePending),
        ("is_fresh_reset", Mark::FreshReset),
        ("was_auto_reset", Mark::AutoReset),
        ("expiry_finalized", Mark::Finished),
    ];
    let no = [json!(null), json!(false), json!(0), json!("")];
    let is_set = |(name, _): &(&str, Mark)| !no.contains(&written[*name]);
    marks
        .into_iter()
        .filter(is_set)
        .map(|(_, mark)| mark)
        .collect()
}

fn compare(id: &str, ours: &Entry, written: &Map<String, Value>) {
    let zone = Zone::utc();
    let text = |name: &str| written.get(name).and_then(Value::as_str);
    let moment = |name: &str| text(name).and_then(|text| zone.moment(text));
    assert_eq!(text("session_key"), Some(ours.key.as_str()), "{id}");
    assert_eq!(text("session_id"), Some(ours.id.as_str()), "{id}");
    assert_eq!(moment("created_at"), Some(ours.created_at), "{id}");
    assert_eq!(moment("updated_at"), Some(ours.updated_at), "{id}");
    assert_eq!(text("display_name"), ours.display_name.as_deref(), "{id}");
    let platform = ours.platform.map(|platform| platform.name());
    assert_eq!(text("platform"), platform, "{id}");
    assert_eq!(text("chat_type"), Some(ours.kind.as_str()), "{id}");
    assert_eq!(said(written), ours.marks, "{id}");
    let origin = ours.origin.as_ref().map(|origin| origin.write());
    assert_eq!(written.get("origin"), origin.as_ref(), "{id}");
    let model = ours.model.as_ref().map(|model| json!(model));
    assert_eq!(written.get("model_override"), model.as_ref(), "{id}");
}

#[test]
fn entries_are_understood_as_by_the_reference_unless_they_name_nothing() {
    for case in cases::<Case>("sessions/entry_roundtrip.json") {
        let id = &case.id;
        let index = Map::from_iter([
            (NEIGHBOUR.to_owned(), neighbour()),
            (case.index_key.clone(), case.entry.clone()),
        ]);
        let read = read_all(&index, &Zone::utc());
        assert!(read.value.contains_key(NEIGHBOUR), "{id}");

        let expected = case.expected_release.unwrap_or(case.expected);
        let ours = read.value.get(&case.index_key);
        if expected.kept && names_nothing(&case.entry) {
            assert_eq!(ours, None, "{id}");
            assert_eq!(read.problems.len(), 1, "{id}");
            continue;
        }
        assert_eq!(ours.is_some(), expected.kept, "{id}: {:?}", read.problems);
        if let (Some(ours), Some(written)) = (ours, &expected.written_again) {
            compare(id, ours, written);
        }
    }
}
