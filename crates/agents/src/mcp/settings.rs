//! What the operator chose about one MCP server.

use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;

use crate::model::provider::Secret;

/// Letters of a server's name: with a tool's name behind it, models must accept it.
pub const NAME_CHARS_MAX: usize = 24;

/// What the operator chose about one server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Its name: letters, digits, `-` and `_`.
    pub name: String,
    /// Where it is.
    pub way: Way,
    /// How long one call may take.
    pub time: Span,
    /// How long it may take to start and to list its tools.
    pub start_time: Span,
    /// Which of its tools are used.
    pub picks: Picks,
    /// What a crash in the middle of a call means.
    pub effect: EffectClass,
    /// Whether what the server says about that is believed.
    pub hints: Hints,
}

impl Settings {
    /// A server with the usual times, whose tools are all used and may all do anything.
    pub fn new(name: impl Into<String>, way: Way) -> Self {
        Self {
            name: name.into(),
            way,
            time: limits::mcp::CALL_TIME,
            start_time: limits::mcp::START_TIME,
            picks: Picks::default(),
            effect: EffectClass::Unknown,
            hints: Hints::Ignored,
        }
    }
}

/// Where a server is.
#[derive(Debug, Clone)]
pub enum Way {
    /// A program that we start.
    Program {
        /// It and its arguments.
        words: Vec<String>,
        /// Variables for it, besides the harmless ones of the gateway.
        variables: Vec<(String, Secret)>,
    },
    /// Somewhere on the network.
    Address {
        /// Where; a secret, because some servers know their callers by their address.
        url: Secret,
        /// What is sent along with every request.
        headers: Vec<(String, Secret)>,
    },
    /// Nowhere: this is why.
    Nowhere(String),
}

/// Which tools of a server are used, by their names there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picks {
    /// Only these; all, if there are none.
    pub enable: Vec<String>,
    /// None of these.
    pub disable: Vec<String>,
}

impl Picks {
    /// Whether a tool of this name is used.
    pub(super) fn allow(&self, name: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|one| one == name);
        (self.enable.is_empty() || named(&self.enable)) && !named(&self.disable)
    }
}

/// Whether what a server says about the effects of its tools is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints {
    /// A tool that says it only reads is pure, one that may be repeated is keyed.
    Trusted,
    /// Whatever it says, the operator's word holds.
    Ignored,
}
