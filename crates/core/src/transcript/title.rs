//! What a session is called.
//!
//! A title is one line without characters that cannot be seen, at most [`CHARS_MAX`] long, and no two
//! sessions have the same. A session that goes on from another takes the other's title with it. Titles
//! that would be the same are numbered: `plan`, `plan #2`, `plan #3`; asking for `plan` then finds the
//! one that was started last.
//!
//! It does not invent titles from what was said, and it holds no titles: the caller brings them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::lineage::Lineage;
use crate::id::SessionId;

/// The most characters that a title has.
pub const CHARS_MAX: usize = 100;

/// A cleaned title.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Title(String);

/// A title that is too long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the title has {chars} characters; write one of at most {CHARS_MAX}")]
pub struct TooLong {
    chars: usize,
}

impl Title {
    /// Cleans a text into a title: invisible characters go, white space becomes single blanks.
    /// Nothing is left of a text that shows nothing.
    pub fn clean(text: &str) -> Result<Option<Self>, TooLong> {
        let visible: String = text.chars().filter(|char| !is_invisible(*char)).collect();
        let words: Vec<&str> = visible.split_whitespace().collect();
        let title = words.join(" ");
        let chars = title.chars().count();
        if chars > CHARS_MAX {
            return Err(TooLong { chars });
        }
        Ok((!title.is_empty()).then_some(Self(title)))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The title without its number, if it has one.
    fn base(&self) -> &str {
        match self.0.rsplit_once(" #") {
            Some((base, digits)) if is_number(digits) && !base.is_empty() => base,
            Some(_) | None => &self.0,
        }
    }
}

impl fmt::Display for Title {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Controls except the white space among them, and marks that hide, reorder or annotate text.
fn is_invisible(char: char) -> bool {
    let white = matches!(char, '\t' | '\n' | '\r');
    let control = matches!(char, '\0'..='\u{1f}' | '\u{7f}') && !white;
    control
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(char, '\u{feff}' | '\u{fff9}'..='\u{fffc}')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The title for the session after those that are called like `wish`; it is never in use.
pub fn next(wish: &Title, in_use: &[Title]) -> Title {
    let base = wish.base();
    let taken = in_use.iter().any(|title| title.as_str() == base);
    let numbers: Vec<u64> = in_use
        .iter()
        .filter_map(|title| number(title, base))
        .collect();
    if !taken && numbers.is_empty() {
        return Title(base.to_owned());
    }
    // Without a number counts as the first, and one that is too large for us is no number.
    let highest = numbers.into_iter().max().unwrap_or(1).max(1);
    let numbered = format!("{base} #{}", u128::from(highest) + 1);
    fitting(numbered, base, in_use)
}

/// A base that leaves no room for the number is shortened and numbered anew.
fn fitting(numbered: String, base: &str, in_use: &[Title]) -> Title {
    let over = numbered.chars().count().saturating_sub(CHARS_MAX);
    if over == 0 {
        return Title(numbered);
    }
    let room = base.chars().count().saturating_sub(over);
    let shorter: String = base.chars().take(room).collect();
    next(&Title(shorter.trim_end().to_owned()), in_use)
}

/// The number of a variant of this base: zero if it stands there but is none.
fn number(title: &Title, base: &str) -> Option<u64> {
    variant(title, base)?;
    let (_, digits) = title.as_str().rsplit_once(" #")?;
    Some(if is_number(digits) {
        digits.parse().unwrap_or(0)
    } else {
        0
    })
}

/// What stands behind `base #`, if the title begins so; ASCII letters match in either case.
fn variant<'t>(title: &'t Title, base: &str) -> Option<&'t str> {
    let (head, tail) = title.as_str().split_at_checked(base.len())?;
    head.eq_ignore_ascii_case(base)
        .then_some(tail)?
        .strip_prefix(" #")
}

/// The title that is meant by `asked`, among titles by the start of their sessions, oldest first: the
/// last numbered one, else the very same.
pub fn resolve<'t>(asked: &Title, oldest_first: &'t [Title]) -> Option<&'t Title> {
    let mut newest_first = oldest_first.iter().rev();
    newest_first
        .find(|title| variant(title, asked.as_str()).is_some())
        .or_else(|| oldest_first.iter().find(|title| *title == asked))
}

/// The one id that begins with `asked`, unless there are several; an exact one is never ambiguous.
pub fn by_prefix<'i>(asked: &str, ids: &[&'i str]) -> Option<&'i str> {
    let begins = |id: &&&str| !asked.is_empty() && id.starts_with(asked);
    if let Some(exact) = ids.iter().find(|id| **id == asked) {
        return Some(exact);
    }
    let mut found = ids.iter().filter(begins);
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

/// Who gives a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Giver {
    /// Someone who wants it.
    Person,
    /// The gateway, where nobody has given one.
    Automatic,
}

/// Who has the title that is wanted, and what the session is called now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish<'t> {
    /// Who wants it.
    pub giver: Giver,
    /// The session to be named.
    pub session: SessionId,
    /// What it is called so far.
    pub current: Option<&'t Title>,
    /// The session that has the wanted title, if any.
    pub holder: Option<SessionId>,
}

/// What becomes of a wish for a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The session is called so.
    Set,
    /// It is called so, and the one it goes on from no longer is.
    MovesFrom(SessionId),
    /// It keeps the title that someone gave it.
    Keeps,
    /// Another session has the title.
    Taken(SessionId),
}

/// Decides whether a session may be called so.
pub fn claim(wish: &Wish<'_>, lineage: &Lineage) -> Claim {
    if wish.giver == Giver::Automatic && wish.current.is_some() {
        return Claim::Keeps;
    }
    match wish.holder {
        Some(holder) if holder == wish.session => Claim::Set,
        Some(holder) if lineage.continues(wish.session, holder) => Claim::MovesFrom(holder),
        Some(holder) => Claim::Taken(holder),
        None => Claim::Set,
    }
}

#[cfg(test)]
#[path = "title_tests.rs"]
mod tests;
