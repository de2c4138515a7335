//! What a million tokens of a model cost.
//!
//! The table in the binary is data with the day on which it was true; the operator's entries come before
//! it. A model is found by its name, with or without the date of a version; an operator's entry may also be a
//! beginning that ends in `*`, of which the longest counts. A name that nothing fits has no price.
//!
//! Prices change and the table does not know: what it says is an estimate, and is called so.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::transcript::usage::{Cost, Micros, Tokens};

/// The prices that come with this release.
const TABLE: &str = include_str!("prices.json");

/// Tokens that a price is for.
const MILLION: u128 = 1_000_000;

/// What a million tokens cost, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Read by the model.
    pub input: Micros,
    /// Written by the model, reasoning among it.
    pub output: Micros,
    /// Read from a cache.
    pub cache_read: Micros,
    /// Written into a cache.
    pub cache_write: Micros,
}

/// What a million tokens of a model cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Usually.
    pub usual: Rates,
    /// In a call whose prompt has more than so many tokens.
    pub long: Option<(u64, Rates)>,
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

/// An entry of the table of this release.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
struct Published {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    long: Option<Long>,
}

/// What a long prompt costs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
struct Long {
    beyond: u64,
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

impl Written {
    /// The price; nothing if a number is no amount of money.
    pub fn read(self) -> Option<Price> {
        let usual = self.rates()?;
        Some(Price { usual, long: None })
    }

    fn rates(self) -> Option<Rates> {
        let input = Micros::from_dollars(self.input)?;
        let or_input = |written: Option<f64>| written.map_or(Some(input), Micros::from_dollars);
        Some(Rates {
            input,
            output: Micros::from_dollars(self.output)?,
            cache_read: or_input(self.cache_read)?,
            cache_write: or_input(self.cache_write)?,
        })
    }
}

impl Published {
    fn read(self) -> Option<Price> {
        let usual = Written {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_write: self.cache_write,
        };
        let long = match self.long {
            Some(long) => Some((long.beyond, long.rates()?)),
            None => None,
        };
        let usual = usual.rates()?;
        Some(Price { usual, long })
    }
}

impl Long {
    fn rates(self) -> Option<Rates> {
        let written = Written {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_write: self.cache_write,
        };
        written.rates()
    }
}

impl Price {
    /// What these tokens of one call cost, rounded up. Reasoning is part of what was written.
    pub fn of(&self, tokens: &Tokens) -> Micros {
        let rates = self.rates(tokens.prompt());
        let parts = [
            (tokens.input, rates.input),
            (tokens.output, rates.output),
            (tokens.cache_read, rates.cache_read),
            (tokens.cache_write, rates.cache_write),
        ];
        let sum: u128 = parts
            .iter()
            .map(|(count, price)| u128::from(*count) * u128::from(price.count()))
            .sum();
        Micros::new(u64::try_from(sum.div_ceil(MILLION)).unwrap_or(u64::MAX))
    }

    /// The most that a call can cost which reads and writes so many tokens at most: nobody knows before
    /// it what comes from a cache and what goes into one.
    pub fn most(&self, prompt: u64, answer: u64) -> Micros {
        let rates = self.rates(prompt);
        let input = rates.input.max(rates.cache_write).max(rates.cache_read);
        let usual = Rates { input, ..rates };
        let price = Self { usual, long: None };
        price.of(&Tokens {
            input: prompt,
            output: answer,
            ..Tokens::default()
        })
    }

    /// How many tokens of an answer fit into an amount, behind a prompt of so many.
    pub fn fitting(&self, prompt: u64, within: Micros) -> Option<u64> {
        let left = within.count().checked_sub(self.most(prompt, 0).count())?;
        let output = u128::from(self.rates(prompt).output.count());
        let fits = (u128::from(left) * MILLION).checked_div(output);
        Some(fits.map_or(u64::MAX, |fits| u64::try_from(fits).unwrap_or(u64::MAX)))
    }

    fn rates(&self, prompt: u64) -> Rates {
        match self.long {
            Some((beyond, rates)) if prompt > beyond => rates,
            Some(_) | None => self.usual,
        }
    }
}

/// The prices that are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    ours: BTreeMap<String, Price>,
    theirs: BTreeMap<String, Price>,
    as_of: String,
}

#[derive(Deserialize)]
struct Table<P> {
    as_of: String,
    prices: BTreeMap<String, P>,
}

impl Prices {
    /// The operator's prices, and behind them those of this release.
    pub fn new(ours: BTreeMap<String, Price>) -> Self {
        let table: Table<Published> =
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

    /// The day on which the prices of this release were true.
    pub fn as_of(&self) -> &str {
        &self.as_of
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
}

impl Default for Prices {
    fn default() -> Self {
        Self::new(BTreeMap::new())
    }
}

/// The entry of that very name, that of the name without its date, or the longest beginning that fits.
fn fitting<'a>(prices: &'a BTreeMap<String, Price>, model: &str) -> Option<&'a Price> {
    let named = prices.get(model);
    if let Some(price) = named.or_else(|| prices.get(undated(model)?)) {
        return Some(price);
    }
    let begins = |entry: &&String| {
        let beginning = entry.strip_suffix('*');
        beginning.is_some_and(|beginning| model.starts_with(beginning))
    };
    let longest = prices.keys().filter(begins).max_by_key(|entry| entry.len());
    longest.and_then(|entry| prices.get(entry))
}

/// The name of a model without the date of one of its versions: `m-20250929` and `m-2025-09-29` are `m`.
fn undated(model: &str) -> Option<&str> {
    let digits =
        |text: &str, count| text.len() == count && text.bytes().all(|one| one.is_ascii_digit());
    let (rest, last) = model.rsplit_once('-')?;
    if digits(last, 8) {
        return Some(rest);
    }
    let (rest, month) = rest.rsplit_once('-').filter(|_| digits(last, 2))?;
    let (rest, year) = rest.rsplit_once('-').filter(|_| digits(month, 2))?;
    digits(year, 4).then_some(rest)
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
