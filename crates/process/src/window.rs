//! The head-and-tail window: all of a short output, the beginning and the end of a long one.
//!
//! It holds a bounded number of bytes however many pass by. The first half stays; of the rest the
//! most recent half is kept, because errors stand at the end. What was left out is said in its place.
//!
//! Bytes are kept as they are and become text once, at the end: so a letter that arrives in two
//! chunks is whole, and only a letter cut by the window itself is dropped.

use std::collections::VecDeque;

/// What is kept of an output.
#[derive(Debug)]
pub(crate) struct Window {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
}

impl Window {
    /// A window of at most `bytes_max` bytes.
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            half: bytes_max / 2,
            head: Vec::new(),
            tail: VecDeque::new(),
            left_out: 0,
        }
    }

    /// Takes more of the output.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let free = self.half - self.head.len();
        let (first, rest) = chunk.split_at(free.min(chunk.len()));
        self.head.extend_from_slice(first);
        self.push_to_tail(rest);
    }

    fn push_to_tail(&mut self, rest: &[u8]) {
        let kept = &rest[rest.len().saturating_sub(self.half)..];
        let overfull = (self.tail.len() + kept.len()).saturating_sub(self.half);
        self.tail.drain(..overfull);
        self.tail.extend(kept);
        self.left_out += overfull + rest.len() - kept.len();
    }

    /// The text. Bytes that are no UTF-8 become replacement characters.
    pub(crate) fn into_text(mut self) -> String {
        let tail = Vec::from(self.tail);
        if self.left_out == 0 {
            self.head.extend(tail);
            return String::from_utf8_lossy(&self.head).into_owned();
        }
        let (first, last) = (without_cut_end(&self.head), without_cut_start(&tail));
        let dropped = self.head.len() - first.len() + tail.len() - last.len();
        format!(
            "{}\n[{} bytes left out here]\n{}",
            String::from_utf8_lossy(first),
            self.left_out + dropped,
            String::from_utf8_lossy(last)
        )
    }
}

/// Without the first bytes of a letter whose others were left out.
fn without_cut_end(bytes: &[u8]) -> &[u8] {
    // A letter has at most four bytes, so a cut one has at most three of them here.
    let longest = bytes.len().min(3);
    let cut = (1..=longest).find(|back| is_letter_start(bytes[bytes.len() - back]));
    match cut {
        Some(back) if letter_bytes(bytes[bytes.len() - back]) > back => {
            &bytes[..bytes.len() - back]
        }
        _ => bytes,
    }
}

/// Without the last bytes of a letter whose first ones were left out.
fn without_cut_start(bytes: &[u8]) -> &[u8] {
    let cut = bytes
        .iter()
        .take(3)
        .take_while(|byte| !is_letter_start(**byte))
        .count();
    &bytes[cut..]
}

fn is_letter_start(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// How many bytes a letter has that starts with `first`.
fn letter_bytes(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
