//! What someone typed into a search, made fit for a full-text index.
//!
//! [`clean`] takes away what the index would misread: brackets, colons, lonely quotes and stars, and
//! AND, OR, NOT with nothing beside them. Phrases in quotes stay; words with dots, dashes or underscores
//! become phrases. [`plan`] then says how to look: by words, by groups of three characters, or, for one
//! or two characters of a script that has no blanks, by plain substrings.
//!
//! Which rows may be found is decided in one place, [`Scope::admits`], for all three ways: what a
//! person has undone is found by none of them. It does not search, rank or cut snippets.

use super::entry::Visibility;

/// The most characters of a query that are read.
pub const CHARS_MAX: usize = 2048;

/// Characters of such a script that a group needs.
const GROUP: usize = 3;

/// Stands for a phrase while the rest is cleaned; a query cannot contain it.
const PHRASE: char = '\0';

/// How to look for a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// There is nothing to look for.
    Nothing,
    /// This expression, in the index of words.
    Words(String),
    /// This expression, in the index of groups of three characters.
    Groups(String),
    /// Any of these, in content, tool names and tool calls.
    Substrings(Vec<String>),
}

/// Whether the database has an index of groups of three characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupIndex {
    /// It has one.
    Present,
    /// It has none.
    Absent,
}

/// Which rows may be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Those of the conversation and those that a summary replaced.
    #[default]
    Kept,
    /// All, for someone who looks after the data.
    Everything,
}

impl Scope {
    /// Whether a row may be found. There is no other rule anywhere.
    pub fn admits(self, visibility: Visibility) -> bool {
        match (self, visibility) {
            (Self::Everything, _) | (Self::Kept, Visibility::Visible | Visibility::Compacted) => {
                true
            }
            (Self::Kept, Visibility::Rewound) => false,
        }
    }
}

/// Decides how to look for what someone typed.
pub fn plan(query: &str, groups: GroupIndex) -> Search {
    let cleaned = clean(query);
    if cleaned.is_empty() {
        return Search::Nothing;
    }
    if !needs_groups(&cleaned) {
        return Search::Words(cleaned);
    }
    let words: Vec<&str> = cleaned.split_whitespace().collect();
    if groups == GroupIndex::Present && words.iter().all(|word| forms_groups(word)) {
        return Search::Groups(quoted(&words));
    }
    match substrings(&words) {
        none if none.is_empty() => Search::Nothing,
        some => Search::Substrings(some),
    }
}

/// Whether a text has characters of a script that sets no blanks between words: only such texts need an
/// index of groups.
pub fn needs_groups(text: &str) -> bool {
    // Most texts are told apart at once: none of these characters is ASCII.
    !text.is_ascii() && text.chars().any(is_cjk)
}

/// The alternatives of an expression for groups that have no such characters in them. They are found by
/// their words, in rows of any script.
pub fn plain_alternatives(expression: &str) -> Option<String> {
    let terms: Vec<&str> = expression.split_whitespace().collect();
    let alternatives = terms.split(|term| *term == "OR");
    let plain = alternatives.filter(|terms| !terms.is_empty() && !needs_groups(&terms.concat()));
    let plain: Vec<String> = plain.map(|terms| terms.join(" ")).collect();
    (!plain.is_empty()).then(|| plain.join(" OR "))
}

/// The terms of an expression for groups, without their quotes.
pub fn group_terms(expression: &str) -> Vec<String> {
    let terms: Vec<&str> = expression.split_whitespace().collect();
    substrings(&terms)
}

/// A word without such characters does not matter here; one with them needs enough.
fn forms_groups(word: &str) -> bool {
    let count = word.chars().filter(|char| is_cjk(*char)).count();
    count == 0 || count >= GROUP
}

fn quoted(words: &[&str]) -> String {
    let terms = words.iter().map(|word| match word {
        operator if is_operator(operator) => (*operator).to_owned(),
        term => format!("\"{}\"", term.replace('"', "")),
    });
    let terms: Vec<String> = terms.filter(|term| term != "\"\"").collect();
    terms.join(" ")
}

fn substrings(words: &[&str]) -> Vec<String> {
    let terms = words.iter().filter(|word| !is_operator(word));
    let bare = terms.map(|word| word.replace(['"', '*'], ""));
    bare.filter(|word| !word.is_empty()).collect()
}

