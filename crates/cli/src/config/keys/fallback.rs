//! The keys of `[[agent.fallback]]`: models behind the model.

use super::{Key, Kind};

/// The list.
pub(crate) const FALLBACKS: [&str; 2] = ["agent", "fallback"];

/// Ways in which servers of models speak.
pub(crate) const WIRES: [&str; 2] = ["openai", "anthropic"];

/// The keys of one of them, by their last part.
pub(crate) const FALLBACK: [&Key; 4] = [
    &Key {
        path: "agent.fallback.*.backend",
        kind: Kind::Choice(&WIRES),
        default: None,
        says: "How the server speaks; every `[[agent.fallback]]` needs it. These models are asked in their order when \
               the one of `[agent]` does not answer: its server refuses, stays busy, cannot be reached or breaks off.",
    },
    &Key {
        path: "agent.fallback.*.base_url",
        kind: Kind::Text {
            example: "http://127.0.0.1:9001/v1",
        },
        default: None,
        says: "Where the server is, as with `agent.base_url`.",
    },
    &Key {
        path: "agent.fallback.*.model",
        kind: Kind::Text {
            example: "some-other-model",
        },
        default: None,
        says: "The model, by its name at that server; every `[[agent.fallback]]` needs it.",
    },
    &Key {
        path: "agent.fallback.*.api_key",
        kind: Kind::Secret {
            example: "OTHER_API_KEY",
        },
        default: None,
        says: "What opens the door of that server, as with `agent.api_key`.",
    },
];
