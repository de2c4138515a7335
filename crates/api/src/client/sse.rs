//! Reads server-sent events from bytes as they arrive.
//!
//! Pure: bytes in, blocks out. A block ends with an empty line; lines end with LF, CR LF or CR. Only
//! `event` and `data` matter here; comments, ids and retry times are passed over. A block that grows
//! beyond its limit is an error rather than memory without end.

/// The most bytes of one block: the longest reply with every character escaped, and room to spare.
const BLOCK_BYTES_MAX: usize = 16 * 1024 * 1024;

/// One event as it stands on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Its name; `message` when the sender gave none.
    pub(super) event: String,
    /// Its data, lines joined.
    pub(super) data: String,
}

/// A block longer than any that a gateway sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {} MiB", BLOCK_BYTES_MAX / 1024 / 1024)]
pub(super) struct TooLong;

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    after_cr: bool,
    event: String,
    data: Option<String>,
}

impl Parser {
    /// Takes more bytes and returns the blocks that they complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Block>, TooLong> {
        let mut blocks = Vec::new();
        for byte in bytes {
            // The LF of a CR LF ends no second line.
            let is_rest_of_end = std::mem::take(&mut self.after_cr) && *byte == b'\n';
            match byte {
                b'\n' if is_rest_of_end => (),
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    blocks.extend(self.end_line());
                }
                _ => self.line.push(*byte),
            }
        }
        if self.line.len() + self.data.as_ref().map_or(0, String::len) > BLOCK_BYTES_MAX {
            return Err(TooLong);
        }
        Ok(blocks)
    }

    fn end_line(&mut self) -> Option<Block> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() {
            return self.end_block();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => self.add_data(value),
            _ => (),
        }
        None
    }

    fn add_data(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    /// A block without data is none, as when a keep-alive comment stands alone.
    fn end_block(&mut self) -> Option<Block> {
        let event = std::mem::take(&mut self.event);
        let data = self.data.take()?;
        let event = if event.is_empty() {
            "message".to_owned()
        } else {
            event
        };
        Some(Block { event, data })
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
