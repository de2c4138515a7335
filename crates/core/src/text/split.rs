//! Splitting one text into the messages that a platform takes.
//!
//! Flow: a text within the limit is one part, unchanged. Otherwise [`Walk`] goes through it once:
//! it asks [`cut`](super::cut) for the end of the next piece, keeps that end off the lines of code
//! fences, and drops the white space at the boundary. A piece that ends inside a fenced block is
//! closed and the next one opened again with the language word. Inside a block only the line break
//! at the boundary is dropped, because the added fence lines stand for it.
//!
//! No part is longer than the limit, whatever is added, for every limit that holds one character:
//! 1 for characters, 2 for UTF-16, 4 for bytes. Below that a part is one character. Graphemes stay
//! whole unless one alone is too long for a part. If the limit cannot hold the fence lines of a
//! block and some code, the block is split without them; if numbers would take more than half of
//! the limit, they are left out.
//!
//! Not here: Markdown rendering (it may lengthen a text, so it comes first) and deciding whether a
//! blank text is worth sending.

use super::cut;
use super::fence::{Block, Dress, blocks};
use super::length::Limit;

/// Room kept in every piece for the closing line of a block that may begin in it.
const USUAL_CLOSE: usize = "\n```".len();

/// The smallest limit in which a block can be closed, opened again and hold something.
const FENCED_MIN: usize = "```\n".len() + USUAL_CLOSE + 1;

/// Whether parts say which of how many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Parts are not numbered.
    None,
    /// Each of several parts ends with ` (i/n)`.
    Suffix,
}

/// Splits a text into parts within the limit; an empty text has none.
#[must_use]
pub fn split(text: &str, limit: Limit) -> Vec<String> {
    split_numbered(text, limit, Numbering::None)
}

/// Splits like [`split`], with the parts numbered as told; the numbers are within the limit too.
#[must_use]
pub fn split_numbered(text: &str, limit: Limit, numbering: Numbering) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    if limit.admits(text) {
        return vec![text.to_owned()];
    }
    match numbering {
        Numbering::None => Walk::through(text, limit).parts(),
        Numbering::Suffix => numbered(text, limit),
    }
}

fn numbered(text: &str, limit: Limit) -> Vec<String> {
    let mut digits = 3;
    loop {
        let reserve = " (/)".len() + 2 * digits;
        if reserve > limit.max / 2 {
            return Walk::through(text, limit).parts();
        }
        let parts = Walk::through(text, limit.less(reserve)).parts();
        if parts.len().to_string().len() <= digits {
            return with_suffixes(parts);
        }
        digits += 1;
    }
}

fn with_suffixes(parts: Vec<String>) -> Vec<String> {
    let count = parts.len();
    if count == 1 {
        return parts;
    }
    let numbered = parts.into_iter().enumerate();
    numbered
        .map(|(index, part)| format!("{part} ({}/{count})", index + 1))
        .collect()
}

/// A stretch of the text with the fence lines added around it.
struct Piece {
    reopen: String,
    start: usize,
    end: usize,
    close: String,
}

/// One pass through a text. Each step reads at most a limit's worth of it.
struct Walk<'a> {
    text: &'a str,
    limit: Limit,
    blocks: Vec<Block>,
    pieces: Vec<Piece>,
    /// How often a stretch of at most the limit was examined: the measure of work.
    windows: usize,
}

impl<'a> Walk<'a> {
    fn through(text: &'a str, limit: Limit) -> Self {
        let mut walk = Self {
            text,
            limit,
            blocks: blocks(text),
            pieces: Vec::new(),
            windows: 0,
        };
        let end = text.trim_end().len();
        let mut at = 0;
        let mut lead = None;
        while at < end || walk.pieces.is_empty() {
            (at, lead) = walk.step(at, lead);
        }
        walk
    }

    fn parts(&self) -> Vec<String> {
        let whole = |piece: &Piece| {
            let body = &self.text[piece.start..piece.end];
            format!("{}{body}{}", piece.reopen, piece.close)
        };
        self.pieces.iter().map(whole).collect()
    }

    /// Adds the next piece; returns where the one after it starts and the block it starts in.
    fn step(&mut self, at: usize, lead: Option<Dress>) -> (usize, Option<Dress>) {
        if let Some(last) = self.last(at, lead.as_ref()) {
            self.pieces.push(last);
            return (self.text.len(), None);
        }
        let dressed = self.dressed(at, lead.as_ref());
        let piece = dressed.unwrap_or_else(|| self.bare(at));
        let end = piece.end;
        let (next, lead) = match self.open_block(end) {
            Some(block) => (
                after_line_break(self.text, end),
                block.dress(self.text, self.limit),
            ),
            None => (after_space(self.text, end), None),
        };
        if !self.is_leading_space(&piece, next) {
            self.pieces.push(piece);
        }
        (next, lead)
    }

    /// White space before everything else: platforms refuse a message that shows nothing.
    fn is_leading_space(&self, piece: &Piece, next: usize) -> bool {
        piece.start == 0 && next < self.text.len() && self.text[..piece.end].trim().is_empty()
    }

    fn last(&mut self, start: usize, lead: Option<&Dress>) -> Option<Piece> {
        self.windows += 1;
        let reopen = lead.map(|dress| dress.reopen.clone()).unwrap_or_default();
        let piece = Piece {
            reopen,
            start,
            end: self.text.len(),
            close: String::new(),
        };
        self.admits(&piece).then_some(piece)
    }

