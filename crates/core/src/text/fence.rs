//! Fenced code blocks in a Markdown text: where they are, and what carries them across a cut.
//!
//! [`blocks`] reads the whole text once, line by line, by the rules of CommonMark: back-ticks or
//! tildes, three or more, indented by at most three blanks, closed by a line with at least as many
//! of the same mark and nothing else. A block left open lasts to the end of the text. Blocks inside
//! quotes or deeper list items are not recognised, nor is code by indentation.

use std::ops::Range;

use super::length::Limit;

/// Longer marks and longer language words are nobody's code; repeating them in each part would
/// leave no room for the text.
const REPEATED_MAX: usize = 32;

/// One fenced block. Offsets are bytes in the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Where the line break before the opening line begins, if there is one.
    pub(super) before: Option<usize>,
    /// The opening line, from its first mark, without its line break.
    pub(super) open: Range<usize>,
    /// The same for the line break before the closing line.
    pub(super) before_close: usize,
    /// The closing line, likewise; empty at the end of the text for a block left open.
    pub(super) close: Range<usize>,
    indent: usize,
    mark: char,
    run: usize,
    word: String,
}

/// The lines that close a block at the end of one part and open it again in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dress {
    pub(super) reopen: String,
    pub(super) close: String,
}

impl Block {
    /// Returns the lines that carry the block across a cut, or none if the limit is too small for
    /// them and some code. A language word that does not fit is left out first.
    pub(super) fn dress(&self, text: &str, limit: Limit) -> Option<Dress> {
        let marks = self.mark.to_string().repeat(self.run.min(REPEATED_MAX + 1));
        let close = format!("\n{marks}");
        let opened = self.indent + limit.unit.len(&text[self.open.clone()]) + close.len();
        if self.run > REPEATED_MAX || opened > limit.max {
            return None;
        }
        [self.word.as_str(), ""]
            .map(|word| Dress {
                reopen: format!("{marks}{word}\n"),
                close: close.clone(),
            })
            .into_iter()
            .find(|dress| dress.len(limit) < limit.max)
    }

    /// Tells whether a cut at this offset leaves the block open: code before it, code or the
    /// closing line after it.
    pub(super) fn is_open_at(&self, at: usize) -> bool {
        self.open.end <= at && at <= self.close.start
    }
}

impl Dress {
    fn len(&self, limit: Limit) -> usize {
        limit.unit.len(&self.reopen) + limit.unit.len(&self.close)
    }
}

/// Finds all fenced blocks, in order.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for line in lines(text) {
        open = match open {
            None => opening(&line),
            Some(block) if closes(&block, &line) => {
                found.push(block.closed_by(&line));
                None
            }
            still => still,
        };
    }
    found.extend(open.map(|block| block.closed_at_end(text.len())));
    found
}

impl Block {
    fn closed_by(mut self, line: &Line<'_>) -> Self {
        self.before_close = line.before.unwrap_or(self.open.end);
        self.close = line.marks_at()..line.end();
        self
    }

    fn closed_at_end(mut self, end: usize) -> Self {
        self.before_close = end;
        self.close = end..end;
        self
    }
}

/// One line without its line break.
struct Line<'a> {
    before: Option<usize>,
    start: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    fn marks_at(&self) -> usize {
        self.start + self.indent()
    }

    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The mark, how often it is repeated, and what follows; none if this is no fence.
    fn fence(&self) -> Option<(char, usize, &'a str)> {
        let text = &self.text[self.indent()..];
        let mark = text
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = text.trim_start_matches(mark);
        let run = text.len() - rest.len();
        (self.indent() <= 3 && run >= 3).then_some((mark, run, rest))
    }
}

fn opening(line: &Line<'_>) -> Option<Block> {
    // A back-tick after the back-ticks makes it inline code, not a fence.
    let (mark, run, info) = line
        .fence()
        .filter(|(mark, _, info)| *mark != '`' || !info.contains('`'))?;
    let word = info.split_whitespace().next().unwrap_or_default();
    Some(Block {
        before: line.before,
        open: line.marks_at()..line.end(),
        before_close: line.end(),
        close: line.end()..line.end(),
        indent: line.indent(),
        mark,
        run,
        word: if word.len() > REPEATED_MAX {
            String::new()
        } else {
            word.to_owned()
        },
    })
}

fn closes(block: &Block, line: &Line<'_>) -> bool {
    line.fence().is_some_and(|(mark, run, rest)| {
        mark == block.mark && run >= block.run && rest.trim().is_empty()
    })
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let mut before = None;
    text.split_inclusive('\n').map(move |whole| {
        let line = whole.strip_suffix('\n').unwrap_or(whole);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let this = Line {
            before,
            start,
            text: line,
        };
        before = Some(this.end());
        start += whole.len();
        this
    })
}

#[cfg(test)]
#[path = "fence_tests.rs"]
mod tests;
