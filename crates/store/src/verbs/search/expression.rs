//! A question for the index of SQLite, put as PostgreSQL reads one.
//!
//! What a question means is fixed by SQLite: words stand beside one another if all are meant, which binds
//! closest; then NOT, AND and OR. A phrase is a row of words, a star lets its last word go on. One that SQLite
//! could not read, such as one with two operators in a row, finds nothing here either.
//!
//! ```text
//! any := all (OR all)*    all := but (AND but)*    but := together (NOT together)*    together := phrase+
//! ```

use super::tokens::{Reader, Tokens, WORD_BYTES_MAX, quoted};
use crate::database::fault::Fault;

/// Stands for a phrase that no text has: one without any word, or with one that is too long to be noted down. Texts do
/// not have this character: it is none.
const NEVER: &str = "'\u{fdd0}'";

/// The question in PostgreSQL's words; nothing if it cannot be read.
pub(super) fn for_postgres(
    reader: &Reader,
    tokens: Tokens,
    expression: &str,
) -> Result<Option<String>, Fault> {
    let Some(pieces) = pieces(expression) else {
        return Ok(None);
    };
    let mut read = Vec::with_capacity(pieces.len());
    for piece in pieces {
        read.push(match piece {
            Piece::Operator(operator) => Item::Operator(operator),
            Piece::Phrase(phrase, last) => Item::Phrase(phrase_of(reader, tokens, phrase, last)?),
        });
    }
    Ok(any(&read))
}

/// What a question is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    And,
    Or,
    Not,
}

/// Whether the last word of a phrase may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Whole,
    GoesOn,
}

enum Piece<'e> {
    Operator(Operator),
    Phrase(&'e str, Last),
}

/// A piece in PostgreSQL's words; a phrase without any word is nothing.
enum Item {
    Operator(Operator),
    Phrase(Option<String>),
}

/// The pieces of a question; nothing if there is a sign in it that means nothing.
fn pieces(expression: &str) -> Option<Vec<Piece<'_>>> {
    let (mut pieces, mut rest) = (Vec::new(), expression.trim_start());
    while let Some(first) = rest.chars().next() {
        let (text, after) = match first {
            '"' => rest[1..].split_once('"')?,
            '*' => {
                let Some(Piece::Phrase(_, last @ Last::Whole)) = pieces.last_mut() else {
                    return None;
                };
                *last = Last::GoesOn;
                rest = rest[1..].trim_start();
                continue;
            }
            char if is_bare(char) => {
                rest.split_at(rest.find(|char| !is_bare(char)).unwrap_or(rest.len()))
            }
            _ => return None,
        };
        pieces.push(match text {
            "AND" if first != '"' => Piece::Operator(Operator::And),
            "OR" if first != '"' => Piece::Operator(Operator::Or),
            "NOT" if first != '"' => Piece::Operator(Operator::Not),
            text => Piece::Phrase(text, Last::Whole),
        });
        rest = after.trim_start();
    }
    Some(pieces)
}

/// What may stand in a word without quotes.
fn is_bare(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || !char.is_ascii()
}

fn phrase_of(
    reader: &Reader,
    tokens: Tokens,
    phrase: &str,
    last: Last,
) -> Result<Option<String>, Fault> {
    let words = reader.read(tokens, phrase)?;
    // Refused by the server in a question, as it would be in a text.
    if words.iter().any(|(word, _)| word.len() > WORD_BYTES_MAX) {
        return Ok(Some(NEVER.to_owned()));
    }
    let words: Vec<String> = words.iter().map(|(word, _)| quoted(word)).collect();
    let star = match last {
        Last::Whole => "",
        Last::GoesOn => ":*",
    };
    Ok((!words.is_empty()).then(|| format!("({}{star})", words.join(" <-> "))))
}

fn any(items: &[Item]) -> Option<String> {
    joined(items, Operator::Or, " | ", &|items| {
        joined(items, Operator::And, " & ", &|items| {
            joined(items, Operator::Not, " & !", &together)
        })
    })
}

/// The parts between the operators of one kind, each read by `inner`.
fn joined(
    items: &[Item],
    operator: Operator,
    sign: &str,
    inner: &dyn Fn(&[Item]) -> Option<String>,
) -> Option<String> {
    let is_it = |item: &Item| matches!(item, Item::Operator(it) if *it == operator);
    let parts: Option<Vec<String>> = items.split(is_it).map(inner).collect();
    let parts = parts?;
    Some(match parts.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(sign)),
    })
}

/// Phrases beside one another; those without words do not matter beside others.
fn together(items: &[Item]) -> Option<String> {
    let mut phrases = Vec::new();
    for item in items {
        match item {
            Item::Operator(_) => return None,
            Item::Phrase(phrase) => phrases.extend(phrase.clone()),
        }
    }
    match (items.len(), phrases.as_slice()) {
        (0, _) => None,
        (_, []) => Some(NEVER.to_owned()),
        (_, [only]) => Some(only.clone()),
        (_, several) => Some(format!("({})", several.join(" & "))),
    }
}

#[cfg(test)]
#[path = "expression_tests.rs"]
mod tests;
