//! The keys of `[[profiles.routes]]`: which messages go to which profile.

use super::{Key, Kind};

/// The keys of one route, by their last part.
pub(crate) const ROUTE: [&Key; 7] = [
    &Key {
        path: "profiles.routes.*.name",
        kind: Kind::Text { example: "team" },
        default: None,
        says: "What people call the route.",
    },
    &Key {
        path: "profiles.routes.*.platform",
        kind: Kind::Text {
            example: "telegram",
        },
        default: None,
        says: "The platform whose messages it leads; every `[[profiles.routes]]` needs one.",
    },
    &Key {
        path: "profiles.routes.*.profile",
        kind: Kind::Text { example: "work" },
        default: None,
        says: "Where it leads; every `[[profiles.routes]]` needs one. The most specific route that \
               holds counts: a thread before a chat, a chat before a server, then the first.",
    },
    &Key {
        path: "profiles.routes.*.scope",
        kind: Kind::Id { example: "900100" },
        default: None,
        says: "Only messages of this server or workspace (on Discord, the guild).",
    },
    &Key {
        path: "profiles.routes.*.chat",
        kind: Kind::Id { example: "-100200" },
        default: None,
        says: "Only messages of this chat, or of chats that hang on it.",
    },
    &Key {
        path: "profiles.routes.*.thread",
        kind: Kind::Id { example: "17" },
        default: None,
        says: "Only messages of this thread or topic.",
    },
    &Key {
        path: "profiles.routes.*.enabled",
        kind: Kind::YesNo,
        default: Some("true"),
        says: "Whether it counts at all.",
    },
];
