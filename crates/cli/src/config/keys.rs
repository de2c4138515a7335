//! The table of keys: everything `angelia.toml` may hold.
//!
//! Reading the file (`raw`), the schema (`schema`), the effective settings (`show`) and the reference
//! page (`docs`) all go through this one table, so they cannot disagree. What a value means is decided
//! in `resolve`; here stands only its shape, its default and what it is for.

mod access;
mod agent;
mod all;
mod approvals;
mod busy;
mod costs;
mod fallback;
mod mcp;
mod places;
mod platforms;
mod profiles;
mod routes;
mod sessions;
mod speech;
mod stickers;
mod tools;
mod transcription;

pub(crate) use access::{
    ACCESS_ALLOW, ACCESS_ALLOW_IN_GROUPS, ACCESS_BOTS, ACCESS_CHATS, ACCESS_COMMANDS,
    ACCESS_GROUP_COMMANDS, ACCESS_GROUP_OPERATORS, ACCESS_OPERATORS, ACCESS_PAIRING, PAIRINGS,
};
pub(crate) use agent::{
    AGENT_WORKDIR, ANSWER_TOKENS, API_KEY, BACKEND, BACKENDS, BASE_URL, COMMAND, COMMAND_BACKENDS,
    CONTEXT_TOKENS, ENV, FOR, IDLE_TIMEOUT, IMAGES, INPUT, INSTRUCTIONS, MODEL, MODELS, NAMED,
    NAMED_ENV, NAMED_REQUEST, POOL, POOL_MAX, PROMPT_FILE, REQUEST, SIGN_IN, SILENCE, TURN_TIME,
};
pub(crate) use all::KEYS;
pub(crate) use approvals::{APPROVAL_ALLOW, APPROVAL_DENY, APPROVAL_MODE, APPROVAL_TIMEOUT};
pub(crate) use busy::{BUSY_ACKS, BUSY_FOR, BUSY_GATHER, BUSY_MODE};
pub(crate) use costs::{
    COST_PER_DAY, COST_PER_PERSON, COST_PER_SESSION, PRICE, TOKENS_PER_DAY, TOKENS_PER_PERSON,
    TOKENS_PER_SESSION,
};
pub(crate) use fallback::{
    FALLBACK, FALLBACK_REQUEST, FALLBACKS, NAMED_FALLBACK, NAMED_FALLBACK_REQUEST, NAMED_FALLBACKS,
    WIRES,
};
pub(crate) use mcp::{
    EFFECTS, MCP_COMMAND, MCP_DISABLE, MCP_EFFECT, MCP_ENABLE, MCP_ENV, MCP_HEADERS,
    MCP_START_TIMEOUT, MCP_TIMEOUT, MCP_TRUST_ANNOTATIONS, MCP_URL,
};
pub(crate) use places::{
    APPTAINER_IMAGE, CONTAINER_IMAGE, CONTAINER_MOUNTS, CONTAINER_NAME, CONTAINER_NETWORK,
    SSH_HOST, SSH_IDENTITY, SSH_KNOWN_HOSTS, SSH_PORT, SSH_USER, TEMPLATE_COMMAND, TERMINAL,
    TERMINALS,
};
pub(crate) use platforms::{
    API_URL, CLEANUP_PROGRESS, PLATFORM, PLATFORMS, REACTIONS, REPLY_TO_MODE, RUNTIME_FOOTER,
    SHOW_REASONING, STREAMING, TOKEN, TOOL_PROGRESS, VOICE_REPLIES, WEBHOOK_URL,
};
pub(crate) use profiles::{ACTIVE_PROFILE, MULTIPLEX, ROUTES};
pub(crate) use routes::ROUTE;
pub(crate) use sessions::{FORGET_AFTER, PER_USER_IN_GROUPS, PER_USER_IN_THREADS, RESUME_WINDOW};
pub(crate) use speech::{
    SPEECH_COMMAND, SPEECH_KEY, SPEECH_MODEL, SPEECH_TIMEOUT, SPEECH_URL, SPEECH_VOICE,
};
pub(crate) use stickers::{
    STICKERS_COMMAND, STICKERS_DESCRIBE, STICKERS_KEY, STICKERS_MODEL, STICKERS_TIMEOUT,
    STICKERS_URL,
};
pub(crate) use tools::{
    FILES_ROOT, TOOLS_DISABLE, TOOLS_ENABLE, TOOLS_FOR, TOOLS_OF_GUESTS, TOOLS_OF_MEMBERS,
    TOOLS_OF_OPERATORS,
};
pub(crate) use transcription::{
    TRANSCRIPTION_COMMAND, TRANSCRIPTION_KEY, TRANSCRIPTION_MODEL, TRANSCRIPTION_TIMEOUT,
    TRANSCRIPTION_URL,
};

