//! What calls of models cost, and how much may be spent.
//!
//! ```text
//! before a call: most it can use ─▶ priced ─▶ caps::decide over what is spent and reserved ─▶ reserved, or an answer
//! after it:      what it did use ─▶ priced ─▶ counted with its step; the reservation goes
//! ```
//!
//! A model whose price nobody knows has no price: its cost is unknown, never zero. Money is whole
//! micro-dollars, always rounded up.
//!
//! Nothing here remembers anything: sums and reservations are rows of the store.

pub mod caps;
pub mod prices;
pub mod words;

use serde::{Deserialize, Serialize};

use crate::transcript::usage::Micros;

/// Tokens, and what they cost if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amount {
    /// How many tokens of all kinds.
    pub tokens: u64,
    /// What they cost; nothing if nobody knows.
    pub micros: Option<Micros>,
}

impl Amount {
    /// Both together. A sum of something known and something unknown is what is known of it.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let micros = match (self.micros, other.micros) {
            (Some(one), Some(other)) => Some(one.plus(other)),
            (one, other) => one.or(other),
        };
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            micros,
        }
    }
}
