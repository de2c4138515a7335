//! Which messages of a reply show what they answer.
//!
//! A reply is tied to the message that it answers, so that in a lively chat people see what is meant. In a topic of a group
//! that is clear by its place. Where to is decided here once, before the reply is planned; the rows carry it.

use serde::Serialize;

use crate::address::{Address, ChatKind};

/// Which parts of a reply quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quoting {
    /// None.
    Off,
    /// The first.
    First,
    /// All.
    All,
}

impl Quoting {
    /// The way of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "off" => Some(Self::Off),
            "first" => Some(Self::First),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

/// The message that a reply answers, and which parts show that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotes {
    message: String,
    quoting: Quoting,
}

impl Quotes {
    /// How a reply quotes the message of this id, which came from `address`; nothing if it does not.
    #[must_use]
    pub fn of(address: &Address, message: &str, quoting: Quoting) -> Option<Self> {
        let is_topic = address.thread.is_some() && address.chat.kind != ChatKind::Dm;
        let is_quoted = quoting != Quoting::Off && !is_topic && !message.is_empty();
        is_quoted.then(|| Self {
            message: message.to_owned(),
            quoting,
        })
    }

    /// What a part quotes, counted from 1.
    #[must_use]
    pub fn at(&self, part: u32) -> Option<&str> {
        let is_quoted = part == 1 || self.quoting == Quoting::All;
        is_quoted.then_some(self.message.as_str())
    }
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
