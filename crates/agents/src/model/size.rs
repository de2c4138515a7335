//! How much fits into what a model can read, and how much something takes of it.
//!
//! A server tells how many tokens a prompt had; what came after that, or all of it where nobody tells, is
//! estimated by its bytes. Estimates decide when a conversation is made shorter and how much of it stays,
//! never whether a model is asked.

use angelia_core::limits;
use angelia_core::transcript::entry::{Content, Entry};

use crate::tools::set::{Schema, Toolset};

/// Tokens that a wire puts around a row or a tool, at most: roles, names and brackets.
const AROUND_A_ROW: u64 = 32;

/// What a model can read at once, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window(u64);

impl Window {
    pub(super) fn new(tokens: u64) -> Self {
        Self(tokens.max(limits::CONTEXT_TOKENS_MIN))
    }

    /// Whether a prompt of this size leaves too little room.
    pub(super) fn is_full(self, tokens: u64) -> bool {
        tokens >= self.share(limits::COMPACT_AT_PERCENT)
    }

    /// What the newest rows may take when the others become a summary.
    pub(super) fn kept(self) -> u64 {
        self.share(limits::COMPACT_KEPT_PERCENT)
    }

    /// What a summary must stand for to be worth asking for.
    pub(super) fn gain(self) -> u64 {
        self.share(limits::COMPACT_GAIN_PERCENT)
    }

    /// What one row may take of a request.
    pub(super) fn row(self) -> u64 {
        self.share(limits::ROW_PERCENT)
    }

    /// What is read at once to be summed up.
    pub(super) fn part(self) -> u64 {
        self.share(limits::SUMMARY_PART_PERCENT)
    }

    /// The window that is believed in after a prompt of about this size was too long.
    pub(super) fn after_overflow(self, tokens: u64) -> Self {
        Self::new(self.0.min(tokens) / 2)
    }

    fn share(self, percent: u64) -> u64 {
        self.0.saturating_mul(percent) / 100
    }
}

/// About how many tokens a text has.
pub(super) fn of_text(text: &str) -> u64 {
    of_bytes(text.len() as u64)
}

/// About how many tokens a row has.
pub(super) fn of_row(row: &Entry) -> u64 {
    of_bytes(by_text(row, |text| text.len() as u64)) + of_pictures(row)
}

/// About how many tokens the pictures of a row have.
fn of_pictures(row: &Entry) -> u64 {
    row.pictures.len() as u64 * limits::PICTURE_TOKENS
}

/// What all texts of a row come to.
fn by_text(row: &Entry, count: impl Fn(&str) -> u64) -> u64 {
    let words = match &row.content {
        Content::Nothing => 0,
        Content::Text(text) => count(text),
        Content::Structured(value) => count(&value.to_string()),
    };
    let calls = row.tool_calls.iter().map(|call| {
        let arguments = serde_json::Value::from(call.arguments());
        call.name().map_or(0, &count) + count(&arguments.to_string())
    });
    let kept = row.continuation.values();
    let kept = kept.map(|value| count(&value.to_string()));
    words + calls.sum::<u64>() + kept.sum::<u64>()
}

/// The most tokens that a text has in practice. Letters and blanks come at least two to a token; digits, signs
/// and everything beyond ASCII may be one for each byte.
pub(super) fn most_of_text(text: &str) -> u64 {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b' ';
    let letters = text.bytes().filter(is_letter).count() as u64;
    text.len() as u64 - letters + letters.div_ceil(2)
}

/// The most tokens that a row has in practice, with what a wire puts around it.
pub(super) fn most_of_row(row: &Entry) -> u64 {
    AROUND_A_ROW + by_text(row, most_of_text) + of_pictures(row)
}

/// The same for the descriptions of tools.
pub(super) fn most_of_tools(tools: &[Schema]) -> u64 {
    let most = |tool: &Schema| {
        let schema = tool.parameters.to_string();
        AROUND_A_ROW + most_of_text(&tool.description) + most_of_text(&schema)
    };
    tools.iter().map(most).sum()
}

/// About how many tokens some rows have.
pub(super) fn of_rows<'a>(rows: impl IntoIterator<Item = &'a Entry>) -> u64 {
    rows.into_iter().map(of_row).sum()
}

/// About how many tokens the descriptions of tools have.
pub(super) fn of_tools(tools: &Toolset) -> u64 {
    of_bytes(tools.bytes() as u64)
}

fn of_bytes(bytes: u64) -> u64 {
    bytes / limits::BYTES_PER_TOKEN
}

/// The row as a request may hold it: of one that is too long by itself, the beginning and the end, and what
/// was left out is said. What is stored stays whole.
pub(super) fn fitted(row: Entry, window: Window) -> Entry {
    let room = usize::try_from(window.row() * limits::BYTES_PER_TOKEN).unwrap_or(usize::MAX);
    match &row.content {
        Content::Text(text) if text.len() > room => Entry {
            content: Content::Text(ends(text, room)),
            ..row
        },
        Content::Text(_) | Content::Nothing | Content::Structured(_) => row,
    }
}

/// The beginning and the end of a text, within so many bytes, and a remark between them.
pub(super) fn ends(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(room / 2);
    let tail = text.ceil_char_boundary(text.len() - room / 4);
    let left_out = tail - head;
    format!(
        "{}\n[… {left_out} bytes are left out here: all of it would be more than you can read]\n{}",
        &text[..head],
        &text[tail..]
    )
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
