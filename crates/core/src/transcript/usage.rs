//! What a session has used: tokens, calls and money.
//!
//! An agent tells after each call what it used (an increment), or from time to time what it used in all
//! (an absolute number, which takes the place of the sum). The session's total follows both; the rows by
//! model follow increments only, because an absolute number does not say which model it is about.
//! Calls beside the conversation (naming it, looking at a picture) have rows of their own and are no
//! part of the total.
//!
//! Money is whole micro-dollars: sums of fractions would drift. Numbers stop at their largest value
//! instead of beginning again at zero.
//!
//! It does not know prices and stops nobody.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Millionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(u64);

impl Micros {
    /// So many millionths.
    pub const fn new(micros: u64) -> Self {
        Self(micros)
    }

    /// The nearest amount to one that was told in dollars; nothing if it is no amount of money.
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        let micros = (dollars * 1e6).round();
        // Casting cuts what is too large to the largest amount.
        (micros >= 0.0).then_some(Self(micros as u64))
    }

    /// The amount in dollars, for whoever reads numbers.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The whole number that is stored.
    pub const fn count(self) -> u64 {
        self.0
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "${}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// How much was used, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Read by the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written into a cache.
    pub cache_write: u64,
    /// Spent on reasoning.
    pub reasoning: u64,
}

impl Tokens {
    /// All that the model was given: read anew, from a cache, or into one.
    pub fn prompt(self) -> u64 {
        let cached = self.cache_read.saturating_add(self.cache_write);
        self.input.saturating_add(cached)
    }

    /// All of them. Reasoning is part of what was written.
    pub fn all(self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

/// Who is paid for a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Billing {
    /// The provider.
    pub provider: Option<String>,
    /// Where it is reached.
    pub base_url: Option<String>,
    /// By which arrangement.
    pub mode: Option<String>,
}

impl Billing {
    fn or(self, other: Self) -> Self {
        Self {
            provider: self.provider.or(other.provider),
            base_url: self.base_url.or(other.base_url),
            mode: self.mode.or(other.mode),
        }
    }
}

/// What it cost, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// Worked out from prices.
    pub estimated: Option<Micros>,
    /// Told by the provider.
    pub actual: Option<Micros>,
    /// How sure it is, in the provider's words.
    pub status: Option<String>,
    /// Where the number comes from.
    pub source: Option<String>,
    /// Which prices were used.
    pub pricing: Option<String>,
}

impl Cost {
    fn plus(self, told: Self) -> Self {
        let sum = |a: Option<Micros>, b: Option<Micros>| match (a, b) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            (one, other) => one.or(other),
        };
        Self {
            estimated: sum(self.estimated, told.estimated),
            actual: sum(self.actual, told.actual),
            ..self.words_of(told)
        }
    }

    fn replaced(self, told: Self) -> Self {
        Self {
            estimated: told.estimated,
            actual: told.actual.or(self.actual),
            ..self.words_of(told)
        }
    }

    /// What was said last stands.
    fn words_of(self, told: Self) -> Self {
        Self {
            status: told.status.or(self.status),
            source: told.source.or(self.source),
            pricing: told.pricing.or(self.pricing),
            ..Self::default()
        }
    }
}

/// Who is paid for the calls of an agent that keeps a history of its own.
pub const OWN_HISTORY: &str = "acp";

/// A sum of tokens, calls and costs, and whom it is owed to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// The model that ran.
    pub model: Option<String>,
    /// Who is paid.
    pub billing: Billing,
    /// How much was used.
    pub tokens: Tokens,
    /// How many calls.
    pub calls: u64,
    /// What it cost.
    pub cost: Cost,
}

impl Usage {
    /// Whether anything was used.
    pub fn is_accounted(&self) -> bool {
        self.calls > 0 || self.tokens != Tokens::default()
    }

    /// How large the prompt of a call was, if it was made of the rows of the conversation; zero where nobody told. What an
    /// agent reads that keeps a history of its own says nothing of them.
    pub fn prompt_of_rows(&self) -> u64 {
        match self.billing.provider.as_deref() {
            Some(OWN_HISTORY) => 0,
            Some(_) | None => self.tokens.prompt(),
        }
    }

    /// The total after one more call.
    #[must_use]
    pub fn plus(self, told: Self) -> Self {
        let (model, billing) = self.owed_to(&told);
        Self {
            model,
            billing,
            tokens: self.tokens.plus(told.tokens),
            calls: self.calls.saturating_add(told.calls),
            cost: self.cost.plus(told.cost),
        }
    }

    /// The total after an absolute number was told.
    #[must_use]
    pub fn replaced(self, told: Self) -> Self {
        let (model, billing) = self.owed_to(&told);
        Self {
            model,
            billing,
            tokens: told.tokens,
            calls: told.calls,
            cost: self.cost.replaced(told.cost),
        }
    }

    /// The first model and provider stay; until something was used they were only a plan, which the
    /// first call may correct. A call that used nothing names nobody to be paid.
    fn owed_to(&self, told: &Self) -> (Option<String>, Billing) {
        let (ours, theirs) = (
            (self.model.clone(), self.billing.clone()),
            (told.model.clone(), told.billing.clone()),
        );
        match (self.is_accounted(), told.is_accounted()) {
            (false, true) => (theirs.0.or(ours.0), theirs.1.or(ours.1)),
            (true, true) => (ours.0.or(theirs.0), ours.1.or(theirs.1)),
            (_, false) => (ours.0.or(theirs.0), ours.1),
        }
    }
}

/// Which row by model a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The model.
    pub model: String,
    /// The provider.
    pub provider: String,
    /// Where it was reached.
    pub base_url: String,
    /// By which arrangement.
    pub mode: String,
    /// What the call was for; empty for the conversation itself.
    pub task: String,
}

impl Line {
    /// The line of a call of the conversation: what the call does not say is as with the total.
    pub fn of_call(told: &Usage, total: &Usage) -> Self {
        let billing = told.billing.clone().or(total.billing.clone());
        let model = told.model.clone().or_else(|| total.model.clone());
        Self::named(model, billing, "")
    }

    /// The line of a call beside the conversation, which has nothing to do with its model.
    pub fn of_task(told: &Usage, task: &str) -> Self {
        Self::named(told.model.clone(), told.billing.clone(), task)
    }

    fn named(model: Option<String>, billing: Billing, task: &str) -> Self {
        Self {
            model: model.unwrap_or_else(|| "unknown".to_owned()),
            provider: billing.provider.unwrap_or_default(),
            base_url: billing.base_url.unwrap_or_default(),
            mode: billing.mode.unwrap_or_default(),
            task: task.to_owned(),
        }
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
