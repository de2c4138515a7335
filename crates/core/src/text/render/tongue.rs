//! How a platform writes: the marks around styles, and the letters that need care.
//!
//! A [`Tongue`] is data and a few small functions; each platform has one, in a file of its own. What is
//! written with it, and where a text is cut, is the same for all: `flow` and `pour`.

use super::document::Style;

/// A platform's way of writing.
pub(super) struct Tongue {
    /// The marks before and behind words of a style; none if the platform does not know it.
    pub(super) style: fn(Style) -> Option<(&'static str, &'static str)>,
    /// The lines before and behind code, given its language.
    pub(super) block: fn(&str) -> (String, String),
    /// The marks around a link's words; none if the address is written behind them.
    pub(super) link: fn(&str) -> Option<(String, String)>,
    /// How quotes are marked.
    pub(super) quote: Quote,
    /// How a heading of a level begins; none if it is written in bold.
    pub(super) heading: fn(usize) -> Option<&'static str>,
    /// What stands before an entry of a list.
    pub(super) bullet: &'static str,
    /// What stands behind the number of an entry.
    pub(super) dot: &'static str,
    /// Writes a letter so that it is shown as it is.
    pub(super) escape: fn(&Letter<'_>, &mut String),
    /// Whether styles are told beside the text.
    pub(super) styles: Styles,
}

/// How quotes are marked.
#[derive(Clone, Copy)]
pub(super) enum Quote {
    /// Every line begins with this.
    Lines(&'static str),
    /// Marks before and behind it.
    Around(&'static str, &'static str),
}

/// Where a platform wants to know styles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Styles {
    /// As marks in the text.
    Marks,
    /// As ranges beside the text.
    Ranges,
}

/// A letter, as people see one, with its surroundings.
pub(super) struct Letter<'t> {
    pub(super) text: &'t str,
    /// What stands before it.
    pub(super) before: Before,
    /// What stands behind it in the same word, with the blank that ends it.
    pub(super) rest: &'t str,
    pub(super) inside: Inside,
}

/// What stands before a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// It begins a line.
    Line,
    /// It begins a word.
    Blank,
    /// A character of the same word.
    Char(char),
}

impl Letter<'_> {
    /// A back-tick in code.
    pub(super) const TICK: Self = Letter {
        text: "`",
        before: Before::Blank,
        rest: "",
        inside: Inside::Code,
    };
}

/// What a letter is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Text,
    /// An address in running text, which platforms find by themselves.
    Address,
    /// Code in a line, or a block of it.
    Code,
}

/// For tongues without any marks.
pub(super) fn no_link(_: &str) -> Option<(String, String)> {
    None
}

/// For tongues without headings of their own.
pub(super) fn no_heading(_: usize) -> Option<&'static str> {
    None
}

/// For tongues in which every letter stands for itself.
pub(super) fn as_it_is(letter: &Letter<'_>, out: &mut String) {
    out.push_str(letter.text);
}

/// For tongues that end a block at the next three back-ticks, whatever stands before them: a character
/// without width keeps three of them in the code apart.
pub(super) fn apart(letter: &Letter<'_>, out: &mut String) {
    if letter.text == "`" && letter.before == Before::Char('`') && letter.inside == Inside::Code {
        out.push('\u{200b}');
    }
    out.push_str(letter.text);
}
