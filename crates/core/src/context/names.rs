//! How people and places are named: the one path from an identifier to what is shown.
//!
//! Hiding is active when the operator asks for it and the platform can do without raw ids; where a
//! mention needs the raw id (Discord, Slack …) the agent must see it. Then ids become pseudonyms,
//! and so do names that look like ids. Whoever shows a person or a place asks here, so no place is
//! left out. Topics are shown as they are: they are prose, as messages are.

use super::quote;
use super::redact::{Pseudonyms, looks_like_identifier};

/// Platforms on which nothing the agent writes needs a raw id.
const WITHOUT_RAW_IDS: [&str; 4] = ["bluebubbles", "signal", "telegram", "whatsapp"];

/// What a sender is called who has neither name nor id.
const SOMEONE: &str = "someone";

/// Whether the operator wants identifiers hidden from agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Privacy {
    /// Identifiers are shown.
    #[default]
    Open,
    /// Identifiers are hidden wherever the platform allows it.
    Hidden,
}

/// How names and ids are shown in one conversation.
#[derive(Debug, Clone, Copy)]
pub enum Names<'a> {
    /// As they are.
    Clear,
    /// Identifiers as pseudonyms.
    Hidden(&'a Pseudonyms),
}

/// A sender as the platform describes them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Who<'a> {
    /// The platform's id.
    pub id: Option<&'a str>,
    /// The name they chose.
    pub name: Option<&'a str>,
}

/// A person as shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// By the name they chose.
    Name(String),
    /// By their id or its pseudonym.
    Id(String),
}

impl Shown {
    /// What is shown, of whichever kind.
    pub fn into_text(self) -> String {
        match self {
            Self::Name(text) | Self::Id(text) => text,
        }
    }
}

impl<'a> Names<'a> {
    /// How names are shown on `platform`; `also_safe` are further platforms that declare that they
    /// need no raw ids.
    pub fn on(
        platform: &str,
        privacy: Privacy,
        also_safe: &[&str],
        pseudonyms: &'a Pseudonyms,
    ) -> Self {
        let safe = WITHOUT_RAW_IDS.contains(&platform) || also_safe.contains(&platform);
        match privacy {
            Privacy::Hidden if safe => Self::Hidden(pseudonyms),
            Privacy::Hidden | Privacy::Open => Self::Clear,
        }
    }

    /// The id of a chat, a room or a thread.
    #[must_use]
    pub fn place_id(self, id: &str) -> String {
        match self {
            Self::Clear => id.to_owned(),
            Self::Hidden(pseudonyms) => pseudonyms.chat(id),
        }
    }

    /// The name of a place, or its id if it has none that may be shown.
    #[must_use]
    pub fn place(self, name: Option<&str>, id: &str) -> String {
        let open = given(name).filter(|name| self.may_show(name, &[id]));
        open.map_or_else(|| self.place_id(id), str::to_owned)
    }

    /// The name of a person, or else their id, if they have either.
    #[must_use]
    pub fn person(self, who: Who<'_>) -> Option<Shown> {
        let (name, id) = (given(who.name), given(who.id));
        let open = name.filter(|name| self.may_show(name, &id.into_iter().collect::<Vec<_>>()));
        let by_id = || Some(Shown::Id(self.person_id(id.or(name)?)));
        open.map(|name| Shown::Name(name.to_owned())).or_else(by_id)
    }

    /// What stands before a message in a conversation of several people: `[Ann] `. Brackets in the
    /// name become round, so that nobody can speak as two.
    #[must_use]
    pub fn sender_prefix(self, who: Who<'_>) -> String {
        let shown = self.person(who).map(Shown::into_text);
        let line = quote::inline(shown.as_deref().unwrap_or(SOMEONE));
        format!("[{}] ", line.replace('[', "(").replace(']', ")"))
    }

    fn person_id(self, id: &str) -> String {
        match self {
            Self::Clear => id.to_owned(),
            Self::Hidden(pseudonyms) => pseudonyms.sender(id),
        }
    }

    fn may_show(self, name: &str, ids: &[&str]) -> bool {
        match self {
            Self::Clear => true,
            Self::Hidden(_) => !looks_like_identifier(name, ids),
        }
    }
}

/// A value that shows something. A name of blanks and shapeless characters is no name.
pub(super) fn given(value: Option<&str>) -> Option<&str> {
    value.filter(|text| !quote::Quoted::new(text).is_blank())
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
