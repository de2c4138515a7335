//! The words of long messages, kept once.
//!
//! A message is written at the door and said in the transcript when its turn is settled. Short words are
//! simply in both rows. Long ones are in a row of their own, under the number of the message: the stored
//! message has an empty text then, and the rows of the transcript that say it, also in branches, have its
//! number and no text.
//!
//! They go when nobody needs them any more: the message was emptied with its conversation, and no row says
//! it.

use angelia_core::inbound::Inbound;

use super::rows;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;

/// Words up to this length stand in the rows themselves: a quarter of a page.
pub(super) const SHORT_TEXT_BYTES: usize = 1024;

/// The words of a row of the transcript, by the name that the row has in a query.
macro_rules! words_sql {
    ($transcript:literal) => {
        concat!(
            "CASE WHEN ",
            $transcript,
            ".long IS NULL THEN ",
            $transcript,
            ".text ELSE (SELECT l.text FROM long_texts l WHERE l.message = ",
            $transcript,
            ".long) END"
        )
    };
}
pub(super) use words_sql;

/// The words of a message that is about to be stored, if they are long.
pub(super) fn words(inbound: &Inbound) -> Option<&str> {
    let words = inbound.text.as_str();
    (words.len() > SHORT_TEXT_BYTES).then_some(words)
}

/// The stored form of a message, without its words if they are long. They are only set aside meanwhile.
pub(super) fn body(inbound: &mut Inbound) -> Result<String, Fault> {
    if words(inbound).is_none() {
        return rows::inbound_body(inbound);
    }
    let words = std::mem::take(&mut inbound.text);
    let body = rows::inbound_body(inbound);
    inbound.text = words;
    body
}

/// Writes the words of a message that has just been stored.
pub(super) fn keep(tx: &Tx<'_>, inbox: &str, words: &str) -> Result<(), Fault> {
    let apart = "INSERT INTO long_texts (message, text) SELECT seq, ?2 FROM inbox WHERE id = ?1";
    tx.also(apart, params![inbox, words])
}

/// Where the words of a message are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// In its own row.
    Within,
    /// Here, under its number.
    Apart(i64),
}

impl Words {
    /// The number under which they are kept here, if they are.
    pub(super) fn number(self) -> Option<i64> {
        match self {
            Self::Within => None,
            Self::Apart(number) => Some(number),
        }
    }
}

/// A message from its stored form in the column `body`, whose number is in the column `seq`.
pub(super) fn message(
    tx: &Tx<'_>,
    row: &Row<'_>,
    (body, seq): (usize, usize),
) -> Result<(Inbound, Words), Fault> {
    let mut inbound: Inbound = rows::body(row, body)?;
    if !inbound.text.is_empty() {
        return Ok((inbound, Words::Within));
    }
    let number = row.get(seq)?;
    let sql = "SELECT text FROM long_texts WHERE message = ?1";
    let words = tx.one(sql, [number], |row| row.get(0))?;
    let Some(words) = words else {
        return Ok((inbound, Words::Within));
    };
    inbound.text = words;
    Ok((inbound, Words::Apart(number)))
}

/// The same for those who do not ask where the words are.
pub(super) fn inbound(
    tx: &Tx<'_>,
    row: &Row<'_>,
    columns: (usize, usize),
) -> Result<Inbound, Fault> {
    message(tx, row, columns).map(|(inbound, _)| inbound)
}

/// Forgets the words of a message, if it was emptied and no row of the transcript says it.
pub(super) fn release(tx: &Tx<'_>, message: i64) -> Result<(), Fault> {
    tx.also(
        "DELETE FROM long_texts WHERE message = ?1 \
         AND EXISTS (SELECT 1 FROM inbox WHERE seq = ?1 AND session IS NULL) \
         AND NOT EXISTS (SELECT 1 FROM transcript WHERE long = ?1)",
        [message],
    )
}
