//! How late the parts of the indexes for search are merged.
//!
//! What is indexed together is one part, and a search looks into every part. Parts of one size are merged into a larger
//! one once there are so many, step by step with what is indexed next. The later that begins, the less often all of it
//! is written again; and a search looks into more of them.
//!
//! The numbers stand in the settings of the indexes themselves. They are put there when a file is opened and not by a
//! new shape: an older release reads such a file as well, and a newer one may choose others.

use rusqlite::{Connection, params};

use crate::database::fault::Fault;

/// Parts of one size before they are merged. With eight, a turn with a prompt of 50 kB took 0.4 ms of processor time for
/// the index, with sixteen 0.33 ms; more than sixteen of each size would be felt by whoever searches.
const PARTS: i64 = 16;

/// Parts of one size before they are merged at once, and not step by step: when more comes than the steps can follow.
const PARTS_MAX: i64 = 32;

/// The indexes: where their settings stand, and how one is changed.
const INDEXES: [(&str, &str); 2] = [
    (
        "SELECT v FROM search_words_config WHERE k = ?1",
        "INSERT INTO search_words (search_words, rank) VALUES (?1, ?2)",
    ),
    (
        "SELECT v FROM search_groups_config WHERE k = ?1",
        "INSERT INTO search_groups (search_groups, rank) VALUES (?1, ?2)",
    ),
];

/// Sees to it that the indexes have these settings. Writes nothing if they do.
pub(crate) fn set(conn: &Connection) -> Result<(), Fault> {
    let tx = conn.unchecked_transaction()?;
    for (ask, change) in INDEXES {
        for (name, value) in [("automerge", PARTS), ("crisismerge", PARTS_MAX)] {
            if found(&tx, ask, name)? != Some(value) {
                tx.execute(change, params![name, value])?;
            }
        }
    }
    Ok(tx.commit()?)
}

/// What a setting is, if it was ever set.
fn found(conn: &Connection, sql: &str, name: &str) -> Result<Option<i64>, Fault> {
    let mut asked = conn.prepare(sql)?;
    let mut rows = asked.query([name])?;
    Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
}

#[cfg(test)]
#[path = "merging_tests.rs"]
mod tests;
