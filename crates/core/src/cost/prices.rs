//! What a million tokens of a model cost.
//!
//! The table in the binary is data with the day on which it was true; the operator's entries come before
//! it. A model is found by its name: an entry is a name, or a beginning that ends in `*`. The longest entry
//! that fits counts. A name that nothing fits has no price.
//!
//! Prices change and the table does not know: what it says is an estimate, and is called so.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Amount;
use crate::transcript::usage::{Cost, Micros, Tokens};

/// The prices that come with this release.
const TABLE: &str = include_str!("prices.json");

/// Tokens that a price is for.
const MILLION: u128 = 1_000_000;

/// What a million tokens cost, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Read by the model.
    pub input: Micros,
    /// Written by the model, reasoning among it.
    pub output: Micros,
    /// Read from a cache.
    pub cache_read: Micros,
    /// Written into a cache.
    pub cache_write: Micros,
}

/// A price as it is written, in dollars. What comes from and goes into a cache costs what is read, unless
/// it is said.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// Read by the model.
    pub input: f64,
    /// Written by the model.
    pub output: f64,
    /// Read from a cache.
    pub cache_read: Option<f64>,
    /// Written into a cache.
    pub cache_write: Option<f64>,
}

impl Written {
    /// The price; nothing if a number is no amount of money.
    pub fn read(self) -> Option<Price> {
        let input = Micros::from_dollars(self.input)?;
        let or_input = |written: Option<f64>| written.map_or(Some(input), Micros::from_dollars);
        Some(Price {
            input,
            output: Micros::from_dollars(self.output)?,
            cache_read: or_input(self.cache_read)?,
            cache_write: or_input(self.cache_write)?,
        })
    }
}

impl Price {
    /// What these tokens cost, rounded up. Reasoning is part of what was written.
    pub fn of(&self, tokens: &Tokens) -> Micros {
        let parts = [
            (tokens.input, self.input),
            (tokens.output, self.output),
            (tokens.cache_read, self.cache_read),
            (tokens.cache_write, self.cache_write),
        ];
        let sum: u128 = parts
            .iter()
            .map(|(count, price)| u128::from(*count) * u128::from(price.count()))
            .sum();
        Micros::new(u64::try_from(sum.div_ceil(MILLION)).unwrap_or(u64::MAX))
    }

    /// The most that a call can cost which reads and writes so many tokens at most.
    fn most(&self, prompt: u64, answer: u64) -> Micros {
        let dearest = self.input.max(self.cache_write).max(self.cache_read);
        let all = Self {
            input: dearest,
            ..*self
        };
        all.of(&Tokens {
            input: prompt,
            output: answer,
            ..Tokens::default()
        })
    }
}

/// The prices that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    ours: BTreeMap<String, Price>,
    theirs: BTreeMap<String, Price>,
    as_of: String,
}

#[derive(Serialize, Deserialize)]
struct Table<P> {
    as_of: String,
    prices: BTreeMap<String, P>,
}

impl Prices {
    /// The operator's prices, and behind them those of this release.
    pub fn new(ours: BTreeMap<String, Price>) -> Self {
        let table: Table<Written> =
            serde_json::from_str(TABLE).expect("the table of this release is tested");
        let prices = table.prices.into_iter();
        Self {
            ours,
            theirs: prices
                .filter_map(|(name, written)| Some((name, written.read()?)))
                .collect(),
            as_of: table.as_of,
        }
    }

    /// The price of a model, if it is known.
    pub fn find(&self, model: &str) -> Option<&Price> {
        fitting(&self.ours, model).or_else(|| fitting(&self.theirs, model))
    }

    /// What a call that used these tokens cost, with where that comes from.
    pub fn cost(&self, model: &str, tokens: &Tokens) -> Cost {
        let Some(price) = self.find(model) else {
            return Cost {
                status: Some("unknown".to_owned()),
                ..Cost::default()
            };
        };
        let source = match fitting(&self.ours, model) {
            Some(_) => "configuration".to_owned(),
            None => format!("table of {}", self.as_of),
        };
        Cost {
            estimated: Some(price.of(tokens)),
            status: Some("estimated".to_owned()),
            pricing: Some(source),
            ..Cost::default()
        }
    }

    /// The most that a call can use.
    pub fn most(&self, model: &str, prompt: u64, answer: u64) -> Amount {
        Amount {
            tokens: prompt.saturating_add(answer),
            micros: self.find(model).map(|price| price.most(prompt, answer)),
        }
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self::new(BTreeMap::new())
    }
}

/// The longest entry that fits the name.
fn fitting<'a>(prices: &'a BTreeMap<String, Price>, model: &str) -> Option<&'a Price> {
    if let Some(price) = prices.get(model) {
        return Some(price);
    }
    let begins = |entry: &&String| {
        let beginning = entry.strip_suffix('*');
        beginning.is_some_and(|beginning| model.starts_with(beginning))
    };
    let longest = prices.keys().filter(begins).max_by_key(|entry| entry.len());
    longest.and_then(|entry| prices.get(entry))
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
