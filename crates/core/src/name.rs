//! The shape of names that operators give to things of ours, such as profiles and agents.
//!
//! What such a name must not be, because it means something else, is known where it is used.

/// The most characters a name has.
pub(crate) const LENGTH_MAX: usize = 64;

/// Whether it is made of a-z, 0-9, `_` and `-`, begins with a letter or digit, and is not too long.
pub(crate) fn is_well_formed(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut bytes = name.bytes();
    name.len() <= LENGTH_MAX
        && bytes.next().is_some_and(is_plain)
        && bytes.all(|byte| is_plain(byte) || byte == b'_' || byte == b'-')
}
