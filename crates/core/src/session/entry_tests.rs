use proptest::prelude::*;
use serde_json::json;

use super::*;

fn plain() -> Value {
    json!({
        "session_key": "agent:main:telegram:dm:1",
        "session_id": "20260301_090000_deadbeef",
        "created_at": "2026-03-01T09:00:00",
        "updated_at": "2026-03-01T10:00:00.250000",
    })
}

fn with(name: &str, value: Value) -> Result<Entry, Wrong> {
    let mut entry = plain();
    entry[name] = value;
    Entry::read(&entry, &Zone::utc())
}

#[test]
fn a_time_without_a_zone_is_read_in_the_zone_it_was_written_in() {
    let berlin = Zone::named("Europe/Berlin").unwrap();
    let entry = Entry::read(&plain(), &berlin).unwrap();
    assert_eq!(entry.created_at.to_string(), "2026-03-01T08:00:00.000Z");
    let offset = with("created_at", json!("2026-03-01T09:00:00+02:00")).unwrap();
    assert_eq!(offset.created_at.to_string(), "2026-03-01T07:00:00.000Z");
}

#[test]
fn an_entry_without_an_id_points_at_nothing_and_is_not_taken_over() {
    for id in [json!(null), json!(5), json!("")] {
        assert_eq!(with("session_id", id), Err(Wrong::Field("session_id")));
    }
    assert_eq!(
        with("session_key", json!("")),
        Err(Wrong::Field("session_key"))
    );
    assert_eq!(
        with("session_id", json!("../x")),
        Err(Wrong::Path("session_id"))
    );
}

#[test]
fn a_conversation_that_was_stopped_stays_stopped_however_it_is_written() {
    for yes in [json!(true), json!("yes"), json!(1)] {
        let entry = with("suspended", yes).unwrap();
        assert_eq!(entry.marks, [Mark::Suspended].into());
    }
    assert_eq!(with("suspended", json!(null)).unwrap().marks, [].into());
}

#[test]
fn the_newer_name_of_a_mark_counts_where_both_stand() {
    let mut entry = plain();
    entry["memory_flushed"] = json!(true);
    let finished = |entry: &Value| {
        let entry = Entry::read(entry, &Zone::utc()).unwrap();
        entry.marks.contains(&Mark::Finished)
    };
    assert!(finished(&entry));
    entry["expiry_finalized"] = json!(false);
    assert!(!finished(&entry));
}

#[test]
fn a_secret_beside_the_model_is_not_read() {
    let entry = with("model_override", json!({"model": "m", "api_key": "k"})).unwrap();
    let written = serde_json::to_value(entry.model.unwrap()).unwrap();
    assert_eq!(written, json!({"model": "m"}));
}

proptest! {
    #[test]
    fn bad_entries_never_take_good_ones_with_them(kinds in prop::collection::vec(0..4usize, 0..12)) {
        let bad = [json!(3), json!({}), json!({"session_id": "x"})];
        let written = kinds.iter().enumerate().map(|(place, kind)| {
            let entry = bad.get(*kind).cloned().unwrap_or_else(plain);
            (format!("k{place}"), entry)
        });
        let mut index: Map<String, Value> = written.collect();
        index.insert("_README".into(), json!("a remark"));
        let read = read_all(&index, &Zone::utc());
        let good = kinds.iter().filter(|kind| **kind == bad.len()).count();
        prop_assert_eq!(read.value.len(), good);
        prop_assert_eq!(read.problems.len(), kinds.len() - good);
    }
}
