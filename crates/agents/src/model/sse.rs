//! Server-sent events out of bytes that arrive in any pieces.
//!
//! Servers cut their streams where they like, end lines in three ways, send comments to keep a line open
//! and sometimes forget the empty line at the end. All of that is met here; what a record means is for the
//! wires to say. A record that grows beyond any sense is refused.

use std::mem;

/// One record: what its `data` lines say, joined.
pub(super) type Record = String;

/// Bytes of one record. Larger than any piece of an answer, and than the whole answer of a server that
/// does not cut it into pieces.
pub(super) const RECORD_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A record was longer than any may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Collects records.
#[derive(Debug, Default)]
pub(super) struct Records {
    line: Vec<u8>,
    data: Option<String>,
    last: Last,
}

/// What the byte before was: a line may end with two.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Return,
}

impl Records {
    /// The records that are whole once these bytes are there.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Record>, TooLong> {
        let mut records = Vec::new();
        for &byte in bytes {
            let before = mem::take(&mut self.last);
            match byte {
                b'\n' if before == Last::Return => (),
                b'\n' => records.extend(self.end_line()),
                b'\r' => {
                    self.last = Last::Return;
                    records.extend(self.end_line());
                }
                byte => self.line.push(byte),
            }
            self.check()?;
        }
        Ok(records)
    }

    /// What was left open at the end of the stream.
    pub(super) fn finish(&mut self) -> Option<Record> {
        let whole = self.end_line();
        whole.or_else(|| self.data.take())
    }

    fn check(&self) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held > RECORD_BYTES_MAX {
            return Err(TooLong);
        }
        Ok(())
    }

    fn end_line(&mut self) -> Option<Record> {
        if self.line.is_empty() {
            return self.data.take();
        }
        let line = String::from_utf8_lossy(&self.line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if let Some(said) = field(line, "data") {
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(said);
                }
                None => self.data = Some(said.to_owned()),
            }
        }
        self.line.clear();
        None
    }
}

/// What a line says in this field. One blank after the colon is part of the form.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let said = line.strip_prefix(name)?.strip_prefix(':')?;
    Some(said.strip_prefix(' ').unwrap_or(said))
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
