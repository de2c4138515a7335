//! UTF-8 out of bytes that arrive in any pieces.

/// Decodes; bytes that are no text become replacement characters.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The beginning of a letter whose rest has not come: at most three bytes.
    begun: Vec<u8>,
}

impl Decoder {
    /// The text of `bytes`, without the beginning of a last letter that is not whole yet.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut rest = &all[..];
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, after) = rest.split_at(error.valid_up_to());
            text.push_str(&String::from_utf8_lossy(valid));
            let Some(wrong) = error.error_len() else {
                self.begun = after.to_vec();
                return text;
            };
            text.push(char::REPLACEMENT_CHARACTER);
            rest = &after[wrong..];
        }
        text.push_str(&String::from_utf8_lossy(rest));
        text
    }

    /// What is left at the end: a letter that never became whole.
    pub fn finish(&mut self) -> &'static str {
        let was_begun = !std::mem::take(&mut self.begun).is_empty();
        if was_begun { "\u{fffd}" } else { "" }
    }
}
