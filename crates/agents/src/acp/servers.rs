//! The MCP servers of the settings, as an agent is told of them: it talks to them itself.
//!
//! Their secrets travel through the agent's input and stand nowhere. Programs are for every agent; servers on
//! the network are told only to those that can reach them. Which of their tools are used is the agent's own
//! choice.

use serde_json::{Value, json};

use crate::mcp::settings::{Settings, Way};
use crate::model::provider::Secret;

/// The servers, for an agent that can do what `can` says about them.
pub(super) fn described(servers: &[Settings], can: &Value) -> Value {
    let told = servers.iter().filter_map(|server| one(server, can));
    told.collect()
}

fn one(server: &Settings, can: &Value) -> Option<Value> {
    match &server.way {
        Way::Program { words, variables } => {
            let (command, arguments) = words.split_first()?;
            Some(json!({
                "name": server.name, "command": command, "args": arguments, "env": pairs(variables),
            }))
        }
        Way::Address { url, headers } if can["http"] == true => Some(json!({
            "type": "http", "name": server.name, "url": url.reveal(), "headers": pairs(headers),
        })),
        Way::Address { .. } | Way::Nowhere(_) => None,
    }
}

fn pairs(named: &[(String, Secret)]) -> Vec<Value> {
    let pair = |(name, value): &(String, Secret)| json!({ "name": name, "value": value.reveal() });
    named.iter().map(pair).collect()
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
