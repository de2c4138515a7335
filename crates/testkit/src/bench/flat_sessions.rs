//! `flat-sessions`: a message costs the same with 50,000 conversations as with 10.
//!
//! Messages fall on all conversations at random, so the large store never finds the page it needs
//! where the last message left it.

use super::flat::{self, Comparison, Past};
use super::line::Line;
use super::{Bench, Trouble};

const COMPARISON: Comparison = Comparison {
    names: ["flat-sessions cpu", "flat-sessions bytes"],
    small: Past {
        chats: 10,
        exchanges: 1,
    },
    large: Past {
        chats: 50_000,
        exchanges: 1,
    },
    most: [1.3, 1.2],
};

pub(super) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    flat::compare(&bench.folder, &COMPARISON)
}
