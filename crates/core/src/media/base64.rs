//! Bytes as text, as data addresses and the wires of models have them.
//!
//! The usual alphabet with padding. Reading forgives what senders do differently: line ends, the alphabet of
//! addresses, padding left out. It does not forgive anything else: what is no picture's text is no picture.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of these bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0u32, |group, byte| group << 8 | u32::from(*byte));
        let group = group << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = ALPHABET[(group >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { digit } else { b'=' });
        }
    }
    String::from_utf8(text).unwrap_or_default()
}

/// How many bytes a text of this length stands for at most.
pub fn decoded_bytes_max(text: usize) -> usize {
    text.div_ceil(4) * 3
}

/// The bytes of this text; nothing if it is none.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(decoded_bytes_max(text.len()));
    let (mut group, mut digits) = (0u32, 0u32);
    let mut letters = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    for byte in letters.by_ref().take_while(|byte| *byte != b'=') {
        group = group << 6 | u32::from(value(byte)?);
        digits += 1;
        if digits == 4 {
            bytes.extend_from_slice(&group.to_be_bytes()[1..]);
            (group, digits) = (0, 0);
        }
    }
    if letters.any(|byte| byte != b'=') {
        return None;
    }
    match digits {
        0 => (),
        2 => bytes.push((group >> 4) as u8),
        3 => bytes.extend_from_slice(&((group >> 2) as u16).to_be_bytes()),
        _ => return None,
    }
    Some(bytes)
}

fn value(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
#[path = "base64_tests.rs"]
mod tests;
