//! The keys of `[mcp.NAME]`: servers that bring tools.

use super::{Key, Kind};

/// What a call that was cut off may mean.
pub(crate) const EFFECTS: [&str; 3] = ["pure", "keyed", "unknown"];

pub(crate) const MCP_COMMAND: Key = Key {
    path: "mcp.*.command",
    kind: Kind::Texts {
        example: "mcp-server-time",
    },
    default: None,
    says: "An MCP server that is a program of this machine: it and its arguments, without a shell. It runs as \
           long as the gateway. Its tools are called `mcp_NAME__TOOL`.",
};

pub(crate) const MCP_ENV: Key = Key {
    path: "mcp.*.env.*",
    kind: Kind::Secret {
        example: "GITHUB_TOKEN",
    },
    default: None,
    says: "A variable for that program, besides a few harmless ones of the gateway such as `PATH`.",
};

pub(crate) const MCP_URL: Key = Key {
    path: "mcp.*.url",
    kind: Kind::Secret { example: "MCP_URL" },
    default: None,
    says: "An MCP server that is reached over HTTP, in place of `command`. It is treated like a secret, because \
           some servers know their callers by it.",
};

pub(crate) const MCP_HEADERS: Key = Key {
    path: "mcp.*.headers.*",
    kind: Kind::Secret {
        example: "MCP_AUTHORIZATION",
    },
    default: None,
    says: "A header that goes to that address with every request, such as `Authorization`.",
};

pub(crate) const MCP_TIMEOUT: Key = Key {
    path: "mcp.*.timeout",
    kind: Kind::Text { example: "60s" },
    default: Some("60s"),
    says: "How long one call of the server may take, at most ten minutes. Then it is cancelled.",
};

pub(crate) const MCP_START_TIMEOUT: Key = Key {
    path: "mcp.*.start_timeout",
    kind: Kind::Text { example: "30s" },
    default: Some("30s"),
    says: "How long the server may take to start and to list its tools, at most ten minutes. Nothing waits for it.",
};

pub(crate) const MCP_ENABLE: Key = Key {
    path: "mcp.*.enable",
    kind: Kind::Texts {
        example: "get_current_time",
    },
    default: Some(""),
    says: "The tools of the server that are used, by their names there. All of them, if nothing is said.",
};

pub(crate) const MCP_DISABLE: Key = Key {
    path: "mcp.*.disable",
    kind: Kind::Texts {
        example: "convert_time",
    },
    default: Some(""),
    says: "Tools of the server that are not used.",
};

pub(crate) const MCP_EFFECT: Key = Key {
    path: "mcp.*.effect",
    kind: Kind::Choice(&EFFECTS),
    default: Some("unknown"),
    says: "What its tools do, for calls that were cut off: nothing (`pure`) or the same however often (`keyed`), so \
           the call is made again; or anything (`unknown`), so it is not, and the agent is told.",
};

pub(crate) const MCP_TRUST_ANNOTATIONS: Key = Key {
    path: "mcp.*.trust_annotations",
    kind: Kind::YesNo,
    default: Some("false"),
    says: "Whether the server is believed when it says of a tool that it only reads (`pure`) or may be repeated \
           (`keyed`).",
};
