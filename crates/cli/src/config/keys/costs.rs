//! The keys of `[costs]` and `[prices]`: how much may be spent, and what models cost.

use super::{Key, Kind};

const TOKENS: Kind = Kind::Number {
    from: 1,
    to: i64::MAX,
};

pub(crate) const COST_PER_DAY: Key = Key {
    path: "costs.per_day",
    kind: Kind::Dollars,
    default: None,
    says: "The most that everybody together may spend on models in one day of `time_zone`, in dollars. It is reserved \
           before each call; a cap in dollars needs the price of the model.",
};

pub(crate) const COST_PER_PERSON: Key = Key {
    path: "costs.per_person_per_day",
    kind: Kind::Dollars,
    default: None,
    says: "The same for each person.",
};

pub(crate) const COST_PER_SESSION: Key = Key {
    path: "costs.per_session",
    kind: Kind::Dollars,
    default: None,
    says: "The same for one conversation, however long it goes on.",
};

pub(crate) const TOKENS_PER_DAY: Key = Key {
    path: "costs.tokens_per_day",
    kind: TOKENS,
    default: None,
    says: "The most tokens of everybody together in one day; no price is needed.",
};

pub(crate) const TOKENS_PER_PERSON: Key = Key {
    path: "costs.tokens_per_person_per_day",
    kind: TOKENS,
    default: None,
    says: "The same for each person.",
};

pub(crate) const TOKENS_PER_SESSION: Key = Key {
    path: "costs.tokens_per_session",
    kind: TOKENS,
    default: None,
    says: "The same for one conversation.",
};

/// The keys of one price, by their last part.
pub(crate) const PRICE: [&Key; 4] = [
    &Key {
        path: "prices.*.input",
        kind: Kind::Dollars,
        default: None,
        says: "What a million tokens that this model reads cost, in dollars. The table's name is that of the model, or \
               its beginning and `*`: `[prices.\"gpt-5*\"]`. It comes before the prices of this release.",
    },
    &Key {
        path: "prices.*.output",
        kind: Kind::Dollars,
        default: None,
        says: "What a million tokens that it writes cost. Every `[prices.NAME]` needs `input` and `output`.",
    },
    &Key {
        path: "prices.*.cache_read",
        kind: Kind::Dollars,
        default: None,
        says: "The same for tokens that come from a cache; without it, as `input`.",
    },
    &Key {
        path: "prices.*.cache_write",
        kind: Kind::Dollars,
        default: None,
        says: "The same for tokens that go into a cache; without it, as `input`.",
    },
];
