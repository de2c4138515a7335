//! Typed identifiers and their text form.
//!
//! An id is 128 bits. In text it is a prefix that names its kind and 26 characters of lower-case
//! Crockford base 32 (`inb_01k9…`), so ids made from a time-ordered source also sort by time. An id
//! parses only as its own kind: a turn's id can never be taken for a delivery's.
//!
//! Ids are parsed here and made elsewhere (`gateway::env`), because making one needs a clock and
//! randomness, and `core` has neither.

use std::fmt;
use std::str::FromStr;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 26;

/// A text that is not an id of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an id of this kind; expected `{prefix}` and 26 letters and digits")]
pub struct NotAnId {
    text: String,
    prefix: &'static str,
}

/// How long a prefix is: three letters that name the kind, and a line below.
const PREFIX: usize = 4;

/// What each byte stands for as a digit; 32 and above for none.
static VALUES: [u8; 256] = values();

const fn values() -> [u8; 256] {
    let mut values = [u8::MAX; 256];
    let mut digit = 0;
    while digit < ALPHABET.len() {
        values[ALPHABET[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
}

/// In one piece, because ids are written more often than anything else.
fn encode(prefix: &str, value: u128) -> [u8; PREFIX + DIGITS] {
    let mut text = [0; PREFIX + DIGITS];
    text[..PREFIX].copy_from_slice(prefix.as_bytes());
    for (place, digit) in text[PREFIX..].iter_mut().enumerate() {
        let shift = 5 * (DIGITS - 1 - place);
        *digit = ALPHABET[((value >> shift) & 31) as usize];
    }
    text
}

fn decode(text: &str) -> Option<u128> {
    if text.len() != DIGITS {
        return None;
    }
    text.bytes()
        .enumerate()
        .try_fold(0u128, |value, (place, byte)| {
            let digit = VALUES[usize::from(byte)];
            // 26 digits carry 130 bits; the first may only use three of its five.
            let most = if place == 0 { 7 } else { 31 };
            (digit <= most).then_some((value << 5) | u128::from(digit))
        })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        const _: () = assert!($prefix.len() == PREFIX);

        impl $name {
            /// Wraps 128 bits made by the caller's id source.
            pub const fn from_bits(bits: u128) -> Self {
                Self(bits)
            }

            /// Returns the 128 bits.
            pub const fn bits(self) -> u128 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let text = encode($prefix, self.0);
                out.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                text.strip_prefix($prefix).and_then(decode).map(Self).ok_or_else(|| NotAnId {
                    text: text.chars().take(64).collect(),
                    prefix: $prefix,
                })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// One accepted inbound message.
    InboxId = "inb_";
    /// One conversation, in one generation.
    SessionId = "ses_";
    /// One run of the agent.
    TurnId = "trn_";
    /// One outbox row.
    DeliveryId = "dlv_";
    /// One boot of one gateway.
    NodeId = "nod_";
    /// One background process.
    ProcessId = "prc_";
    /// One question whether something may be done.
    ApprovalId = "apr_";
    /// One stranger's wish to be let in.
    KnockId = "knk_";
    /// Leave to speak that somebody was given.
    GrantId = "grn_";
    /// Something that one node wants of a process that another holds.
    ErrandId = "ern_";
}

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;
