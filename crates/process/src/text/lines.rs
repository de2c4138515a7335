//! Parts of a text: some of its lines, or its last letters.

/// Lines of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The lines, without the last line's end.
    pub text: String,
    /// How many they are.
    pub shown: usize,
    /// How many there are.
    pub total: usize,
    /// Whether nothing comes after them.
    pub reaches_end: bool,
}

/// The last `limit` lines of `text` if `offset` is zero; otherwise `limit` lines from the line
/// `offset` on. Places before zero count from the end. `text` has no escapes any more.
pub fn page(text: &str, offset: i64, limit: i64) -> Page {
    let lines = lines(text);
    let total = lines.len();
    let (from, to) = if offset == 0 && limit > 0 {
        (place(total, total as i64 - limit.min(total as i64)), total)
    } else {
        (
            place(total, offset),
            place(total, offset.saturating_add(limit)),
        )
    };
    let chosen = lines.get(from..to).unwrap_or_default();
    Page {
        text: chosen.join("\n"),
        shown: chosen.len(),
        total,
        reaches_end: total == 0 || (!chosen.is_empty() && to == total),
    }
}

/// A place among `total` lines.
fn place(total: usize, at: i64) -> usize {
    let from_start = if at < 0 { at + total as i64 } else { at };
    usize::try_from(from_start).map_or(0, |at| at.min(total))
}

/// The lines of a text, by every kind of line end.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(ends_line).unwrap_or(rest.len());
        lines.push(&rest[..end]);
        let after = &rest[end..];
        let ending = if after.starts_with("\r\n") {
            2
        } else {
            after.chars().next().map_or(0, char::len_utf8)
        };
        rest = &after[ending..];
    }
    lines
}

fn ends_line(letter: char) -> bool {
    matches!(
        letter,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The last `chars` letters of a text.
pub fn tail(text: &str, chars: usize) -> &str {
    let Some(last) = chars.checked_sub(1) else {
        return "";
    };
    let start = text.char_indices().nth_back(last);
    start.map_or(text, |(start, _)| &text[start..])
}
