//! Texts taken apart as the index of SQLite takes them apart, for an engine that would do it otherwise.
//!
//! PostgreSQL has rules of its own for what is a word. What is found must not depend on the engine, so the
//! words that stand in its index are made here, by SQLite's own reading, in a small database in memory that
//! is emptied again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use angelia_core::limits;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::database::fault::Fault;

/// What a text is taken apart into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tokens {
    /// Words.
    Words,
    /// Groups of three characters.
    Groups,
}

/// The same readings as those of the indexes, and the lists of what they read.
const READINGS: &str = "
    CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE words_read USING fts5vocab (words, instance);
    CREATE VIRTUAL TABLE groups USING fts5 (text, tokenize = 'trigram');
    CREATE VIRTUAL TABLE groups_read USING fts5vocab (groups, instance);";

/// The last place in a text that PostgreSQL can note down; words behind it are found, but in no phrase.
const PLACE_MAX: i64 = 16_383;

/// The longest word that PostgreSQL can note down; a longer one is found nowhere.
pub(super) const WORD_BYTES_MAX: usize = 2046;

/// Takes texts apart; made when it is first needed.
#[derive(Default)]
pub(super) struct Reader(Mutex<Option<Connection>>);

impl Reader {
    /// What the text consists of, in order, each with its place.
    pub(super) fn read(&self, tokens: Tokens, text: &str) -> Result<Vec<(String, i64)>, Fault> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let conn = match &mut *made {
            Some(conn) => conn,
            none => none.insert(database()?),
        };
        let (put, ask) = match tokens {
            Tokens::Words => (
                "INSERT INTO words (text) VALUES (?1)",
                "SELECT term, \"offset\" FROM words_read ORDER BY \"offset\"",
            ),
            Tokens::Groups => (
                "INSERT INTO groups (text) VALUES (?1)",
                "SELECT term, \"offset\" FROM groups_read ORDER BY \"offset\"",
            ),
        };
        // Never committed, so nothing is left of it.
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
        tx.prepare_cached(put)?.execute(params![text])?;
        let mut asked = tx.prepare_cached(ask)?;
        let found = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The text as PostgreSQL notes it down: each word with the places where it stands.
    pub(super) fn vector(&self, tokens: Tokens, text: &str) -> Result<String, Fault> {
        let text = &text[..text.floor_char_boundary(limits::SEARCH_READ_BYTES)];
        let mut places: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (word, place) in self.read(tokens, text)? {
            if word.len() <= WORD_BYTES_MAX {
                places
                    .entry(word)
                    .or_default()
                    .push((place + 1).min(PLACE_MAX));
            }
        }
        let mut vector = String::new();
        for (word, places) in places {
            let places: Vec<String> = places.iter().map(i64::to_string).collect();
            // Writing to a text cannot fail.
            let _ = write!(vector, "{}:{} ", quoted(&word), places.join(","));
        }
        Ok(vector)
    }
}

fn database() -> Result<Connection, Fault> {
    let conn = Connection::open_in_memory()?;
    conn.execute_batch(READINGS)?;
    Ok(conn)
}

/// A word between quotes, as PostgreSQL reads it in a list of words and in a question.
pub(super) fn quoted(word: &str) -> String {
    let word = word.replace('\\', "\\\\").replace('\'', "''");
    format!("'{word}'")
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
