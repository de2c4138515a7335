//! What strangers and those who let them in are told.
//!
//! A stranger learns the code and what to do with it: not who runs this, what answers here, or which command
//! lets them in.

use std::fmt::Write as _;

use super::code::{Code, HIDDEN};
use super::grant::{Grant, Holder};
use crate::address::{Address, Platform};
use crate::id::KnockId;
use crate::limits;
use crate::time::Timestamp;
use crate::toolset::Role;

/// The one answer that a stranger gets.
pub fn code(code: &Code) -> String {
    answer(code.reveal())
}

/// The same as it is kept and listed: without the code.
pub fn hidden() -> String {
    answer(HIDDEN)
}

fn answer(code: &str) -> String {
    format!(
        "I do not know you yet. Give this code to whoever runs this bot, within an hour:\n\n{code}\n\n\
         Until then I cannot answer you."
    )
}

/// What somebody is told who was let in.
pub fn welcome() -> String {
    "You have been let in. Write to me again.".to_owned()
}

/// Somebody, as operators see them.
pub fn person(holder: &Holder) -> String {
    let place = place(holder);
    match &holder.name {
        Some(name) => format!("{name} ({place})"),
        None => place,
    }
}

fn place(holder: &Holder) -> String {
    let Holder {
        platform,
        account,
        person,
        ..
    } = holder;
    let own = Platform::name(*platform) == account.0;
    if own {
        format!("{account}:{person}")
    } else {
        format!("{account}:{person} on {}", platform.name())
    }
}

/// What an operator reads who let somebody in.
pub fn granted(grant: &Grant) -> String {
    format!(
        "{} may speak now, as {}. To take that back: /access revoke {}",
        person(&grant.holder),
        grant.role.name(),
        grant.id
    )
}

/// What an operator reads whose code nobody was given.
pub fn wrong_code() -> String {
    "Nobody who waits was given that code. A code holds for an hour; /access lists who waits."
        .to_owned()
}

/// What an operator reads when too many codes were wrong.
pub fn locked() -> String {
    "Too many codes were wrong, so none counts for an hour. /access lists who waits, and \
     /access approve with such an id always works."
        .to_owned()
}

/// What an operator reads who came too late.
pub fn nobody_waits() -> String {
    "Nobody waits there any more. They can write again, and get another code.".to_owned()
}

/// What an operator reads who named no grant.
pub fn no_grant() -> String {
    "Nobody has such a grant. Send /access to see who may speak.".to_owned()
}

/// What an operator reads who took a grant back.
pub fn revoked(called: &str) -> String {
    format!("{called} may speak no more.")
}

/// Who somebody is, and what they may do.
pub fn whoami((address, person): (&Address, &str), role: Role, may: &[&str]) -> String {
    let commands: Vec<String> = may.iter().map(|name| format!("/{name}")).collect();
    format!(
        "You are {}:{person}, {} here. Commands you may use: {}",
        address.account,
        article(role),
        commands.join(" ")
    )
}

const fn article(role: Role) -> &'static str {
    match role {
        Role::Operator => "an operator",
        Role::Member => "a member",
        Role::Guest => "a guest",
    }
}

/// Who waits to be let in, and who was.
pub fn list(waiting: &[(KnockId, &Holder, Timestamp)], grants: &[Grant], now: Timestamp) -> String {
    let mut text = match waiting {
        [] => "Nobody waits to be let in.".to_owned(),
        _ => "Waiting to be let in:".to_owned(),
    };
    for (id, holder, asked_at) in waiting {
        let minutes = now.since(*asked_at).as_ms() / 60_000;
        // A line that cannot be written is no reason to say nothing.
        let _fits = write!(
            text,
            "\n{}, {minutes} min ago: /access approve {id}",
            person(holder)
        );
    }
    if !grants.is_empty() {
        text.push_str("\n\nLet in:");
    }
    for grant in grants.iter().take(limits::LISTED_IN_CHAT) {
        let (whose, role) = (person(&grant.holder), grant.role.name());
        let _fits = write!(
            text,
            "\n{whose}, {role}, by {}: {}",
            grant.given.by, grant.id
        );
    }
    let more = grants.len().saturating_sub(limits::LISTED_IN_CHAT);
    if more > 0 {
        let _fits = write!(text, "\nand {more} more");
    }
    text
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
