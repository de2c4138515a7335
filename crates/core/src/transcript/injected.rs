//! Blocks that a memory put into a message for the model, taken out again for everyone else.
//!
//! A block is a pair of `<memory-context>` tags with what is between them; a tag without its partner is
//! removed alone, and so is white space around the whole text. Taking one out can bring the halves of
//! another together, so each tag is looked for in what has been kept so far: one pass leaves none,
//! however they are nested, and a second pass changes nothing.
//!
//! It does not know what a memory says or where it came from.

use std::borrow::Cow;

const NAME: &str = "memory-context";
/// A tag with some blanks in it; looking further back for its beginning would cost time on every `>`.
const TAG_BYTES_MAX: usize = 48;

enum Tag {
    Opens,
    Closes,
}

/// The text without injected blocks and without white space around it.
pub(super) fn removed(text: &str) -> Cow<'_, str> {
    // A tag ends with this, and most texts have none.
    if !text.contains('>') {
        return Cow::Borrowed(text.trim());
    }
    let mut kept = String::with_capacity(text.len());
    // Where the block that is open at this point began, if one is.
    let mut block: Option<usize> = None;
    for piece in text.split_inclusive('>') {
        kept.push_str(piece);
        let Some((start, tag)) = tag_at_end(&kept) else {
            continue;
        };
        let begin = block.map_or(start, |began| began.min(start));
        match tag {
            Tag::Opens => {
                kept.truncate(start);
                block = Some(begin);
            }
            Tag::Closes => {
                kept.truncate(begin);
                block = None;
            }
        }
    }
    Cow::Owned(kept.trim().to_owned())
}

/// The tag with which the text ends, and where it starts. Upper and lower case are the same, and
/// blanks may stand inside the brackets.
fn tag_at_end(text: &str) -> Option<(usize, Tag)> {
    let inner = text.strip_suffix('>')?;
    let floor = inner.floor_char_boundary(inner.len().saturating_sub(TAG_BYTES_MAX));
    let start = floor + inner[floor..].rfind('<')?;
    let inner = inner[start + 1..].trim();
    let (tag, name) = match inner.strip_prefix('/') {
        Some(name) => (Tag::Closes, name.trim_start()),
        None => (Tag::Opens, inner),
    };
    name.eq_ignore_ascii_case(NAME).then_some((start, tag))
}

#[cfg(test)]
#[path = "injected_tests.rs"]
mod tests;
