//! What becomes of a server's list of tools: those that are used, within limits.
//!
//! The order is that of the alphabet, whatever the server's is: models are shown the same list from
//! start to start. What is left out is counted, so that somebody can be told.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use serde_json::{Map, Value};

use super::schema;
use super::settings::{Hints, Settings};
use crate::tools::source::Offer;

/// A tool as its server tells of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) parameters: Map<String, Value>,
    pub(super) claim: Claim,
}

/// What a server says about the effect of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// It only reads.
    Reads,
    /// It may be repeated.
    Repeats,
    /// Nothing that would help.
    Nothing,
}

/// The tools of a server that are used.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Listing {
    pub(super) offers: Arc<[Offer]>,
    /// Tools that would be used and are not, because they are too many or too long.
    pub(super) left_out: usize,
}

impl Listing {
    /// What a crash in the middle of a call of this tool means.
    pub(super) fn effect(&self, tool: &str) -> EffectClass {
        let offered = self.offers.iter().find(|offer| offer.name == tool);
        offered.map_or(EffectClass::Unknown, |offer| offer.effect)
    }
}

/// Picks from what a server told.
pub(super) fn list(mut told: Vec<Told>, settings: &Settings) -> Listing {
    told.sort_by(|one, other| one.name.cmp(&other.name));
    let (mut offers, mut names, mut bytes) = (Vec::new(), BTreeSet::new(), 0);
    let mut left_out = 0;
    for tool in told {
        let is_named = !tool.name.is_empty() && tool.name.len() <= limits::NAME_BYTES_MAX;
        if !is_named || !settings.picks.allow(&tool.name) || !names.insert(tool.name.clone()) {
            continue;
        }
        let offered = offer(tool, settings).filter(|offer| {
            bytes + length(offer) <= limits::mcp::SCHEMAS_BYTES_MAX
                && offers.len() < limits::mcp::TOOLS_MAX
        });
        match offered {
            Some(offer) => {
                bytes += length(&offer);
                offers.push(offer);
            }
            None => left_out += 1,
        }
    }
    Listing {
        offers: offers.into(),
        left_out,
    }
}

fn offer(tool: Told, settings: &Settings) -> Option<Offer> {
    let parameters = schema::object(tool.parameters)?;
    let offer = Offer {
        effect: effect(tool.claim, settings),
        description: shortened(&tool.description),
        name: tool.name,
        parameters,
    };
    (offer.parameters.to_string().len() <= limits::mcp::SCHEMA_BYTES_MAX).then_some(offer)
}

fn effect(claim: Claim, settings: &Settings) -> EffectClass {
    match (settings.hints, claim) {
        (Hints::Trusted, Claim::Reads) => EffectClass::Pure,
        (Hints::Trusted, Claim::Repeats) => EffectClass::Keyed,
        (Hints::Trusted, Claim::Nothing) | (Hints::Ignored, _) => settings.effect,
    }
}

fn shortened(description: &str) -> String {
    let chars = description.trim().chars();
    chars.take(limits::mcp::DESCRIPTION_CHARS_MAX).collect()
}

fn length(offer: &Offer) -> usize {
    offer.name.len() + offer.description.len() + offer.parameters.to_string().len()
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
