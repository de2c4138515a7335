//! Secrets in texts that are shown: found by their looks, and hidden.
//!
//! One door: whatever a command was or said goes through [`Masker::shown`] before anybody sees it.
//!
//! ```text
//! text → values this install knows → vendor prefixes → named values → headers → keys and tokens → URLs → phones
//! ```
//!
//! Each pass reads the text once from left to right, so the whole is linear in its length; passes that
//! come later see what earlier ones left. What is hidden keeps a little of both ends if it is long
//! (`shape`), so that people can tell two keys apart. Which passes run depends on the [`Surface`]:
//! `NAME=value` in a program's output is mostly code, in a list of variables it is mostly a secret.
//!
//! Texts that come in pieces go through `pieces`, and those that grow before people's eyes through `growing`: neither
//! tears a secret apart; of one that is kept in part, `tail` has the newest. What stands for a secret is known again by `marks`. Nothing here decides
//! what may leave the house; and looks are no proof: a secret that looks like a word is shown.

mod block;
mod dump;
mod field;
mod growing;
mod header;
pub mod key;
mod marks;
mod named;
mod phone;
pub mod pieces;
mod prefix;
mod rewrite;
mod shape;
mod tail;
mod token;
mod url;

use std::borrow::Cow;
use std::fmt;

pub use dump::{is_dump, surface_of};
pub use growing::{kept_from, newest};
pub use marks::marks;
pub use phone::phone;
pub use shape::{display, log};
pub use tail::Tail;

use crate::limits;

/// Where a text is shown, which says what in it may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Logs, lists of variables, and the words of commands: a value with a telling name is hidden.
    Log,
    /// What a program said, or source: named values are mostly code and stay.
    Output,
    /// As `Output`, for what may be written back: a hidden key cannot be taken for one that works.
    File,
    /// What leaves the house: as `Log`, and no credential inside a URL either.
    Egress,
    /// What an agent says to people: as `Log`, but a telephone number is mostly what they asked for.
    Reply,
    /// A command that somebody is asked about: as `Egress`, but a value that would itself run something
    /// is seen, or a person would agree to what nobody showed.
    Question,
}

impl Surface {
    const fn hides_names(self) -> bool {
        matches!(
            self,
            Self::Log | Self::Reply | Self::Egress | Self::Question
        )
    }

    const fn leaves(self) -> bool {
        matches!(self, Self::Egress | Self::Question)
    }
}

type Pass = fn(&str, Surface) -> Option<String>;

/// In this order: later passes see what earlier ones left.
const PASSES: [Pass; 13] = [
    prefix::pass,
    named::upper_case,
    named::lower_case,
    field::json,
    field::yaml,
    header::authorization,
    header::keys,
    token::telegram,
    block::pass,
    url::pass,
    token::jwt,
    url::form,
    phone::pass,
];

/// Hides secrets by their looks.
#[must_use]
pub fn shown(text: &str, surface: Surface) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for pass in PASSES {
        if let Some(changed) = pass(&text, surface) {
            text = Cow::Owned(changed);
        }
    }
    text
}

/// Hides secrets by their looks, and those of this install whatever they look like.
#[derive(Clone, Default)]
pub struct Masker {
    /// Longest first: one value may be part of another.
    known: Vec<String>,
}

impl fmt::Debug for Masker {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Masker({} known)", self.known.len())
    }
}

impl Masker {
    /// One that knows these values. Very short ones are left out: they stand in any text by chance.
    #[must_use]
    pub fn new(known: impl IntoIterator<Item = String>) -> Self {
        let known = known.into_iter().map(|value| value.trim().to_owned());
        let mut known: Vec<String> = known.filter(|value| is_telling(value)).collect();
        known.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        known.dedup();
        Self { known }
    }

    /// The text as it may be seen there.
    #[must_use]
    pub fn shown<'a>(&self, text: &'a str, surface: Surface) -> Cow<'a, str> {
        let mut hidden = Cow::Borrowed(text);
        for value in &self.known {
            if hidden.contains(value.as_str()) {
                hidden = Cow::Owned(hidden.replace(value.as_str(), shape::HIDDEN));
            }
        }
        match hidden {
            Cow::Borrowed(text) => shown(text, surface),
            Cow::Owned(text) => Cow::Owned(shown(&text, surface).into_owned()),
        }
    }
}

fn is_telling(value: &str) -> bool {
    value.len() >= limits::KNOWN_SECRET_BYTES_MIN
}

#[cfg(test)]
#[path = "mask_tests.rs"]
mod tests;
