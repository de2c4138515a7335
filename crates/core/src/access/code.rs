//! The code that a stranger gets, and the form in which it is kept.
//!
//! It is made of the caller's randomness, shown once to whoever it is for, and kept as the hash of a salt and
//! itself. It prints as stars: neither a log nor an error can tell it.

use std::fmt;

use sha2::{Digest, Sha256};

/// Letters and digits that nobody takes for one another: 32, so that each is five random bits.
pub const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Letters of a code: 40 random bits.
pub const LETTERS: usize = 8;

/// Random bytes that a code is made of.
pub const CODE_BYTES: usize = 5;

/// Random bytes before a code in its hash.
pub const SALT_BYTES: usize = 16;

/// What stands for a code where it must not be told.
pub const HIDDEN: &str = "********";

/// A code in clear.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

impl fmt::Debug for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(HIDDEN)
    }
}

impl Code {
    /// The code of these random bits.
    pub fn of(bits: [u8; CODE_BYTES]) -> Self {
        let bits = bits
            .iter()
            .fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
        let letter = |place: usize| ALPHABET[(bits >> (5 * (LETTERS - 1 - place)) & 31) as usize];
        Self(
            (0..LETTERS)
                .map(|place| char::from(letter(place)))
                .collect(),
        )
    }

    /// What somebody wrote, if it has the form of a code; small letters and blanks around it do not matter.
    pub fn read(text: &str) -> Option<Self> {
        let code = text.trim().to_ascii_uppercase();
        let fits = |letter: u8| ALPHABET.contains(&letter);
        (code.len() == LETTERS && code.bytes().all(fits)).then_some(Self(code))
    }

    /// The letters, for the one message that tells them.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The form in which it is kept.
    pub fn seal(&self, salt: [u8; SALT_BYTES]) -> Sealed {
        Sealed {
            salt,
            hash: Sha256::new()
                .chain_update(salt)
                .chain_update(&self.0)
                .finalize()
                .into(),
        }
    }
}

/// The text with stars in place of every word that could be a code.
pub fn hide(text: &str) -> String {
    let hide = |word: &str| match Code::read(word) {
        Some(_) => word.replace(word.trim(), HIDDEN),
        None => word.to_owned(),
    };
    text.split_inclusive(char::is_whitespace)
        .map(hide)
        .collect()
}

/// What is kept of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sealed {
    /// What stands before the code in its hash.
    pub salt: [u8; SALT_BYTES],
    /// The hash.
    pub hash: [u8; 32],
}

impl Sealed {
    /// Whether it is this code's. It takes as long for one that differs early as for one that differs late.
    pub fn fits(&self, code: &Code) -> bool {
        let other = code.seal(self.salt).hash;
        let differences = self
            .hash
            .iter()
            .zip(other)
            .fold(0, |all, (a, b)| all | (a ^ b));
        std::hint::black_box(differences) == 0
    }
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
