//! Pseudonyms for identifiers, and what counts as one.
//!
//! A pseudonym is the same for the same identifier, so that an agent can tell people apart, and it
//! is made under a key that only this install has: a plain hash of a phone number is found by
//! hashing all phone numbers. Senders are `user_` and twelve hexadecimal digits; chats keep the
//! word before a first colon (`telegram:…`), which says what kind of place it is.
//!
//! A display name is often the phone number itself, so a name that looks like an identifier is one.
//! Looking is on the safe side: a name with a long number in it is hidden although it may be a year
//! and a day. Where pseudonyms are shown is decided in `names`; nothing here is stored or routed.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of the key: as many as the hash gives.
pub const KEY_BYTES: usize = 32;

/// Hexadecimal digits of a pseudonym: enough that two people of one install do not meet.
const DIGITS: usize = 12;

/// The shortest telephone number of any country that reaches a person from abroad.
const PHONE_DIGITS_MIN: usize = 7;

/// Shorter ids (`1`, `u1`) stand in many names by chance.
const TELLING_ID_CHARS_MIN: usize = 4;

/// Longer words before a colon are not a kind of place.
const SCHEME_CHARS_MAX: usize = 16;

/// Makes the pseudonyms of one install.
#[derive(Clone)]
pub struct Pseudonyms {
    key: [u8; KEY_BYTES],
}

impl fmt::Debug for Pseudonyms {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Pseudonyms(***)")
    }
}

impl Pseudonyms {
    /// The pseudonyms under the key of this install.
    pub fn new(key: [u8; KEY_BYTES]) -> Self {
        Self { key }
    }

    /// The pseudonym of a person.
    #[must_use]
    pub fn sender(&self, id: &str) -> String {
        format!("user_{}", self.digits(id))
    }

    /// The pseudonym of a chat, a room or a thread.
    #[must_use]
    pub fn chat(&self, id: &str) -> String {
        match id.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => {
                format!("{scheme}:{}", self.digits(rest))
            }
            _ => self.digits(id),
        }
    }

    fn digits(&self, text: &str) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length is taken");
        mac.update(text.as_bytes());
        let bytes = mac.finalize().into_bytes();
        bytes[..DIGITS / 2]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Whether the part before a colon names a kind of place. Anything with digits or marks in it may be
/// the identifier itself: `49171…:12@s.whatsapp.net`, `!room:example.org`.
fn is_scheme(text: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphabetic() || char == '_';
    !text.is_empty() && text.len() <= SCHEME_CHARS_MAX && text.chars().all(plain)
}

/// Whether a name is, or has in it, something by which a platform finds a person or a place.
/// `ids` are the identifiers that are being hidden beside it.
#[must_use]
pub fn looks_like_identifier(name: &str, ids: &[&str]) -> bool {
    ids.iter().any(|id| tells(name, id)) || has_phone_number(name) || has_account(name)
}

fn tells(name: &str, id: &str) -> bool {
    let telling = id.chars().count() >= TELLING_ID_CHARS_MIN;
    !id.is_empty() && (name.trim() == id || telling && name.contains(id))
}

fn has_phone_number(name: &str) -> bool {
    let belongs = |char: char| char.is_numeric() || " +-./()\u{a0}".contains(char);
    let digits = |run: &str| run.chars().filter(|char| char.is_numeric()).count();
    name.split(|char| !belongs(char))
        .any(|run| digits(run) >= PHONE_DIGITS_MIN)
}

/// Mail addresses and the like (`ann@example.org`), and Matrix accounts (`@ann:example.org`).
fn has_account(name: &str) -> bool {
    name.split_whitespace()
        .filter_map(|word| word.split_once('@'))
        .any(|(before, after)| !after.is_empty() && (!before.is_empty() || after.contains(':')))
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
