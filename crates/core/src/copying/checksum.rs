//! What a table holds, as one number that both engines agree on.
//!
//! ```text
//! cells ──canonical bytes──▶ SHA-256 of a row ──added up──▶ Sum: how many rows, and all of their hashes
//! ```
//!
//! The hashes of rows are added, not chained: the two engines sort some texts differently (the character zero is
//! written with a sign on PostgreSQL), and a sum is the same in any order. Each cell is written with its kind and its
//! length, so no two rows read alike.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// What stands in one place of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'c> {
    /// Nothing.
    Nothing,
    /// A whole number.
    Number(i64),
    /// Words.
    Text(&'c str),
    /// Bytes.
    Bytes(&'c [u8]),
}

/// The hash of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowHash([u8; 32]);

impl RowHash {
    /// The hash of a row with these cells, in order.
    pub fn of<'c>(cells: impl IntoIterator<Item = Cell<'c>>) -> Self {
        let mut hash = Sha256::new();
        for cell in cells {
            match cell {
                Cell::Nothing => hash.update([0]),
                Cell::Number(number) => {
                    hash.update([1]);
                    hash.update(number.to_be_bytes());
                }
                Cell::Text(text) => long(&mut hash, 2, text.as_bytes()),
                Cell::Bytes(bytes) => long(&mut hash, 3, bytes),
            }
        }
        Self(hash.finalize().into())
    }
}

fn long(hash: &mut Sha256, kind: u8, bytes: &[u8]) {
    hash.update([kind]);
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}

/// Rows added up: how many, and their hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    rows: u64,
    /// The sum of all hashes, the lowest part first; what does not fit is dropped.
    parts: [u128; 2],
}

impl Sum {
    /// Adds a row.
    pub fn add(&mut self, row: RowHash) {
        let (high, low) = row.0.split_at(16);
        let number = |half: &[u8]| {
            half.iter()
                .fold(0, |sum, byte| sum << 8 | u128::from(*byte))
        };
        let (low, carried) = self.parts[0].overflowing_add(number(low));
        let high = self.parts[1].wrapping_add(number(high));
        self.parts = [low, high.wrapping_add(u128::from(carried))];
        self.rows += 1;
    }

    /// How many rows were added.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

/// The number of rows, and the sum in hexadecimal.
impl fmt::Display for Sum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.parts;
        write!(out, "{}:{high:032x}{low:032x}", self.rows)
    }
}

/// A text that is no sum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is not the sum of a table")]
pub struct NotASum;

impl FromStr for Sum {
    type Err = NotASum;

    fn from_str(text: &str) -> Result<Self, NotASum> {
        let (rows, digits) = text.split_once(':').ok_or(NotASum)?;
        let (high, low) = digits.split_at_checked(32).ok_or(NotASum)?;
        let part = |digits: &str| u128::from_str_radix(digits, 16).map_err(|_| NotASum);
        Ok(Self {
            rows: rows.parse().map_err(|_| NotASum)?,
            parts: [part(low)?, part(high)?],
        })
    }
}

#[cfg(test)]
#[path = "checksum_tests.rs"]
mod tests;
