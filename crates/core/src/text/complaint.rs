//! Replies that are an error of a model's provider, and what people read instead.
//!
//! An agent sometimes ends with the bare message of a server. It helps nobody in a chat and may carry
//! what nobody should see, so a short text that begins like one is replaced by a sentence that says what
//! happened and what to do. Every other text keeps its words, without secrets. Programs get texts as
//! they are: [`Reader`] says who reads.

use std::borrow::Cow;

use crate::address::Platform;
use crate::mask::{self, Masker, Surface};

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// People in a chat.
    People,
    /// A program or an operator, who wants to know exactly.
    Program,
}

impl Reader {
    /// Who reads on this platform. Those of the house are read by whoever holds its token.
    #[must_use]
    pub fn on(platform: Platform) -> Self {
        match Platform::HOUSE.contains(&platform) {
            true => Self::Program,
            false => Self::People,
        }
    }
}

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The provider does not take our key.
    Authentication,
    /// The provider does not want to answer this.
    Policy,
    /// The provider wants us to wait, or to pay.
    Rate,
    /// Anything else.
    Other,
}

/// An error is short; more is an answer about one.
const CHARS_MAX: usize = 400;
const LINE_BREAKS_MAX: usize = 4;

/// What stands before a key that somebody bears.
const BEARER: &str = "bearer ";

/// Shorter words behind it are words.
const BEARER_BYTES_MIN: usize = 20;

/// How errors begin, in small letters.
const BEGINNINGS: [&str; 7] = [
    "api call failed",
    "api failed after",
    "error code:",
    "provider authentication failed",
    "non-retryable error",
    "rate limited after",
    "api error",
];

const AUTHENTICATION: [&str; 6] = [
    "401",
    "403",
    "authentication",
    "unauthorized",
    "api key",
    "forbidden",
];
const POLICY: [&str; 5] = [
    "moderation",
    "policy",
    "content filter",
    "safety",
    "blocked",
];
const RATE: [&str; 5] = [
    "429",
    "rate limit",
    "rate-limit",
    "quota",
    "too many requests",
];

/// What is shown of a reply.
#[must_use]
pub fn shown(text: &str, reader: Reader) -> Cow<'_, str> {
    match (reader, class(text)) {
        (Reader::Program, _) => Cow::Borrowed(text),
        (Reader::People, Some(class)) => Cow::Borrowed(class.sentence()),
        (Reader::People, None) => without_bearers(mask::shown(text, Surface::Log)),
    }
}

/// What people are shown of a reply that is parted at these places, and where it is parted then. The masker knows what
/// this install keeps to itself.
#[must_use]
pub fn shown_parted(text: &str, breaks: &[usize], masker: &Masker) -> (String, Vec<usize>) {
    if let Some(class) = class(text) {
        return (class.sentence().to_owned(), Vec::new());
    }
    let (mut shown, mut places, mut from) = (String::new(), Vec::new(), 0);
    for place in breaks {
        let piece = text.get(from..*place).unwrap_or_default();
        shown.push_str(&without_secrets(piece, masker));
        places.push(shown.len());
        from += piece.len();
    }
    shown.push_str(&without_secrets(&text[from..], masker));
    (shown, places)
}

fn without_secrets<'t>(text: &'t str, masker: &Masker) -> Cow<'t, str> {
    without_bearers(masker.shown(text, Surface::Reply))
}

/// Hides what follows the word "Bearer", also where no header says that it is a key.
fn without_bearers(text: Cow<'_, str>) -> Cow<'_, str> {
    let small = text.to_ascii_lowercase();
    let tokens = small.match_indices(BEARER).filter_map(|(at, word)| {
        let start = at + word.len();
        let is_part = |char: char| char.is_ascii_alphanumeric() || "._~+/=-".contains(char);
        let len = text[start..].find(|char| !is_part(char));
        let end = len.map_or(text.len(), |len| start + len);
        (end - start >= BEARER_BYTES_MIN).then_some(start..end)
    });
    let mut hidden = String::new();
    let mut at = 0;
    for token in tokens.collect::<Vec<_>>() {
        hidden.push_str(&text[at..token.start]);
        hidden.push_str(&mask::log(&text[token.clone()]));
        at = token.end;
    }
    if at == 0 {
        return text;
    }
    hidden.push_str(&text[at..]);
    Cow::Owned(hidden)
}

/// The kind of error that a text is, if it is one.
#[must_use]
pub fn class(text: &str) -> Option<Class> {
    let text = text.trim();
    let long = text.chars().nth(CHARS_MAX).is_some();
    if long || text.matches('\n').count() > LINE_BREAKS_MAX {
        return None;
    }
    let words = text.to_lowercase();
    let words = words.trim_start_matches(|char: char| !char.is_alphanumeric());
    let begins = BEGINNINGS.iter().any(|begin| words.starts_with(begin));
    let has = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
    begins.then(|| {
        if has(&AUTHENTICATION) {
            Class::Authentication
        } else if has(&POLICY) {
            Class::Policy
        } else if has(&RATE) || words.starts_with("rate limited") {
            Class::Rate
        } else {
            Class::Other
        }
    })
}

impl Class {
    /// What people read.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Authentication => {
                "The model's provider did not accept the access key. Whoever runs this assistant has to renew it."
            }
            Self::Policy => {
                "The model's provider refused to answer this. Saying it in other words may help."
            }
            Self::Rate => {
                "The model's provider has had too many questions for now. Please try again in a while."
            }
            Self::Other => {
                "The model's provider could not answer just now. Please try again; if it stays so, tell whoever runs this assistant."
            }
        }
    }
}

#[cfg(test)]
#[path = "complaint_tests.rs"]
mod tests;
