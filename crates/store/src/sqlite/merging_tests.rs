use rusqlite::Connection;

use super::{PARTS, PARTS_MAX, set};
use crate::sqlite::{connection, migrate};

fn store() -> Connection {
    let conn = connection::in_memory().unwrap();
    migrate::migrate(&conn, "a store").unwrap();
    conn
}

fn settings(conn: &Connection, index: &str) -> Vec<(String, i64)> {
    let sql = format!("SELECT k, v FROM {index}_config WHERE k LIKE '%merge' ORDER BY k");
    let mut asked = conn.prepare(&sql).unwrap();
    let rows = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn both_indexes_are_merged_as_this_release_wants_it() {
    let conn = store();
    set(&conn).unwrap();
    let wanted = [
        ("automerge".to_owned(), PARTS),
        ("crisismerge".to_owned(), PARTS_MAX),
    ];
    assert_eq!(settings(&conn, "search_words"), wanted);
    assert_eq!(settings(&conn, "search_groups"), wanted);
}

#[test]
fn what_is_set_already_is_not_written_again() {
    let conn = store();
    set(&conn).unwrap();
    let before = conn.total_changes();
    set(&conn).unwrap();
    assert_eq!(conn.total_changes(), before);
}

#[test]
fn what_an_older_release_set_is_changed() {
    let conn = store();
    let older = "INSERT INTO search_words (search_words, rank) VALUES ('automerge', 4)";
    conn.execute(older, []).unwrap();
    set(&conn).unwrap();
    assert_eq!(settings(&conn, "search_words")[0].1, PARTS);
}
