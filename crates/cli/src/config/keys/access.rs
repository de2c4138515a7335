//! The keys of `[access]`: who may speak, what strangers get, and who may do what.

use super::{Key, Kind};

pub(crate) const ACCESS_ALLOW: Key = Key {
    path: "access.allow",
    kind: Kind::Texts {
        example: "telegram:12345",
    },
    default: Some(""),
    says: "Who may speak: a platform or an account, a colon, and a person's id; `telegram:*` is everyone there, `*` \
           everyone. The terminal, the console and the HTTP interface have their token and need no entry.",
};

pub(crate) const ACCESS_ALLOW_IN_GROUPS: Key = Key {
    path: "access.allow_in_groups",
    kind: Kind::Texts {
        example: "telegram:12345",
    },
    default: Some(""),
    says: "Who may speak in groups besides, and not alone.",
};

pub(crate) const ACCESS_CHATS: Key = Key {
    path: "access.chats",
    kind: Kind::Texts {
        example: "telegram:-100200",
    },
    default: Some(""),
    says: "Groups in which everyone may speak, by platform or account and the chat's id.",
};

pub(crate) const ACCESS_BOTS: Key = Key {
    path: "access.bots",
    kind: Kind::Texts {
        example: "telegram:67890",
    },
    default: Some(""),
    says: "Other programs whose words are answered, where they speak to us. No list of people lets a program in.",
};

/// What strangers may get.
pub(crate) const PAIRINGS: [&str; 2] = ["direct", "off"];

pub(crate) const ACCESS_PAIRING: Key = Key {
    path: "access.pairing",
    kind: Kind::Choice(&PAIRINGS),
    default: None,
    says: "What a stranger gets who writes alone: a code that an operator can approve (`direct`), or no answer (`off`). \
           Without this key, a code where no list says who may speak, and no answer where one does.",
};

pub(crate) const ACCESS_OPERATORS: Key = Key {
    path: "access.operators",
    kind: Kind::Texts {
        example: "telegram:12345",
    },
    default: Some(""),
    says: "Who runs the gateway: they may speak, use every command, and let others in. Once somebody is named here, \
           the others have only the commands of `access.commands`, `/help` and `/whoami`.",
};

pub(crate) const ACCESS_COMMANDS: Key = Key {
    path: "access.commands",
    kind: Kind::Names { example: "status" },
    default: Some(""),
    says: "The commands of those who are no operators, once there are any. Without an entry, those of \
           `access.group_commands`.",
};

pub(crate) const ACCESS_GROUP_OPERATORS: Key = Key {
    path: "access.group_operators",
    kind: Kind::Texts {
        example: "telegram:12345",
    },
    default: None,
    says: "The operators in groups, in place of `access.operators`.",
};

pub(crate) const ACCESS_GROUP_COMMANDS: Key = Key {
    path: "access.group_commands",
    kind: Kind::Names { example: "status" },
    default: None,
    says: "The commands of the others in groups, in place of `access.commands`.",
};
