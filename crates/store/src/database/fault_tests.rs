use rusqlite::ffi;

use super::*;

fn failing_with(code: i32) -> StoreError {
    Fault::Sqlite(Error::SqliteFailure(ffi::Error::new(code), None)).said("house.db")
}

#[test]
fn a_full_disk_is_passing_and_says_what_to_do() {
    let StoreError::Unavailable(words) = failing_with(ffi::SQLITE_FULL) else {
        panic!("a full disk passes once there is space")
    };
    assert!(
        words.starts_with("house.db: its disk is full; free some space"),
        "{words}"
    );
}

#[test]
fn what_passes_is_told_from_what_does_not() {
    for code in [
        ffi::SQLITE_IOERR,
        ffi::SQLITE_BUSY,
        ffi::SQLITE_CANTOPEN,
        ffi::SQLITE_READONLY,
    ] {
        assert!(
            matches!(failing_with(code), StoreError::Unavailable(_)),
            "{code}"
        );
    }
    for code in [
        ffi::SQLITE_CORRUPT,
        ffi::SQLITE_NOTADB,
        ffi::SQLITE_CONSTRAINT,
    ] {
        assert!(
            matches!(failing_with(code), StoreError::Corrupt(_)),
            "{code}"
        );
    }
}

#[test]
fn an_undecodable_row_is_damage() {
    let error = Fault::Undecodable("a turn without a batch".into()).said("house.db");
    assert!(matches!(error, StoreError::Corrupt(words) if words.contains("without a batch")));
}

#[test]
fn a_bug_in_one_verb_does_not_count_as_damage() {
    let error = Fault::Panicked("index out of bounds".into()).said("house.db");
    assert!(matches!(error, StoreError::Unavailable(words) if words.contains("index out of")));
}