fn is_operator(word: &str) -> bool {
    matches!(word, "AND" | "OR" | "NOT")
}

/// Chinese characters, kana and Hangul: scripts whose words are not set apart by blanks, or whose
/// endings are not.
fn is_cjk(char: char) -> bool {
    matches!(char,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{323af}')
}

/// The query without what the index would misread. It may still be an error there, such as two
/// operators in a row; then nothing is found.
pub fn clean(query: &str) -> String {
    let read: String = query
        .chars()
        .take(CHARS_MAX)
        .filter(|char| *char != PHRASE)
        .collect();
    let (text, phrases) = set_phrases_apart(&read);
    let text = without_lone_stars(&without_special(&text));
    let text = quote_compounds(without_dangling(text.trim()));
    put_phrases_back(text.trim(), phrases)
}

/// Every phrase in quotes, and the text with a mark in the place of each.
fn set_phrases_apart(text: &str) -> (String, Vec<&str>) {
    let (mut outside, mut phrases) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, phrase, after)) = next_phrase(rest) {
        outside.push_str(before);
        outside.push(PHRASE);
        phrases.push(phrase);
        rest = after;
    }
    outside.push_str(rest);
    (outside, phrases)
}

fn next_phrase(text: &str) -> Option<(&str, &str, &str)> {
    let (before, opened) = text.split_once('"')?;
    let (phrase, after) = opened.split_once('"')?;
    Some((before, phrase, after))
}

fn put_phrases_back(text: &str, phrases: Vec<&str>) -> String {
    let mut phrases = phrases.into_iter();
    let whole = text.split(PHRASE).enumerate().map(|(place, plain)| {
        let phrase = if place == 0 { None } else { phrases.next() };
        phrase.map_or_else(|| plain.to_owned(), |phrase| format!("\"{phrase}\"{plain}"))
    });
    whole.collect()
}

fn without_special(text: &str) -> String {
    let is_special = |char| matches!(char, '+' | '{' | '}' | '(' | ')' | ':' | '"' | '^');
    text.replace(is_special, " ")
}

/// A star means "beginning with" and needs a word before it; several mean no more than one.
fn without_lone_stars(text: &str) -> String {
    let mut before = ' ';
    let kept = text.chars().filter(|char| {
        let lone = *char == '*' && (before == '*' || before.is_whitespace());
        if !(lone && before.is_whitespace()) {
            before = *char;
        }
        !lone
    });
    kept.collect()
}

/// One operator with nothing before it and one with nothing behind it are removed.
fn without_dangling(text: &str) -> &str {
    let text = match text.split_at(word_end(text)) {
        (first, rest) if is_any_operator(first) => rest.trim_start(),
        _ => text,
    };
    match text.rsplit_once(char::is_whitespace) {
        Some((before, last)) if is_any_operator(last) => before.trim_end(),
        Some(_) | None => text,
    }
}

/// In whatever case: alone at an end, it is no word that anyone looks for.
fn is_any_operator(word: &str) -> bool {
    is_operator(&word.to_ascii_uppercase())
}

/// Puts words in quotes that are joined by a dot, a dash or an underscore: the index would take
/// them apart.
fn quote_compounds(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(compound_end(from));
        out.push_str(before);
        let quote = if is_compound(word) { "\"" } else { "" };
        out.extend([quote, word, quote]);
        rest = after;
    }
    out + rest
}

/// Where the word ends that the text begins with, together with words joined to it.
fn compound_end(text: &str) -> usize {
    let mut end = word_end(text);
    while let Some(joined) = text[end..].strip_prefix(['.', '-']) {
        match word_end(joined) {
            0 => break,
            more => end += 1 + more,
        }
    }
    end
}

fn word_end(text: &str) -> usize {
    text.find(|char| !is_word(char)).unwrap_or(text.len())
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// An underscore joins only when something stands on both sides of it.
fn is_compound(word: &str) -> bool {
    let mut inner = word.chars();
    inner.next();
    inner.next_back();
    inner.any(|char| matches!(char, '.' | '-' | '_'))
}

#[cfg(test)]
#[path = "search_query_tests.rs"]
mod tests;
