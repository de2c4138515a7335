//! The words by which the simulator recognises a message and a person wherever they turn up.

use angelia_core::address::AccountId;
use angelia_core::inbound::Inbound;

use crate::sim::world;

/// The word that only this message has: `mkeyedc0n12`.
pub fn mark(account: &AccountId, chat: &str, number: u64) -> String {
    format!("m{account}{chat}n{number}")
}

/// The id of the person in a chat.
pub fn person(account: &AccountId, chat: &str) -> String {
    format!("person{account}{chat}")
}

/// The marks within some words, in order.
pub fn within(words: &str) -> impl Iterator<Item = &str> {
    tokens(words).filter(|token| is_of_some(token, "m"))
}

/// What is written in the file that comes with a message. It has no marks: those are in the message itself.
pub fn enclosed(number: u64) -> String {
    format!("what lies in {number}")
}

/// What somebody wrote, without what came with it.
pub fn written(text: &str) -> String {
    let came = ["[file", "what lies in ", "[end of the file]"];
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
    let (written, opened) = text.split_once("\n[file")?;
    let own = written.lines().last().unwrap_or_default();
    let own = own.split_whitespace().next().unwrap_or_default();
    let number = own
        .rsplit('/')
        .next()
        .and_then(|number| number.parse().ok());
    let whole = format!("]\n{}\n[end of the file]", enclosed(number.unwrap_or(0)));
    let is_wrong = !opened.starts_with(": ") && !opened.starts_with(&whole);
    is_wrong.then(|| format!("opened: `{text}` has something else in it"))
}

/// A mark or a person that is not of this chat.
pub fn strange<'a>(words: &'a str, account: &AccountId, chat: &str) -> Option<&'a str> {
    let (own, me) = (format!("m{account}{chat}n"), person(account, chat));
    let is_strange = |token: &&str| {
        (is_of_some(token, "m") && !token.starts_with(&own))
            || (is_of_some(token, "person") && *token != me)
    };
    tokens(words).find(is_strange)
}

fn tokens(words: &str) -> impl Iterator<Item = &str> {
    words.split(|letter: char| !letter.is_ascii_alphanumeric())
}

fn is_of_some(token: &str, kind: &str) -> bool {
    let rest = token.strip_prefix(kind);
    let accounts = world::accounts();
    rest.is_some_and(|rest| accounts.iter().any(|account| rest.starts_with(&account.0)))
}