/// One key of the file.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its full name, with `.` between tables; `*` stands for a name the operator chooses, or for the
    /// number of a table in a list.
    pub(crate) path: &'static str,
    /// The shape of its value.
    pub(crate) kind: Kind,
    /// What holds when it is absent, as it would be written; nothing where there is no fixed one.
    pub(crate) default: Option<&'static str>,
    /// What it is for, in one sentence.
    pub(crate) says: &'static str,
}

impl Key {
    /// The last part of its name.
    pub(crate) fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }
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
    /// A whole number.
    Number {
        /// The least.
        from: i64,
        /// The most.
        to: i64,
    },
    /// A platform's id: a string, or the number that it consists of.
    Id {
        /// One that would do.
        example: &'static str,
    },
    /// A word that is not shown, or where it is.
    Secret {
        /// A variable that might hold one.
        example: &'static str,
    },
    /// Anything; whoever reads it understands it.
    Free {
        /// A value that would do, as it would be written.
        example: &'static str,
    },
    /// An amount of money in dollars.
    Dollars,
    /// A list of names.
    Names {
        /// One that would do.
        example: &'static str,
    },
    /// A list of patterns, each on one line.
    Patterns {
        /// One that would do.
        example: &'static str,
    },
    /// A list of strings, each on one line.
    Texts {
        /// One that would do, as it would be written.
        example: &'static str,
    },
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
    says: "Where everything is kept. `sqlite` is the file `angelia.db` in the home; \
           `postgres://USER:PASSWORD@HOST:PORT/DATABASE` is a PostgreSQL server. \
           `ANGELIA_DATABASE` overrides it, and keeps a password out of the file.",
};

pub(crate) const TIME_ZONE: Key = Key {
    path: "time_zone",
    kind: Kind::Text {
        example: "Europe/Berlin",
    },
    default: Some("UTC"),
    says: "The zone of the hours that are set here and of the times that are shown, by its IANA name. \
           Without it, the machine's; `UTC` where that has no name.",
};

/// The keys of one reset policy, by their last part.
pub(crate) const RESET: [&Key; 6] = [
    &Key {
        path: "sessions.reset.mode",
        kind: Kind::Choice(&["none", "idle", "daily", "both"]),
        default: Some("none"),
        says: "When a conversation begins anew by itself: never, after nobody wrote for \
               `idle_minutes`, once a day at `at_hour`, or at whichever comes first.",
    },
    &Key {
        path: "sessions.reset.idle_minutes",
        kind: COUNT,
        default: Some("1440"),
        says: "How many minutes nobody may write, for `idle` and `both`.",
    },
    &Key {
        path: "sessions.reset.at_hour",
        kind: Kind::Number { from: 0, to: 23 },
        default: Some("4"),
        says: "The hour of the day in `time_zone`, for `daily` and `both`.",
    },
    &Key {
        path: "sessions.reset.notify",
        kind: Kind::YesNo,
        default: Some("true"),
        says: "Whether the chat is told that its conversation began anew, and why.",
    },
    &Key {
        path: "sessions.reset.notify_exclude_platforms",
        kind: Kind::Names { example: "api" },
        default: Some("api, webhook"),
        says: "Platforms whose chats are not told, because programs read there.",
    },
    &Key {
        path: "sessions.reset.process_max_age_hours",
        kind: Kind::Number {
            from: 0,
            to: u32::MAX as i64,
        },
        default: Some("24"),
        says: "A conversation whose background command still runs goes on until the command is this \
               old. `0`: as long as it runs.",
    },
];

const COUNT: Kind = Kind::Number {
    from: 1,
    to: u32::MAX as i64,
};

