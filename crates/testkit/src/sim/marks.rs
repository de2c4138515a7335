//! The words by which the simulator recognises a message and a person wherever they turn up.
//!
//! All that is said is looked through for them, again and again, so that is done by a program for it and not letter by letter.

use std::sync::LazyLock;

use angelia_core::address::{AccountId, ChatKind};
use angelia_core::inbound::Inbound;
use regex_automata::meta::Regex;

use crate::sim::world;

/// The word that only this message has: `mkeyedc0n12`.
pub fn mark(account: &AccountId, chat: &str, number: u64) -> String {
    format!("m{account}{chat}n{number}")
}

/// The id of the person in a chat.
pub fn person(account: &AccountId, chat: &str) -> String {
    format!("person{account}{chat}")
}

/// What stands behind the id of a group that has become another one.
const BECAME: &str = "anew";

/// The id that a group has once it has become another one.
pub fn became(chat: &str) -> String {
    format!("{chat}{BECAME}")
}

/// What a chat is called here, whichever id it has by now.
pub fn origin(chat: &str) -> &str {
    chat.strip_suffix(BECAME).unwrap_or(chat)
}

/// What kind of chat that is, by what it is called.
pub fn kind(chat: &str) -> ChatKind {
    match chat.starts_with(GROUPS) {
        true => ChatKind::Group,
        false => ChatKind::Dm,
    }
}

/// How the name of a group begins.
pub const GROUPS: char = 'g';

/// The marks within some words, in order.
pub fn within(words: &str) -> impl Iterator<Item = &str> {
    tokens(words).filter(|token| !token.starts_with("person"))
}

/// What is written in the file that comes with a message. It has no marks: those are in the message itself.
pub fn enclosed(number: u64) -> String {
    format!("what lies in {number}")
}

/// What stands behind the words of a file.
const END: &str = "[end of the file]";

/// What somebody wrote, without what came with it.
pub fn written(text: &str) -> String {
    let came = ["[file", "what lies in ", END];
    let is_written = |line: &&str| !came.iter().any(|begin| line.starts_with(begin));
    let lines: Vec<&str> = text.split('\n').filter(is_written).collect();
    lines.join("\n")
}

/// What is wrong with a message as an agent is given it: something in it was not opened, or not as it was.
pub fn unopened(inbound: &Inbound) -> Option<String> {
    let text = &inbound.text;
    if !inbound.attached.is_empty() {
        return Some(format!("opened: `{text}` came to its agent as it arrived"));
    }
    let is_wrong = text.split('\n').enumerate().any(|(at, line)| {
        let whole = || text.split('\n').skip(at + 1).take(2);
        line == "[file]" && !numbers(text).any(|number| whole().eq([&enclosed(number), END]))
    });
    is_wrong.then(|| format!("opened: `{text}` has something else in it"))
}

/// The numbers of the messages whose words stand in a text, each on a line of its own: `keyed/c0/12 mkeyedc0n12`.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let named = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    named.filter_map(|name| name.rsplit('/').next()?.parse().ok())
}

/// A mark or a person that is not of this chat.
pub fn strange<'a>(words: &'a str, account: &AccountId, chat: &str) -> Option<&'a str> {
    let chat = origin(chat);
    let (own, me) = (format!("m{account}{chat}n"), person(account, chat));
    let is_strange = |token: &&str| match token.starts_with("person") {
        true => *token != me,
        false => !token.starts_with(&own),
    };
    tokens(words).find(is_strange)
}

/// What a mark or a person begins with, and what follows.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let accounts = world::accounts().map(|account| account.0).join("|");
    let pattern = format!("(?:m|person)(?:{accounts})[0-9A-Za-z]*");
    Regex::new(&pattern).expect("names are letters")
});

/// The marks and persons within some words, in order.
fn tokens(words: &str) -> impl Iterator<Item = &str> {
    let begins = |at: usize| !words[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
    let found = TOKEN.find_iter(words);
    found
        .filter(move |found| begins(found.start()))
        .map(|found| &words[found.range()])
}
