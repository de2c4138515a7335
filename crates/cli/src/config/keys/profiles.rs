//! The keys of `[profiles]`: which messages go to which profile.

use super::{Key, Kind};

pub(crate) const MULTIPLEX: Key = Key {
    path: "profiles.multiplex",
    kind: Kind::YesNo,
    default: Some("false"),
    says: "Whether several profiles share this gateway, each with conversations of its own. Otherwise \
           the main one has all of them, whatever else is written here.",
};

pub(crate) const ACTIVE_PROFILE: Key = Key {
    path: "profiles.active",
    kind: Kind::Text { example: "work" },
    default: Some("default"),
    says: "The profile of messages that no route leads elsewhere. `default` is the main one.",
};

/// The table of routes: a list.
pub(crate) const ROUTES: &str = "profiles.routes";
