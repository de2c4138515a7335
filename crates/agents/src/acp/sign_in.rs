//! Signing in: some agents begin no conversation before they were told by which of their ways somebody is known.
//!
//! The ways are offered with the greeting. Which one is taken is the operator's choice (`agent.sign_in`); what it
//! needs, such as a key, is among the agent's own variables. Without a choice nothing is tried: most agents know
//! whom they work for by themselves.

use serde_json::{Value, json};

use super::peer::Failure;

/// Ways that are named in an error.
const OFFERED_MAX: usize = 8;

/// Letters of a way that are told.
const WAY_CHARS_MAX: usize = 60;

/// What is asked for to sign in by a way.
pub(super) fn request(method: &str) -> Value {
    json!({ "methodId": method })
}

/// An agent that wants somebody to sign in, in words that follow its name.
pub(super) fn wanted(why: &Failure, told: &Value) -> String {
    let asks = format!("wants somebody to sign in first: {}", why.message);
    match offered(told) {
        None => {
            format!("{asks}; sign in with its own program, or give it its key in `[agent.env]`")
        }
        Some(ways) => format!(
            "{asks}; it offers {ways}: set `agent.sign_in` to one of them, and what it needs in `[agent.env]`"
        ),
    }
}

/// An agent that does not let anybody sign in by the way that was chosen.
pub(super) fn refused(method: &str, why: &Failure, told: &Value) -> String {
    let offers = offered(told).map_or(String::new(), |ways| format!("; it offers {ways}"));
    format!(
        "signing in with `{method}` (`agent.sign_in`) failed: {}{offers}",
        why.message
    )
}

/// The ways that an agent offers, by what `agent.sign_in` calls them.
fn offered(told: &Value) -> Option<String> {
    let ways = told["authMethods"].as_array().into_iter().flatten();
    let short = |text: &str| text.chars().take(WAY_CHARS_MAX).collect::<String>();
    let ways = ways.take(OFFERED_MAX).filter_map(|way| {
        let id = short(way["id"].as_str()?);
        Some(match way["name"].as_str() {
            Some(name) => format!("`{id}` ({})", short(name)),
            None => format!("`{id}`"),
        })
    });
    let ways: Vec<String> = ways.collect();
    (!ways.is_empty()).then(|| ways.join(", "))
}

#[cfg(test)]
#[path = "sign_in_tests.rs"]
mod tests;
