use std::collections::BTreeSet;

use super::{Kind, Shape, Way};

/// Every table that is copied. Whoever adds one decides here what becomes of it: all of it goes along as it is, unless
/// it is made from other rows (then it belongs into `NOT_COPIED`), or means something to one engine or one home alone.
const COPIED: [&str; 38] = [
    "access_grants",
    "access_locks",
    "agent_links",
    "approval_grants",
    "approvals",
    "bindings",
    "chat_choices",
    "chat_moves",
    "cursors",
    "drafts",
    "glimpses",
    "homes",
    "inbox",
    "knocks",
    "leases",
    "long_bodies",
    "long_texts",
    "media",
    "media_bytes",
    "media_uses",
    "nodes",
    "outbox",
    "process_errands",
    "process_news",
    "processes",
    "reservations",
    "restarts",
    "routes",
    "sessions",
    "spent",
    "steps",
    "stickers",
    "transcript",
    "turns",
    "usage",
    "usage_lines",
    "watch_paces",
    "whatsapp_aliases",
];

fn names(shape: &Shape) -> Vec<&str> {
    let tables = shape.tables().iter();
    tables.map(|table| table.name.as_str()).collect()
}

#[test]
fn every_table_is_known() {
    let shape = Shape::of_this_release().unwrap();
    let found: BTreeSet<&str> = names(&shape).into_iter().collect();
    let known: BTreeSet<&str> = COPIED.into_iter().collect();
    assert_eq!(found, known);
}

#[test]
fn no_table_comes_before_one_that_it_refers_to() {
    let shape = Shape::of_this_release().unwrap();
    let mut before = BTreeSet::new();
    for table in shape.tables() {
        for other in &table.refers_to {
            assert!(before.contains(other), "{} before {other}", table.name);
        }
        before.insert(table.name.clone());
    }
    let outbox = shape.named("outbox").unwrap();
    let expected = ["knocks", "turns"].map(str::to_owned);
    assert_eq!(outbox.refers_to, expected.into_iter().collect());
}

#[test]
fn every_table_has_a_key_of_numbers_and_words() {
    let shape = Shape::of_this_release().unwrap();
    for table in shape.tables() {
        assert!(!table.key.is_empty(), "{}", table.name);
        for place in &table.key {
            assert_ne!(table.columns[*place].1, Kind::Bytes, "{}", table.name);
        }
    }
    let lines = shape.named("usage_lines").unwrap();
    let key: Vec<&str> = lines.key_names().collect();
    assert_eq!(
        key,
        ["session", "model", "provider", "base_url", "mode", "task"]
    );
}

#[test]
fn bytes_of_files_are_rows_between_servers_alone() {
    let has_bytes = |way| {
        let shape = Shape::of_this_release().unwrap().with_media_bytes(way);
        names(&shape).contains(&"media_bytes")
    };
    assert!(has_bytes(Way::RowsToRows));
    for way in [Way::FilesToRows, Way::RowsToFiles, Way::Files] {
        assert!(!has_bytes(way), "{way:?}");
    }
}
