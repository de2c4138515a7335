//! The keys of `[[agent.fallback]]`: models behind the model; and the same keys for each `[[agents.NAME.fallback]]`.

use super::{Key, Kind};

/// The list of the main agent, and those of the others.
pub(crate) const FALLBACKS: &str = "agent.fallback";
pub(crate) const NAMED_FALLBACKS: &str = "agents.*.fallback";

/// Ways in which servers of models speak.
pub(crate) const WIRES: [&str; 2] = ["openai", "anthropic"];

const BACKEND: Key = Key {
    path: "agent.fallback.*.backend",
    kind: Kind::Choice(&WIRES),
    default: None,
    says: "How the server speaks; every `[[agent.fallback]]` needs it. These models are asked in their order when \
           the one of `[agent]` does not answer: its server refuses, stays busy, cannot be reached or breaks off.",
};

const BASE_URL: Key = Key {
    path: "agent.fallback.*.base_url",
    kind: Kind::Text {
        example: "http://127.0.0.1:9001/v1",
    },
    default: None,
    says: "Where the server is, as with `agent.base_url`.",
};

const MODEL: Key = Key {
    path: "agent.fallback.*.model",
    kind: Kind::Text {
        example: "some-other-model",
    },
    default: None,
    says: "The model, by its name at that server; every `[[agent.fallback]]` needs it.",
};

const API_KEY: Key = Key {
    path: "agent.fallback.*.api_key",
    kind: Kind::Secret {
        example: "OTHER_API_KEY",
    },
    default: None,
    says: "What opens the door of that server, as with `agent.api_key`.",
};

const ANSWER_TOKENS: Key = Key {
    path: "agent.fallback.*.answer_tokens",
    kind: super::ANSWER_TOKENS.kind,
    default: None,
    says: "The most tokens of one answer, as with `agent.answer_tokens`.",
};

pub(crate) const FALLBACK_REQUEST: Key = Key {
    path: "agent.fallback.*.request.*",
    kind: super::REQUEST.kind,
    default: None,
    says: "What that server is asked besides, as with `agent.request`; nothing of that goes along.",
};

pub(crate) const NAMED_FALLBACK_REQUEST: Key = Key {
    path: "agents.*.fallback.*.request.*",
    kind: super::REQUEST.kind,
    default: None,
    says: OF_A_NAME,
};

/// What these keys say below the name of another agent.
const OF_A_NAME: &str = "The same behind the model of an agent of that name. It has no others: those of `[agent]` are \
                         not asked for it.";

macro_rules! keys {
    ($count:literal: $($name:literal = $key:ident),*) => {
        /// The keys of one of them, by their last part.
        pub(crate) const FALLBACK: [&Key; $count] = [$(&$key),*];

        /// The keys of one behind an agent with a name.
        pub(crate) const NAMED_FALLBACK: [&Key; $count] = [$(&Key {
            path: concat!("agents.*.fallback.*.", $name),
            kind: $key.kind,
            default: None,
            says: OF_A_NAME,
        }),*];
    };
}
keys!(
    5: "backend" = BACKEND,
    "base_url" = BASE_URL,
    "model" = MODEL,
    "api_key" = API_KEY,
    "answer_tokens" = ANSWER_TOKENS
);