/// A limit above this is one of the machine, which nobody needs to read.
pub(crate) const MANY: i64 = 100_000;

/// What the same keys say below the name of a place.
const AT_A_PLACE: &str = "The same for one place: a platform (`telegram`), a kind of chat (`group`), or \
                          both (`\"telegram.group\"`). The most specific entry holds; what it leaves \
                          out is as in `sessions.reset`.";

macro_rules! at_a_place {
    ($($name:literal = $index:literal),*) => {
        /// The keys of a reset policy for one place.
        pub(crate) const RESET_FOR: [&Key; 6] = [$(&Key {
            path: concat!("sessions.reset_for.*.", $name),
            kind: RESET[$index].kind,
            default: None,
            says: AT_A_PLACE,
        }),*];
    };
}
at_a_place!(
    "mode" = 0,
    "idle_minutes" = 1,
    "at_hour" = 2,
    "notify" = 3,
    "notify_exclude_platforms" = 4,
    "process_max_age_hours" = 5
);

pub(crate) const DRAIN_TIMEOUT: Key = Key {
    path: "drain.timeout",
    kind: Kind::Text { example: "60s" },
    default: Some("60s"),
    says: "How long a stopping gateway lets running turns end by themselves, at most an hour. What \
           is not done by then goes on after the next start.",
};

pub(crate) const RESTART_BY: Key = Key {
    path: "restart.by",
    kind: Kind::Choice(&["itself", "supervisor"]),
    default: Some("itself"),
    says: "Who starts the gateway again after `/restart` and `angelia restart`: the gateway itself, as the same process, \
           or whoever watches it, whom the exit code 75 asks for that.",
};

pub(crate) const TERMINAL_TIMEOUT: Key = Key {
    path: "terminal.timeout",
    kind: Kind::Text { example: "180s" },
    default: Some("180s"),
    says: "How long a command of an agent may take while a turn waits for it, unless the agent asks for \
           another time: at most ten minutes. What takes longer belongs in the background.",
};

pub(crate) const PASS_ENV: Key = Key {
    path: "terminal.pass_env",
    kind: Kind::Names {
        example: "CARGO_HOME",
    },
    default: Some(""),
    says: "Variables of the gateway that commands may see, by name, besides a few harmless ones such as \
           `PATH`. Names that are known as secrets, and the gateway's own, never pass.",
};

pub(crate) const HIDE_IDS: Key = Key {
    path: "privacy.hide_ids",
    kind: Kind::YesNo,
    default: Some("false"),
    says: "Whether agents are told pseudonyms in place of the ids of people and chats, wherever the \
           platform can do without the ids. The key of the pseudonyms is the file `pseudonym-key` in \
           the home.",
};

pub(crate) const NOTIFICATIONS: Key = Key {
    path: "processes.notifications",
    kind: Kind::Choice(&["all", "result", "error", "off"]),
    default: Some("all"),
    says: "What is told of background processes that are looked at from time to time: new output and \
           the end (`all`), the end (`result`), an end that is not a good one (`error`), or nothing \
           (`off`). Ends and words that an agent asked to be told of are told in any case.",
};

pub(crate) const LOG_MIB: Key = Key {
    path: "processes.log_mib",
    kind: Kind::Number {
        from: 1,
        to: 65_536,
    },
    default: Some("64"),
    says: "How much of what one background process says is kept, in units of 1,048,576 bytes: its beginning and \
           its end, with the cut said. It holds for processes that are started from then on.",
};

pub(crate) const NICE: Key = Key {
    path: "processes.nice",
    kind: Kind::Number { from: 0, to: 19 },
    default: Some("10"),
    says: "How far background processes step back behind the gateway when both want the processor: nicer by \
           this much, as `nice` counts it. 0 treats them alike. It holds for processes that are started from then on.",
};

/// The tables of which there may be several, with their numbers for names.
pub(crate) const LISTS: [&str; 3] = [ROUTES, FALLBACKS, NAMED_FALLBACKS];

/// Keys that are named already and do nothing yet. They get an answer of their own, because "unknown"
/// would send people looking for a typing error.
pub(crate) const LATER: [&str; 1] = ["platforms.*.home"];
