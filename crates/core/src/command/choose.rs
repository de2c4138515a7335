//! Which conversation somebody means.
//!
//! Only the conversations of the place are asked, so nobody finds out about others'. A number stands for
//! the conversation of that number; otherwise a whole id, a title, the beginning of an id, and the
//! beginning of a title are tried in this order. A title stands for its latest numbered variant, as in
//! `title::resolve`.

use crate::id::SessionId;
use crate::transcript::title::{self, Title};

/// A conversation that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its id.
    pub id: SessionId,
    /// Its number within the place.
    pub number: usize,
    /// What somebody called it.
    pub title: Option<Title>,
}

/// What is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// This one.
    One(SessionId),
    /// More than one.
    Several,
    /// None.
    Nothing,
}

/// Finds what `wanted` means among the conversations of a place, oldest first.
pub fn choose(wanted: &str, choices: &[Choice]) -> Meant {
    let number = wanted.parse().ok();
    let numbered = |one: &&Choice| Some(one.number) == number;
    if let Some(one) = choices.iter().find(numbered) {
        return Meant::One(one.id);
    }
    by_title(wanted, choices)
        .map(Meant::One)
        .or_else(|| only(choices, |one| begins(&one.id.to_string(), wanted)))
        .or_else(|| only(choices, |one| titled_like(one, wanted)))
        .unwrap_or(Meant::Nothing)
}

fn by_title(wanted: &str, choices: &[Choice]) -> Option<SessionId> {
    let asked = Title::clean(wanted).ok().flatten()?;
    let titles: Vec<Title> = choices.iter().filter_map(|one| one.title.clone()).collect();
    let found = title::resolve(&asked, &titles)?;
    let one = choices.iter().find(|one| one.title.as_ref() == Some(found));
    one.map(|one| one.id)
}

fn titled_like(one: &Choice, wanted: &str) -> bool {
    one.title
        .as_ref()
        .is_some_and(|title| begins(title.as_str(), wanted))
}

fn begins(text: &str, wanted: &str) -> bool {
    !wanted.is_empty() && text.to_lowercase().starts_with(&wanted.to_lowercase())
}

/// The only one that fits; nothing if none does.
fn only(choices: &[Choice], fits: impl Fn(&Choice) -> bool) -> Option<Meant> {
    let mut fitting = choices.iter().filter(|one| fits(one));
    let first = fitting.next()?;
    Some(match fitting.next() {
        None => Meant::One(first.id),
        Some(_) => Meant::Several,
    })
}

#[cfg(test)]
#[path = "choose_tests.rs"]
mod tests;
