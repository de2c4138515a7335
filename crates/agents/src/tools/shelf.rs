//! All tools that there are: those of the house and those from elsewhere, and the lists made of them.
//!
//! ```text
//! house + sources ─▶ (choice) ─▶ Toolset    made once for each choice, and again if a source changed its offers
//! ```
//!
//! The order is always the same: the house first, then the sources as they were named, so that a model's
//! server can reuse what it has read. What is more than a request may have is left out at the end, and that is logged.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::toolset::Choice;

use super::HOUSE;
use super::set::{Elsewhere, Maker, Schema, Toolset};
use super::source::{Offer, ToolSource};

/// Letters of a tool's name that every model accepts.
const NAME_CHARS_MAX: usize = 64;

/// What stands between a source and its tool.
const BETWEEN: &str = "__";

/// All tools that there are.
#[derive(Debug, Default)]
pub struct Shelf {
    sources: Vec<Arc<dyn ToolSource>>,
    /// As many as there are kinds of places and roles in the configuration: few.
    prepared: Mutex<BTreeMap<Choice, Prepared>>,
}

/// A list, and what it was made of.
#[derive(Debug)]
struct Prepared {
    offers: Vec<Arc<[Offer]>>,
    set: Toolset,
}

impl Prepared {
    fn is_of(&self, offers: &[Arc<[Offer]>]) -> bool {
        let same = |(one, other)| Arc::ptr_eq(one, other);
        self.offers.iter().zip(offers).all(same)
    }
}

impl Shelf {
    /// The tools of the house, and of these sources.
    #[must_use]
    pub fn new(sources: Vec<Arc<dyn ToolSource>>) -> Self {
        Self {
            sources,
            prepared: Mutex::default(),
        }
    }

    /// The tools that a choice leaves.
    #[must_use]
    pub fn set(&self, choice: &Choice) -> Toolset {
        let offers: Vec<_> = self.sources.iter().map(|source| source.offers()).collect();
        let prepared = self.prepared.lock();
        let mut prepared = prepared.unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = prepared.get(choice).filter(|found| found.is_of(&offers)) {
            return found.set.clone();
        }
        let set = self.made(choice, &offers);
        if set.left_out() > 0 {
            let left_out = set.left_out();
            tracing::warn!(
                left_out,
                "there are more tools than a request may have, so the last of them are not shown"
            );
        }
        let made = Prepared {
            offers,
            set: set.clone(),
        };
        prepared.insert(choice.clone(), made);
        set
    }

    fn made(&self, choice: &Choice, offers: &[Arc<[Offer]>]) -> Toolset {
        let house = HOUSE.into_iter().map(|form| {
            let schema = Schema {
                name: form.name.into(),
                description: form.about.into(),
                parameters: form.schema(),
            };
            (form.family, schema, Maker::House(form))
        });
        let mut taken = BTreeSet::new();
        let elsewhere = self
            .sources
            .iter()
            .zip(offers)
            .flat_map(|(source, offers)| offers.iter().map(move |offer| (source, offer)));
        let elsewhere = elsewhere.map(|(source, offer)| brought(source, offer, &mut taken));
        let all = house.chain(elsewhere);
        let allowed = all.filter(|(family, schema, _)| choice.allows(family, &schema.name));
        Toolset::new(allowed.map(|(_, schema, maker)| (schema, maker)))
    }
}

fn brought<'a>(
    source: &'a Arc<dyn ToolSource>,
    offer: &Offer,
    taken: &mut BTreeSet<String>,
) -> (&'a str, Schema, Maker) {
    let name = free_name(source.name(), &offer.name, taken);
    let schema = Schema {
        name: Cow::Owned(name),
        description: Cow::Owned(offer.description.clone()),
        parameters: offer.parameters.clone(),
    };
    let maker = Maker::Elsewhere(Elsewhere {
        source: source.clone(),
        tool: offer.name.clone(),
        effect: offer.effect,
    });
    (source.name(), schema, maker)
}

/// A name for a tool from elsewhere that models accept and no other tool has. A number tells two apart whose
/// names became the same; it depends on the order of the offers alone.
fn free_name(source: &str, tool: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => letter,
        _ => '_',
    };
    let whole = format!("{source}{BETWEEN}{tool}");
    let whole: String = whole.chars().map(plain).collect();
    let mut name: String = whole.chars().take(NAME_CHARS_MAX).collect();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        let end = format!("_{number}");
        let room = NAME_CHARS_MAX - end.len();
        name = whole.chars().take(room).chain(end.chars()).collect();
    }
    name
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
