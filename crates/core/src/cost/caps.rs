//! How much may be spent: in a day, by one person in a day, in one conversation.
//!
//! Each cap is in dollars, in tokens, or both. A call is allowed if everything that was spent, everything
//! that is reserved, and the most that this one can use stay within every cap together. Where only a short
//! answer fits, it is allowed a short one, down to a length that is still worth asking for: a small cap is
//! used up, not useless. A cap in dollars needs a price: a call of a model without one is not allowed under
//! it, because nobody could say what it would cost.

use super::Amount;
use super::prices::Price;
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

/// A call that somebody wants to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// Tokens that the model is given, at most.
    pub prompt: u64,
    /// Tokens that it may answer with, if there is room for them.
    pub answer: u64,
    /// Tokens of an answer that is still worth asking for.
    pub least: u64,
    /// What the model costs, if anybody knows.
    pub price: Option<Price>,
}

/// A call that may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// Tokens that the model may answer with.
    pub answer: u64,
    /// The most that the call can use.
    pub most: Amount,
}

impl Call {
    /// The most that it can use with an answer of so many tokens.
    pub fn most(&self, answer: u64) -> Amount {
        Amount {
            tokens: self.prompt.saturating_add(answer),
            micros: self.price.map(|price| price.most(self.prompt, answer)),
        }
    }
}

/// Whether a call is allowed, and with how long an answer; if not, the first cap that it would pass.
///
/// # Errors
/// Which cap, and how much it is.
pub fn decide(caps: &Caps, used: &Used, call: &Call) -> Result<Grant, Reached> {
    let room = [
        (Which::Session, caps.session, used.session),
        (Which::Person, caps.person, used.person),
        (Which::Day, caps.day, used.day),
    ];
    let mut answer = call.answer;
    for (which, cap, used) in room {
        answer = answer.min(in_tokens(which, cap, used, call)?);
        answer = answer.min(in_money(which, cap, used, call)?);
    }
    let most = call.most(answer);
    Ok(Grant { answer, most })
}

/// How long an answer a cap in tokens leaves room for.
fn in_tokens(which: Which, cap: Cap, used: Amount, call: &Call) -> Result<u64, Reached> {
    let Some(cap) = cap.tokens else {
        return Ok(u64::MAX);
    };
    let left = cap.checked_sub(used.tokens.saturating_add(call.prompt));
    enough(left, call).ok_or(Reached::Tokens(which, cap))
}

/// How long an answer a cap in money leaves room for.
fn in_money(which: Which, cap: Cap, used: Amount, call: &Call) -> Result<u64, Reached> {
    let Some(cap) = cap.micros else {
        return Ok(u64::MAX);
    };
    let price = call.price.ok_or(Reached::Unpriced(which))?;
    let spent = used.micros.unwrap_or_default().count();
    let left = cap.count().checked_sub(spent);
    let fits = left.and_then(|left| price.fitting(call.prompt, Micros::new(left)));
    enough(fits, call).ok_or(Reached::Money(which, cap))
}

fn enough(fits: Option<u64>, call: &Call) -> Option<u64> {
    fits.filter(|fits| *fits >= call.least.min(call.answer))
}

#[cfg(test)]
#[path = "caps_tests.rs"]
mod tests;
