//! Whether the gateway lives, whether it serves, and what it does.

use angelia_core::agent::AgentName;
use angelia_core::id::NodeId;
use angelia_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::node::Node;
use super::time::Time;

/// Whether the process lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// `ok`.
    pub status: String,
}

/// A gateway that begins anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restarting {
    /// When the one that goes began: whoever says another time is the next one.
    pub started_at: Time,
}

/// Whether the gateway takes messages now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// `ready`, or what it does instead.
    pub status: Readiness,
    /// What is in the way, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Whether the gateway takes messages now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    /// It does.
    Ready,
    /// Its loops have not looked at the store yet.
    Starting,
    /// It finishes what it has.
    Draining,
    /// It ends.
    Stopping,
    /// It does, but one of its platforms is not connected.
    Degraded,
    /// Its store cannot be used now.
    Unavailable,
    /// Something that this release does not know.
    #[serde(other)]
    Unknown,
}

/// What the gateway does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The release.
    pub version: String,
    /// This boot.
    pub node: NodeId,
    /// The boots that live and share its database, itself among them, newest first.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// The process.
    pub pid: u32,
    /// `running`, `draining` or `stopping`.
    pub phase: String,
    /// When it began.
    pub started_at: Time,
    /// Who answers.
    pub agent: Agent,
    /// All who answer, the main one first.
    #[serde(default)]
    pub agents: Vec<Named>,
    /// The address of the web console.
    pub console: String,
    /// Messages not yet claimed.
    pub waiting: u64,
    /// Open turns.
    pub running: u64,
    /// Deliveries due or being sent.
    pub due: u64,
    /// Deliveries set aside.
    pub wedged: u64,
    /// Conversations stored.
    pub sessions: u64,
    /// When each loop last looked, and what it met.
    pub loops: Vec<Loop>,
    /// The accounts through which people write.
    #[serde(default)]
    pub platforms: Vec<Account>,
    /// Servers that bring tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mcp: Vec<McpServer>,
}

/// An account, and how its connection is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its name.
    pub account: String,
    /// Its platform.
    pub platform: String,
    /// `connected`, `connecting`, `silent` or `down`.
    pub state: String,
    /// What we are called there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the platform last answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<Time>,
    /// Since when it is down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_since: Option<Time>,
    /// Why it is down, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Updates that came and that this release does not know.
    #[serde(default)]
    pub unknown_updates: u64,
}

/// A server that brings tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpServer {
    /// Its name.
    pub name: String,
    /// `starting`, `ready`, `down` or `ended`.
    pub state: String,
    /// Tools that it brings now.
    pub tools: u64,
    /// Tools that it has besides, and that are too many or too long.
    #[serde(default)]
    pub left_out: u64,
    /// Why it is down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The kind of agent.
    pub backend: String,
    /// The model that it usually asks; nothing where the agent itself chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether an operator chose it; `false` while the demo agent stands in.
    pub configured: bool,
}

/// One of those who answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// What it is called: `main`, or its name in the configuration.
    pub name: AgentName,
    /// The kind of agent.
    pub backend: String,
}

/// One loop's last look at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// The loop.
    pub name: String,
    /// When it last looked.
    pub last_run_at: Time,
    /// What went wrong then, if anything.
    pub last_error: Option<String>,
}

impl Loop {
    /// The last look of the loop called `name`.
    pub fn of(name: &str, at: Timestamp, error: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            last_run_at: at.into(),
            last_error: error,
        }
    }
}
