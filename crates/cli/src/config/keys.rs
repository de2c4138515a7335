//! The table of keys: everything `angelia.toml` may hold.
//!
//! Reading the file (`raw`), the schema (`schema`), the effective settings (`show`) and the reference
//! page (`docs`) all go through this one table, so they cannot disagree. What a value means is decided
//! in `resolve`; here stands only its shape, its default and what it is for.

use angelia_core::address::Platform;

/// One key of the file.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its full name, with `.` between tables; `*` stands for a name the operator chooses.
    pub(crate) path: &'static str,
    /// The shape of its value.
    pub(crate) kind: Kind,
    /// What holds when it is absent, as it would be written; nothing where there is no fixed one.
    pub(crate) default: Option<&'static str>,
    /// What it is for, in one sentence.
    pub(crate) says: &'static str,
}

/// The shape of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string of its own form; the example shows it.
    Text {
        /// A value that would do.
        example: &'static str,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    YesNo,
}

pub(crate) const LISTEN: Key = Key {
    path: "listen",
    kind: Kind::Text {
        example: "127.0.0.1:8787",
    },
    default: Some("127.0.0.1:8787"),
    says: "The address of the console and of the HTTP interface: an IP address and a port.",
};

pub(crate) const DATABASE: Key = Key {
    path: "database",
    kind: Kind::Text { example: "sqlite" },
    default: Some("sqlite"),
    says: "Where everything is kept. `sqlite` is the file `angelia.db` in the home. \
           `ANGELIA_DATABASE` overrides it.",
};

pub(crate) const TIME_ZONE: Key = Key {
    path: "time_zone",
    kind: Kind::Text {
        example: "Europe/Berlin",
    },
    default: None,
    says: "The zone in which times are shown, by its IANA name. Without it, the machine's.",
};

pub(crate) const BACKEND: Key = Key {
    path: "agent.backend",
    kind: Kind::Choice(&["demo"]),
    default: Some("demo"),
    says: "Who answers. `demo` is the built-in agent: deterministic and offline.",
};

pub(crate) const PER_USER_IN_GROUPS: Key = Key {
    path: "sessions.per_user_in_groups",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether each member of a group has a conversation of their own.",
};

pub(crate) const PER_USER_IN_THREADS: Key = Key {
    path: "sessions.per_user_in_threads",
    kind: Kind::YesNo,
    default: Some("false"),
    says: "Whether each member of a thread has a conversation of their own; otherwise a thread is \
           shared. Needs `per_user_in_groups`.",
};

pub(crate) const BUSY_MODE: Key = Key {
    path: "busy.mode",
    kind: Kind::Choice(&["queue", "steer", "interrupt"]),
    default: Some("queue"),
    says: "What a message does while its conversation is being answered: wait for its turn, be \
           taken along by the running turn where the agent can, or end the running turn.",
};

pub(crate) const DRAIN_TIMEOUT: Key = Key {
    path: "drain.timeout",
    kind: Kind::Text { example: "60s" },
    default: Some("60s"),
    says: "How long a stopping gateway lets running turns end by themselves, at most an hour. What \
           is not done by then goes on after the next start.",
};

pub(crate) const PLATFORM: Key = Key {
    path: "platforms.*.platform",
    kind: Kind::Choice(&["local", "web", "api"]),
    default: None,
    says: "The platform of this account; may be left out when the table has the platform's name. \
           `local`, `web` and `api` are always on and need no table.",
};

/// All of them, in the order of the reference page.
pub(crate) const KEYS: [&Key; 9] = [
    &LISTEN,
    &DATABASE,
    &TIME_ZONE,
    &BACKEND,
    &PER_USER_IN_GROUPS,
    &PER_USER_IN_THREADS,
    &BUSY_MODE,
    &DRAIN_TIMEOUT,
    &PLATFORM,
];

/// Keys that are named already and do nothing yet. They get an answer of their own, because "unknown"
/// would send people looking for a typing error.
pub(crate) const LATER: [&str; 9] = [
    "agent.base_url",
    "agent.model",
    "agent.api_key",
    "agent.command",
    "sessions.resume_window",
    "sessions.reset",
    "sessions.reset_for",
    "access",
    "terminal",
];

/// Agents that are named already and cannot be used yet.
pub(crate) const BACKENDS_LATER: [&str; 4] = ["openai", "anthropic", "acp", "exec"];

/// Whether an account may have this name: the platforms of the house have one account each.
pub(crate) fn is_account(name: &str) -> bool {
    Platform::HOUSE.map(Platform::name).contains(&name)
}
