use std::collections::{BTreeMap, BTreeSet};

use angelia_core::copying::checksum::{Cell, RowHash, Sum};

use super::MIGRATIONS;
use crate::sqlite::migrate::MIGRATIONS as IN_A_FILE;

/// The migrations that have landed, by their sums: of the server, and of the file.
const LANDED: [[&str; 2]; 1] = [[
    "1:e84594ee79f8b6cbf11dd313a5345e5d6323833915895437389b004a1007f70c",
    "1:88b21f17429a03f15857e0aae5fa1cc54f5fb5e6f33509a66a2cb6b4fecb5e76",
]];

/// What a column may hold.
const KINDS: [&str; 6] = ["INTEGER", "BIGINT", "TEXT", "BLOB", "BYTEA", "TSVECTOR"];

/// Tables and their columns.
type Tables = BTreeMap<String, BTreeSet<String>>;

fn tables(sql: &str) -> Tables {
    let mut tables = Tables::new();
    let mut table = None;
    let lines = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default());
    for line in lines {
        let mut words = line
            .split_whitespace()
            .map(|word| word.trim_end_matches(','));
        match (words.next(), words.next(), words.next()) {
            (Some("CREATE"), Some("TABLE"), Some(name)) => {
                table = Some(name.to_owned());
                tables.entry(name.to_owned()).or_default();
            }
            (Some(first), _, _) if first.starts_with(')') => table = None,
            (Some(first), Some(kind), _) if KINDS.contains(&kind) => {
                let columns = table.as_ref().and_then(|table| tables.get_mut(table));
                columns.map(|columns| columns.insert(first.to_owned()));
            }
            _ => (),
        }
    }
    tables
}

fn indexes(sql: &str) -> BTreeSet<String> {
    let after = sql.split("INDEX ").skip(1);
    after
        .filter_map(|after| after.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn both_engines_have_the_same_tables_and_columns() {
    let mut ours = tables(MIGRATIONS[0]);
    let mut theirs = tables(include_str!("../migrations/sqlite/0001_the_house.sql"));
    theirs.remove("search_state");
    ours.remove("holds");
    let said = ours.get_mut("transcript").expect("what was said is kept");
    assert!(said.remove("words") && said.remove("groups"));
    assert_eq!(ours, theirs);
    assert!(
        theirs.len() > 20 && theirs["sessions"].len() > 30,
        "they were read"
    );
}

#[test]
fn both_engines_have_the_same_indexes() {
    let mut ours = indexes(MIGRATIONS[0]);
    for found in ["transcript_words", "transcript_groups", "transcript_unread"] {
        assert!(ours.remove(found));
    }
    let theirs = indexes(include_str!("../migrations/sqlite/0001_the_house.sql"));
    assert_eq!(ours, theirs);
}

fn sum(text: &str) -> String {
    let mut sum = Sum::default();
    sum.add(RowHash::of([Cell::Text(text)]));
    sum.to_string()
}

#[test]
fn a_migration_that_has_landed_is_not_edited() {
    assert_eq!(
        MIGRATIONS.len(),
        IN_A_FILE.len(),
        "both engines have the same versions"
    );
    let ours = MIGRATIONS.iter().zip(IN_A_FILE);
    let sums: Vec<_> = ours
        .map(|(server, file)| [sum(server), sum(file)])
        .collect();
    assert_eq!(
        sums, LANDED,
        "a migration that has landed is not edited: databases that ran it never run it again. Put the change into the \
         next number, for both engines, and add its sums here; if the last one is new, add its sums"
    );
}