    /// The next piece with its fence lines; none if they and one grapheme do not fit together.
    fn dressed(&mut self, start: usize, lead: Option<&Dress>) -> Option<Piece> {
        let reopen = lead.map(|dress| dress.reopen.clone()).unwrap_or_default();
        let opening = self.len(&reopen);
        let mut closing = lead.map_or(self.usual_close(), |dress| self.len(&dress.close));
        loop {
            let end = self.cut(start, opening, closing)?;
            let piece = self.closed(Piece {
                reopen: reopen.clone(),
                start,
                end,
                close: String::new(),
            });
            if self.admits(&piece) {
                return Some(piece);
            }
            // The piece opened a block with a longer fence than usual: cut again with room for it.
            let needed = self.len(&piece.close);
            if needed <= closing {
                return None;
            }
            closing = needed;
        }
    }

    /// One grapheme without fence lines, because it leaves no room for them; or as much of it as a
    /// part can hold.
    fn bare(&mut self, start: usize) -> Piece {
        self.windows += 1;
        let rest = &self.text[start..];
        let fitting = self.limit.unit.prefix(rest, self.limit.max).len();
        let one_char = rest.chars().next().map_or(0, char::len_utf8);
        let len = cut::first_grapheme(rest, self.limit).unwrap_or(fitting.max(one_char));
        Piece {
            reopen: String::new(),
            start,
            end: start + len,
            close: String::new(),
        }
    }

    /// Closes the block that is open at the piece's end: with its own closing line if that comes
    /// next and fits, so that no part begins with an empty block, else with an added one.
    fn closed(&self, piece: Piece) -> Piece {
        let Some(block) = self.open_block(piece.end) else {
            return piece;
        };
        if piece.end >= block.before_close {
            let whole = Piece {
                end: block.close.end,
                reopen: piece.reopen.clone(),
                ..piece
            };
            if self.admits(&whole) {
                return whole;
            }
        }
        let close = block
            .dress(self.text, self.limit)
            .map(|dress| dress.close)
            .unwrap_or_default();
        Piece { close, ..piece }
    }

    fn cut(&mut self, start: usize, opening: usize, closing: usize) -> Option<usize> {
        self.windows += 1;
        // A part that begins with an opening line keeps it whole.
        let floor = self.opening_line_end(start).map_or(0, |end| end - start);
        let room = self.limit.less(opening + closing);
        let len = cut::place(&self.text[start..], room, floor)?.max(floor);
        let end = self.off_fence_lines(start, start + len, self.limit.less(opening));
        Some(self.past_blank_in_code(start, end, room))
    }

    fn opening_line_end(&self, start: usize) -> Option<usize> {
        let next = self
            .blocks
            .partition_point(|block| block.open.start < start);
        let block = self.blocks.get(next)?;
        let at_start = block.before.is_none_or(|before| before < start);
        let carried = at_start && block.dress(self.text, self.limit).is_some();
        carried.then_some(block.open.end)
    }

    /// Moves a cut out of a closing line, and out of or from right behind an opening line, to the
    /// line break before it; a closing line that begins the piece is kept whole instead.
    fn off_fence_lines(&self, start: usize, end: usize, whole: Limit) -> usize {
        let Some(block) = self.block_before(end) else {
            return end;
        };
        let mut end = end;
        if block.close.start < end && end < block.close.end {
            end = match block.before_close {
                before if before > start => before,
                _ if whole.admits(&self.text[start..block.close.end]) => block.close.end,
                _ => end,
            };
        }
        let begun = start < block.open.start && end <= block.open.end;
        // Only the text's own beginning can be a line break; an empty piece there is dropped.
        let moves = |before: &usize| begun && (*before > start || start == 0);
        block.before.filter(moves).unwrap_or(end)
    }

    /// A blank is part of the code: it ends this piece rather than indent the next.
    fn past_blank_in_code(&self, start: usize, end: usize, room: Limit) -> usize {
        let rest = &self.text[end..];
        let blank = rest.starts_with(' ') && !joins(rest) && self.open_block(end).is_some();
        if blank && room.admits(&self.text[start..=end]) {
            end + 1
        } else {
            end
        }
    }

    fn block_before(&self, at: usize) -> Option<&Block> {
        let next = self.blocks.partition_point(|block| block.open.start < at);
        next.checked_sub(1).map(|index| &self.blocks[index])
    }

    fn open_block(&self, at: usize) -> Option<&Block> {
        self.block_before(at).filter(|block| block.is_open_at(at))
    }

    fn usual_close(&self) -> usize {
        if self.limit.max < FENCED_MIN {
            0
        } else {
            USUAL_CLOSE
        }
    }

    fn admits(&self, piece: &Piece) -> bool {
        let added = self.len(&piece.reopen) + self.len(&piece.close);
        added <= self.limit.max
            && self
                .limit
                .less(added)
                .admits(&self.text[piece.start..piece.end])
    }

    fn len(&self, text: &str) -> usize {
        self.limit.unit.len(text)
    }
}

fn after_line_break(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let line_break = ["\r\n", "\n"]
        .into_iter()
        .find(|mark| rest.starts_with(mark));
    at + line_break.map_or(0, str::len)
}

/// Skips white space, but not the blank that carries a combining mark.
fn after_space(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let trimmed = rest.trim_start();
    let skipped = &rest[..rest.len() - trimmed.len()];
    let last = skipped.char_indices().next_back();
    match last {
        Some((last, _)) if joins(&rest[last..]) => at + last,
        _ => text.len() - trimmed.len(),
    }
}

fn joins(text: &str) -> bool {
    let two = text
        .char_indices()
        .nth(2)
        .map_or(text.len(), |(end, _)| end);
    cut::is_one_grapheme(&text[..two]) && text.chars().nth(1).is_some()
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
