use rusqlite::StatementStatus;

use super::*;

#[test]
fn a_statement_is_prepared_once_for_all_its_values() {
    let conn = in_memory().unwrap();
    conn.execute_batch("CREATE TABLE named (name TEXT UNIQUE)")
        .unwrap();
    let sql = "SELECT count(*) FROM named WHERE name = ?1";
    for name in ["Anna", "Bela", "Anna"] {
        let mut statement = conn.prepare_cached(sql).unwrap();
        assert_eq!(
            statement
                .query_row([name], |row| row.get::<_, i64>(0))
                .unwrap(),
            0
        );
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}

#[test]
fn commits_are_durable_and_references_hold() {
    let folder = tempfile::tempdir().unwrap();
    let conn = writing(&folder.path().join("angelia.db")).unwrap();
    let setting = |name: &str| -> String {
        let sql = format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}");
        conn.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(setting("journal_mode"), "wal");
    assert_eq!(setting("synchronous"), "2", "FULL");
    assert_eq!(setting("foreign_keys"), "1");
}

#[test]
fn few_readers_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("angelia.db");
    let _writer = writing(&path).unwrap();
    let readers = Readers::of(&path);
    nest(&readers, 2 * READERS_KEPT);
    assert_eq!(readers.idle.lock().unwrap().len(), READERS_KEPT);
}

/// Reads within a read, so that many connections are in use at once.
fn nest(readers: &Readers, depth: usize) {
    if depth > 0 {
        let inner = readers.with(|_| {
            nest(readers, depth - 1);
            Ok(())
        });
        inner.unwrap();
    }
}
