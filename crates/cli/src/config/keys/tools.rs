//! The keys of `[tools]`: which tools there are for whom, and where files are.

use super::{Key, Kind};

/// A list of tools.
const TOOLS: Kind = Kind::Names {
    example: "terminal",
};

pub(crate) const TOOLS_ENABLE: Key = Key {
    path: "tools.enable",
    kind: TOOLS,
    default: None,
    says: "The tools that there are: their names, or the names of families such as `files`, or `mcp_NAME` for all \
           that come from the server `[mcp.NAME]`. Without it, all of them.",
};

pub(crate) const TOOLS_DISABLE: Key = Key {
    path: "tools.disable",
    kind: TOOLS,
    default: Some(""),
    says: "Tools that there are not, whatever else is written, by the same names.",
};

/// What the same keys say below the name of a place.
const AT_A_PLACE: &str = "The same for one place: a platform (`telegram`), a kind of chat (`group`), or both \
                          (`\"telegram.group\"`). The most specific entry holds; what it leaves out is as in \
                          `tools`.";

pub(crate) const TOOLS_FOR: [&Key; 2] = [
    &Key {
        path: "tools.for.*.enable",
        kind: TOOLS,
        default: None,
        says: AT_A_PLACE,
    },
    &Key {
        path: "tools.for.*.disable",
        kind: TOOLS,
        default: None,
        says: AT_A_PLACE,
    },
];

macro_rules! for_a_role {
    ($name:ident, $role:literal, $disable:literal, $all:literal) => {
        pub(crate) const $name: [&Key; 2] = [
            &Key {
                path: concat!("tools.roles.", $role, ".enable"),
                kind: TOOLS,
                default: None,
                says: concat!(
                    "Of the tools of a place, those that this role has. Without it, ",
                    $all
                ),
            },
            &Key {
                path: concat!("tools.roles.", $role, ".disable"),
                kind: TOOLS,
                default: Some($disable),
                says: "Of the tools of a place, those that this role does not have.",
            },
        ];
    };
}
for_a_role!(TOOLS_OF_OPERATORS, "operator", "", "all of them.");
for_a_role!(TOOLS_OF_MEMBERS, "member", "", "all of them.");
for_a_role!(
    TOOLS_OF_GUESTS,
    "guest",
    "terminal, process, files",
    "all of the house; those of MCP servers only if they are named here."
);

pub(crate) const FILES_ROOT: Key = Key {
    path: "tools.files.root",
    kind: Kind::Text {
        example: "/srv/work",
    },
    default: None,
    says: "The directory in which files are read and written; beside this file unless the path is absolute. Without \
           it, `workspace` in the home. The gateway's own files may not lie in it.",
};
