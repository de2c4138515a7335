//! What `[costs]` and `[prices]` mean: how much may be spent, and what models cost.

use std::collections::BTreeMap;

use angelia_core::cost::caps::{Cap, Caps};
use angelia_core::cost::prices::{Price, Prices, Written};
use angelia_core::transcript::usage::Micros;

use super::keys::{self, PRICE};
use super::problem::{Place, Problem};
use super::raw::dotted;
use super::resolve::Layers;

/// How much may be spent, and what models cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Costs {
    /// How much may be spent.
    pub(crate) caps: Caps,
    /// What models cost.
    pub(crate) prices: Prices,
}

impl Layers<'_> {
    /// Caps and prices. What is wrong is noted.
    pub(super) fn costs(&mut self) -> Option<Costs> {
        let day = self.written(&keys::COST_PER_DAY, money);
        let person = self.written(&keys::COST_PER_PERSON, money);
        let session = self.written(&keys::COST_PER_SESSION, money);
        let day_tokens = self.written(&keys::TOKENS_PER_DAY, tokens);
        let person_tokens = self.written(&keys::TOKENS_PER_PERSON, tokens);
        let session_tokens = self.written(&keys::TOKENS_PER_SESSION, tokens);
        let cap = |micros, tokens| Cap { micros, tokens };
        Some(Costs {
            caps: Caps {
                day: cap(day, day_tokens),
                person: cap(person, person_tokens),
                session: cap(session, session_tokens),
            },
            prices: self.prices(),
        })
    }

    fn prices(&mut self) -> Prices {
        let tables: Vec<(String, usize)> = self.raw.prices.clone().into_iter().collect();
        let mut prices = BTreeMap::new();
        for (model, line) in tables {
            prices.extend(self.price(&model, line).map(|price| (model, price)));
        }
        Prices::new(prices)
    }

    fn price(&mut self, model: &str, line: usize) -> Option<Price> {
        let [input, output, cache_read, cache_write] = PRICE.map(|key| {
            let path = dotted(&["prices", model, key.name()]);
            self.raw.written.get(&path)?;
            self.pick_at(&path, key, dollars)
        });
        let (Some(input), Some(output)) = (input, output) else {
            let says = format!(
                "`{}` needs `input` and `output`, in dollars for a million tokens",
                dotted(&["prices", model])
            );
            let place = Place::Line(line);
            self.raw.problems.push(Problem { place, says });
            return None;
        };
        let written = Written {
            input,
            output,
            cache_read,
            cache_write,
        };
        written.read()
    }
}

fn dollars(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| format!("must be an amount in dollars such as 2.50; found \"{text}\""))
}

fn money(text: &str) -> Result<Micros, String> {
    let micros = Micros::from_dollars(dollars(text)?);
    micros.ok_or_else(|| format!("must be an amount in dollars such as 2.50; found \"{text}\""))
}

fn tokens(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("must be a whole number, at least 1; found {text}"))
}

#[cfg(test)]
#[path = "costs_tests.rs"]
mod tests;
