//! Text without escapes, out of bytes that arrive in any pieces.

use super::decode::Decoder;
use super::escapes::{At, at, strip};

/// An escape that is longer than this never comes to its end.
const ESCAPE_BYTES_MAX: usize = 4096;

/// Makes text of raw output, piece by piece.
#[derive(Debug, Default)]
pub struct Cleaner {
    decoder: Decoder,
    /// An escape whose end has not come.
    begun: String,
}

impl Cleaner {
    /// The text of `bytes`, without what is not whole yet.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        let mut text = std::mem::take(&mut self.begun);
        text.push_str(&self.decoder.push(bytes));
        let whole = whole_bytes(&text);
        if text.len() - whole <= ESCAPE_BYTES_MAX {
            self.begun = text.split_off(whole);
        }
        strip(&text)
    }

    /// What is left at the end.
    pub fn finish(&mut self) -> String {
        let mut text = std::mem::take(&mut self.begun);
        text.push_str(self.decoder.finish());
        strip(&text)
    }
}

/// How many bytes of `text` go before an escape that is not whole.
fn whole_bytes(text: &str) -> usize {
    let mut whole = 0;
    while let Some(at) = at(&text[whole..]) {
        whole += match at {
            At::Letter(letter) => letter.len_utf8(),
            At::Escape(bytes) => bytes,
            At::Begun(_) => return whole,
        };
    }
    whole
}

#[cfg(test)]
#[path = "clean_tests.rs"]
mod tests;
