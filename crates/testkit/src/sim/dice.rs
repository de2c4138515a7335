//! The dice: a small seeded generator, split so that one player's throws do not move another's.

use std::ops::Range;

/// A source of chance that follows from a seed.
#[derive(Debug, Clone)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Dice that follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed ^ 0x5851_f42d_4c95_7f2d,
        }
    }

    /// Dice of their own for the player `name`, the same for the same seed and name.
    pub fn split(&self, name: &str) -> Self {
        let mixed = name.bytes().fold(self.state, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self::new(mixed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from the range.
    pub fn number(&mut self, range: Range<u64>) -> u64 {
        range.start + self.bits() % (range.end - range.start).max(1)
    }

    /// Whether something of `per_mille` chance happens.
    pub fn happens(&mut self, per_mille: u64) -> bool {
        self.number(0..1000) < per_mille
    }
}
