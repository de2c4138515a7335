//! What people read about costs.
//!
//! A cap that is reached is an answer, not a failure: which cap it is, when there is room again, and who can
//! raise it.

use std::fmt::Write as _;

use super::Amount;
use super::caps::{Reached, Which};
use crate::transcript::usage::Micros;

/// What somebody is told in place of an answer.
pub fn reached(why: Reached, model: &str) -> String {
    let (which, cap) = match why {
        Reached::Money(which, cap) => (which, dollars(cap)),
        Reached::Tokens(which, cap) => (which, format!("{cap} tokens")),
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
            "you may spend here in a day",
            "There is room again after midnight",
        ),
        Which::Session => (
            "may be spent in one conversation",
            "Send /new to begin another one",
        ),
    };
    format!(
        "This is as far as I can go for now: one more question to the model could cost more than {cap}, which is \
         the most that {what}. {again}; whoever runs this gateway can raise the cap under `[costs]`."
    )
}

/// What was used, for whoever asks with `/usage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// In the conversation.
    pub session: Amount,
    /// By the person, today.
    pub person: Amount,
    /// What of each may be used, if there is a cap.
    pub caps: super::caps::Caps,
}

/// Tells what was used.
pub fn usage(told: &Told) -> String {
    let mut said = String::new();
    let lines = [
        ("This conversation", told.session, told.caps.session),
        ("You, today", told.person, told.caps.person),
    ];
    for (who, used, cap) in lines {
        let cap = match (cap.micros, cap.tokens) {
            (Some(money), _) => format!(" of {}", dollars(money)),
            (None, Some(tokens)) => format!(" of {tokens} tokens"),
            (None, None) => String::new(),
        };
        let _infallible = writeln!(said, "{who}: {}{cap}", amount(used));
    }
    said + "Costs are estimates from published prices."
}

/// An amount in words; what nobody knows is called so.
pub fn amount(used: Amount) -> String {
    match (used.tokens, used.micros) {
        (0, None) => "nothing yet".to_owned(),
        (tokens, Some(money)) => format!("{tokens} tokens, about {}", dollars(money)),
        (tokens, None) => format!("{tokens} tokens, at a price nobody knows"),
    }
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
