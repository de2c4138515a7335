//! What people read about costs.
//!
//! A cap that is reached is an answer, not a failure: which cap it is, when there is room again, and who can
//! raise it.

use std::fmt::Write as _;

use super::Amount;
use super::caps::{Cap, Caps, Reached, Which};
use crate::transcript::usage::Micros;

/// What somebody is told in place of an answer.
pub fn reached(why: Reached, model: &str) -> String {
    let (which, cap) = match why {
        Reached::Money(which, cap) => (which, dollars(cap)),
        Reached::Tokens(which, cap) => (which, format!("{} tokens", grouped(cap))),
        Reached::Unpriced(_) => {
            return format!(
                "I cannot ask the model {model} now: there is a cap on costs here, and no price is known for \
                 this model. Send /model to choose another one; whoever runs this gateway can add its price \
                 under `[prices]`."
            );
        }
    };
    let (what, again) = match which {
        Which::Day => (
            "everybody here may spend in a day",
            "There is room again after midnight",
        ),
        Which::Person => (
            "one person may spend here in a day",
            "There is room again after midnight",
        ),
        Which::Session => (
            "may be spent in one conversation",
            "Send /new to begin another one",
        ),
    };
    format!(
        "This is as far as I can go for now: {cap} is the most that {what}, and another question to the model \
         could pass it. {again}; /usage shows what was used, and whoever runs this gateway can raise the cap \
         under `[costs]`."
    )
}

/// What was used, and what calls may use or have used of which nobody has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Used.
    pub used: Amount,
    /// How many of these tokens are known to have no price; sums of a day do not tell.
    pub unpriced: u64,
    /// Set aside.
    pub open: Amount,
}

/// What was used, for whoever asks with `/usage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// In the conversation.
    pub session: Share,
    /// By the person, today.
    pub person: Share,
    /// What of each may be used, if there is a cap.
    pub caps: Caps,
}

/// Tells what was used.
pub fn usage(told: &Told) -> String {
    let mut said = String::new();
    let lines = [
        ("This conversation", told.session, told.caps.session),
        ("You, today", told.person, told.caps.person),
    ];
    for (who, share, cap) in lines {
        let (used, rest) = (of_cap(share.used, cap), without_price(share));
        let _infallible = writeln!(said, "{who}: {used}{rest}");
    }
    let open = told.session.open.tokens.max(told.person.open.tokens);
    if open > 0 {
        let most = match told.person.open.micros.max(told.session.open.micros) {
            Some(money) => dollars(money),
            None => format!("{} tokens", grouped(open)),
        };
        let _infallible = writeln!(
            said,
            "Set aside: up to {most}, for calls that are under way or were cut off"
        );
    }
    said + "Costs are estimates from published prices; tokens without a price are not in them."
}

/// An amount in words, and how much of it there may be.
fn of_cap(used: Amount, cap: Cap) -> String {
    if cap == Cap::default() {
        return amount(used);
    }
    let tokens = match cap.tokens {
        Some(cap) => format!("{} of {} tokens", grouped(used.tokens), grouped(cap)),
        None => format!("{} tokens", grouped(used.tokens)),
    };
    let money = match (used.micros, cap.micros) {
        (Some(money), Some(cap)) => format!(", about {} of {}", dollars(money), dollars(cap)),
        (None, Some(cap)) if used.tokens == 0 => format!(", $0.00 of {}", dollars(cap)),
        (None, Some(cap)) => format!(", price unknown, of {}", dollars(cap)),
        (Some(money), None) => format!(", about {}", dollars(money)),
        (None, None) => String::new(),
    };
    tokens + &money
}

/// An amount in words; what nobody knows is called so.
fn amount(used: Amount) -> String {
    match (used.tokens, used.micros) {
        (0, None) => "nothing yet".to_owned(),
        (tokens, Some(money)) => format!("{} tokens, about {}", grouped(tokens), dollars(money)),
        (tokens, None) => format!("{} tokens, price unknown", grouped(tokens)),
    }
}

/// What money does not tell of, so that it is not read as all there was.
fn without_price(share: Share) -> String {
    match (share.used.micros, share.unpriced) {
        (Some(_), 1..) => format!(", and {} tokens without a price", grouped(share.unpriced)),
        (None, _) | (Some(_), 0) => String::new(),
    }
}

/// A number with its thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Money as people write it: cents, and more places only where cents would say nothing.
pub fn dollars(money: Micros) -> String {
    match money.dollars() {
        some if some > 0.0 && some < 0.01 => format!("${some:.4}"),
        some => format!("${some:.2}"),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
