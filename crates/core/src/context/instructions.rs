//! What the operator wants of an agent in one place: a platform, a kind of chat, both, or one chat.
//!
//! The most specific entry holds, as with reset policies: `telegram:-100200` (a chat, or the chat that it hangs
//! on) before `telegram.group` before `telegram` before `group`. One entry holds as a whole, so that each can be
//! read alone. An entry without words is none.

use std::collections::BTreeMap;

use crate::session::reset::choose::is_place;

/// What stands before the operator's words, so that an agent knows whose they are.
const WHOSE: &str = "Whoever runs this gateway wants you to know for this place:";

/// What the operator wants, by place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Instructions(BTreeMap<String, String>);

/// The name of an entry names no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPlace(pub String);

impl Instructions {
    /// Reads entries by the names of their places. `platforms` are the names that exist. Every entry that
    /// names no place is reported.
    ///
    /// # Errors
    /// The names that name no place.
    pub fn read(
        entries: BTreeMap<String, String>,
        platforms: &[&str],
    ) -> Result<Self, Vec<NoPlace>> {
        let strange = entries.keys().filter(|name| !names_place(name, platforms));
        let strange: Vec<NoPlace> = strange.cloned().map(NoPlace).collect();
        let says_something = |(_, words): &(String, String)| !words.trim().is_empty();
        match strange.is_empty() {
            true => Ok(Self(entries.into_iter().filter(says_something).collect())),
            false => Err(strange),
        }
    }

    /// What an agent is told in a chat of this platform and kind, if anything. `parent` is the chat that it hangs
    /// on, such as the channel of a thread.
    pub fn at(
        &self,
        platform: &str,
        kind: &str,
        (chat, parent): (&str, Option<&str>),
    ) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let chats = [Some(chat), parent].into_iter().flatten();
        let named = chats.map(|chat| format!("{platform}:{chat}"));
        let wider = [
            format!("{platform}.{kind}"),
            platform.to_owned(),
            kind.to_owned(),
        ];
        let words = named.chain(wider).find_map(|name| self.0.get(&name))?;
        Some(format!("{WHOSE}\n{}", words.trim()))
    }
}

fn names_place(name: &str, platforms: &[&str]) -> bool {
    match name.split_once(':') {
        Some((platform, chat)) => platforms.contains(&platform) && !chat.is_empty(),
        None => is_place(name, platforms),
    }
}

#[cfg(test)]
#[path = "instructions_tests.rs"]
mod tests;
