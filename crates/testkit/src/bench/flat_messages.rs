//! `flat-messages`: a message costs the same over 100,000 stored ones as over none.
//!
//! Both stores have the same conversations; in the large one each has a thousand exchanges behind it.

use super::flat::{self, Comparison, Past};
use super::line::Line;
use super::{Bench, Trouble};

const COMPARISON: Comparison = Comparison {
    names: ["flat-messages cpu", "flat-messages bytes"],
    small: Past {
        chats: 100,
        exchanges: 0,
    },
    large: Past {
        chats: 100,
        exchanges: 1000,
    },
    most: [1.3, 1.3],
};

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    flat::compare(&bench.folder, &COMPARISON)
}
