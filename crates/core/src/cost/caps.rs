//! How much may be spent: in a day, by one person in a day, in one conversation.
//!
//! Each cap is in dollars, in tokens, or both. A call is allowed if everything that was spent, everything
//! that is reserved by calls under way, and the most that this one can use stay within every cap together.
//! A cap in dollars needs a price: a call of a model without one is not allowed under it, because nobody
//! could say what it would cost.

use super::Amount;
use crate::transcript::usage::Micros;

/// The most of one kind of spending. Nothing: no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cap {
    /// In money.
    pub micros: Option<Micros>,
    /// In tokens.
    pub tokens: Option<u64>,
}

/// All caps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caps {
    /// Of everybody together, in one day.
    pub day: Cap,
    /// Of one person, in one day.
    pub person: Cap,
    /// Of one conversation, for ever.
    pub session: Cap,
}

impl Caps {
    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What is spent or reserved already, by whom the caps ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// By everybody, today.
    pub day: Amount,
    /// By the person, today.
    pub person: Amount,
    /// In the conversation.
    pub session: Amount,
}

/// Which cap is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// That of the day.
    Day,
    /// That of the person.
    Person,
    /// That of the conversation.
    Session,
}

/// Why a call is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// It could cost more than is left.
    Money(Which, Micros),
    /// It could use more tokens than are left.
    Tokens(Which, u64),
    /// There is a cap in money, and nobody knows what the call costs.
    Unpriced(Which),
}

/// Whether a call that uses `most` at most is allowed; if not, the first cap that it would pass.
///
/// # Errors
/// Which cap, and how much it is.
pub fn decide(caps: &Caps, used: &Used, most: Amount) -> Result<(), Reached> {
    check(Which::Session, caps.session, used.session, most)?;
    check(Which::Person, caps.person, used.person, most)?;
    check(Which::Day, caps.day, used.day, most)
}

fn check(which: Which, cap: Cap, used: Amount, most: Amount) -> Result<(), Reached> {
    let all = used.plus(most);
    if let Some(tokens) = cap.tokens
        && all.tokens > tokens
    {
        return Err(Reached::Tokens(which, tokens));
    }
    match (cap.micros, most.micros) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(Reached::Unpriced(which)),
        (Some(cap), Some(_)) if all.micros.is_some_and(|all| all > cap) => {
            Err(Reached::Money(which, cap))
        }
        (Some(_), Some(_)) => Ok(()),
    }
}

#[cfg(test)]
#[path = "caps_tests.rs"]
mod tests;
