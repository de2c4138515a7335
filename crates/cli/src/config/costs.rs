//! What `[costs]` and `[prices]` mean: how much may be spent, and what models cost.

use std::collections::BTreeMap;

use angelia_core::cost::caps::{Cap, Caps};
use angelia_core::cost::prices::{Price, Prices, Written};
use angelia_core::transcript::usage::Micros;

use super::agent::{Agent, Model};
use super::agents::Agents;
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

impl Costs {
    /// What of the caps cannot be kept by these agents, in words.
    pub(crate) fn doubts(&self, agents: &Agents) -> Vec<String> {
        let caps = [self.caps.day, self.caps.person, self.caps.session];
        if self.caps.is_none() {
            return Vec::new();
        }
        let is_in_dollars = caps.iter().any(|cap| cap.micros.is_some());
        let all = [&agents.main].into_iter().chain(agents.named.values());
        let told = all.flat_map(|agent| match agent {
            Agent::Model(model) if is_in_dollars => self.unpriced(model),
            Agent::Model(_) | Agent::Demo(_) => Vec::new(),
            Agent::Acp(_) | Agent::Exec(_) => vec![NOT_OURS.to_owned()],
        });
        let mut told: Vec<String> = told.collect();
        told.sort();
        told.dedup();
        told
    }

    fn unpriced(&self, model: &Model) -> Vec<String> {
        let others = model.fallback.iter().map(|one| &one.model);
        let names = [&model.model].into_iter().chain(others);
        let unknown = names.filter(|name| self.prices.find(name).is_none());
        let told = unknown.map(|name| {
            format!(
                "there is a cap in dollars and no price for the model {name}, so it is not asked: add \
                 [prices.\"{name}\"] with `input` and `output`, zero for a model of your own"
            )
        });
        told.collect()
    }
}

/// Who is paid elsewhere.
const NOT_OURS: &str = "caps hold for models that this gateway asks itself: what an agent that is a command spends is \
                        not seen here";

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
