//! The words around what was looked for, with marks.
//!
//! The indexes keep no texts, so SQLite cannot mark words in them. For the hits of one page the same
//! reading is done once more, in a small database in memory that is emptied again: its marks are
//! therefore exactly what the index found, whatever case, accents and operators were in play. Terms that
//! are looked for as they are need no such help.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use angelia_core::limits;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::Sought;
use super::hits::Bare;
use crate::database::fault::Fault;
use crate::search::{Hit, Snippet};

/// Around marked words. Text has no such characters: they are none.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';

/// Stands for what was left out.
const LEFT_OUT: &str = "…";

/// Words as `search_words` has them.
const PAGE: &str =
    "CREATE VIRTUAL TABLE page USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')";

/// Marks words; made when it is first needed.
#[derive(Default)]
pub(in crate::verbs) struct Marker(Mutex<Option<Connection>>);

impl Marker {
    /// The snippets of those texts that match the expression, by their place.
    fn snippets(
        &self,
        expression: &str,
        texts: &[&str],
    ) -> Result<BTreeMap<usize, Snippet>, Fault> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let conn = match &mut *made {
            Some(conn) => conn,
            none => none.insert(database()?),
        };
        // Never committed, so nothing is left of it.
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
        for (place, text) in (0i64..).zip(texts) {
            tx.prepare_cached("INSERT INTO page (rowid, text) VALUES (?1, ?2)")?
                .execute(params![place, without_marks(text)])?;
        }
        let mut ask = tx.prepare_cached(
            "SELECT rowid, snippet(page, 0, ?2, ?3, ?4, ?5) FROM page WHERE page MATCH ?1",
        )?;
        let (open, close) = (OPEN.to_string(), CLOSE.to_string());
        let words = limits::SEARCH_SNIPPET_WORDS as i64;
        let asked = params![expression, open, close, LEFT_OUT, words];
        let found = ask.query_map(asked, |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
        let snippets = found.map(|found| {
            let (place, marked): (i64, String) = found?;
            Ok((place.unsigned_abs() as usize, read(&marked)))
        });
        snippets.collect()
    }
}

fn database() -> Result<Connection, Fault> {
    let conn = Connection::open_in_memory()?;
    conn.execute_batch(PAGE)?;
    Ok(conn)
}

/// The beginning of a text, without the characters that mark.
fn without_marks(text: &str) -> String {
    let end = text.floor_char_boundary(limits::SEARCH_MARKED_BYTES);
    text[..end].replace([OPEN, CLOSE], " ")
}

/// Takes the marks out of a text and says where they were.
fn read(marked: &str) -> Snippet {
    let mut snippet = Snippet::default();
    for piece in marked.split(OPEN) {
        let (inside, outside) = piece.split_once(CLOSE).unwrap_or(("", piece));
        if !inside.is_empty() {
            let start = snippet.text.len();
            snippet.marks.push(start..start + inside.len());
        }
        snippet.text.extend([inside, outside]);
    }
    snippet
}

/// The hits with their snippets.
pub(super) fn marked(
    marker: &Marker,
    sought: &Sought<'_>,
    hits: Vec<Bare>,
) -> Result<Vec<Hit>, Fault> {
    let texts: Vec<&str> = hits.iter().map(|bare| bare.words.as_str()).collect();
    let mut snippets: BTreeMap<usize, Snippet> = match sought {
        _ if hits.is_empty() => BTreeMap::new(),
        Sought::Words(expression) => marker.snippets(expression, &texts)?,
        Sought::Terms(terms) => texts
            .iter()
            .map(|text| around(text, terms))
            .enumerate()
            .collect(),
    };
    let hits = hits.into_iter().enumerate().map(|(place, bare)| Hit {
        snippet: snippets
            .remove(&place)
            .unwrap_or_else(|| around(&bare.words, &[])),
        ..bare.hit
    });
    Ok(hits.collect())
}

/// Whether the words have the term in them. Only the case of plain Latin letters does not matter.
pub(super) fn holds(words: &str, term: &str) -> bool {
    if term.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        words
            .to_ascii_lowercase()
            .contains(&term.to_ascii_lowercase())
    } else {
        words.contains(term)
    }
}

/// The characters around the first of the terms, all of them marked; the beginning if there is none.
fn around(text: &str, terms: &[String]) -> Snippet {
    let lower = text.to_ascii_lowercase();
    let terms: Vec<String> = terms.iter().map(|term| term.to_ascii_lowercase()).collect();
    let first = terms.iter().filter_map(|term| lower.find(term)).min();
    let start = first.map_or(0, |first| {
        back(text, first, limits::SEARCH_SNIPPET_CHARS / 3)
    });
    let shown = &text[start..];
    let end = shown.char_indices().nth(limits::SEARCH_SNIPPET_CHARS);
    let shown = &shown[..end.map_or(shown.len(), |(end, _)| end)];
    let before = if start > 0 { LEFT_OUT } else { "" };
    let behind = if end.is_some() { LEFT_OUT } else { "" };
    let marks = occurrences(&lower[start..start + shown.len()], &terms);
    Snippet {
        text: [before, shown, behind].concat(),
        marks: marks
            .map(|mark| mark.start + before.len()..mark.end + before.len())
            .collect(),
    }
}

/// So many characters before a place in the text.
fn back(text: &str, place: usize, chars: usize) -> usize {
    let before = text[..place].char_indices().rev().take(chars).last();
    before.map_or(place, |(start, _)| start)
}

/// Where the terms are: the earliest first, the longest of those that begin together, none across another.
fn occurrences(text: &str, terms: &[String]) -> impl Iterator<Item = Range<usize>> {
    let mut found: Vec<Range<usize>> = terms
        .iter()
        .flat_map(|term| text.match_indices(term.as_str()))
        .map(|(start, term)| start..start + term.len())
        .collect();
    found.sort_by_key(|mark| (mark.start, usize::MAX - mark.end));
    let mut free = 0;
    found.into_iter().filter(move |mark| {
        let apart = mark.start >= free;
        if apart {
            free = mark.end;
        }
        apart
    })
}
