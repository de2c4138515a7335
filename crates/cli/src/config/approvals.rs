//! What the `[approvals]` table means: whether people are asked about dangerous commands, for how long,
//! and which commands need no question or get none.

use std::sync::Arc;

use angelia_core::danger::gate::{Mode as Asking, Rules};
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_gateway::approvals::{Choice, Mode};

use super::keys;
use super::raw::{self, PATTERNS_APART};
use super::resolve::Layers;

impl Layers<'_> {
    /// How people are asked. What is wrong is noted.
    pub(super) fn approvals(&mut self) -> Option<Choice> {
        let mode = self.pick(&keys::APPROVAL_MODE, mode);
        let time = self.pick(&keys::APPROVAL_TIMEOUT, time);
        let deny = self.pick(&keys::APPROVAL_DENY, patterns);
        let allow = self.pick(&keys::APPROVAL_ALLOW, patterns);
        let mode = mode?;
        let rules = Rules {
            mode: match mode {
                Mode::Ask | Mode::Deny => Asking::Manual,
                Mode::Off => Asking::Off,
            },
            deny: deny?,
            allow: allow?,
            ..Rules::default()
        };
        Some(Choice {
            mode,
            time: time?,
            rules: Arc::new(rules),
        })
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "ask" => Ok(Mode::Ask),
        "off" => Ok(Mode::Off),
        "deny" => Ok(Mode::Deny),
        _ => {
            let near = raw::suggestion(text, ["ask", "off", "deny"]);
            Err(format!(
                "must be \"ask\", \"off\" or \"deny\"; found \"{text}\"{near}"
            ))
        }
    }
}

fn time(text: &str) -> Result<Span, String> {
    let expected =
        || format!("must be a length of time such as \"90s\" or \"10m\"; found \"{text}\"");
    let length = length::read(text).ok_or_else(expected)?;
    let fits = (limits::APPROVAL_TIME_MIN..=limits::APPROVAL_TIME_MAX).contains(&length);
    let says = || format!("is from 10 seconds to 25 minutes; found \"{text}\"");
    fits.then_some(length).ok_or_else(says)
}

/// A pattern of blanks alone would be one that nobody meant.
fn patterns(text: &str) -> Result<Vec<String>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let all: Vec<&str> = text.split(PATTERNS_APART).map(str::trim).collect();
    if all.contains(&"") {
        return Err("has an empty pattern; remove it".to_owned());
    }
    if all.len() > limits::APPROVAL_PATTERNS_MAX {
        let most = limits::APPROVAL_PATTERNS_MAX;
        return Err(format!("has {} patterns, and may have {most}", all.len()));
    }
    Ok(all.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
#[path = "approvals_tests.rs"]
mod tests;
