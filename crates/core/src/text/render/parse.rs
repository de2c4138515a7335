//! Reads Markdown into a [`Document`].
//!
//! Flow: `pulldown-cmark` gives events with their places in the text; [`Reader`] goes down them once.
//! The places tell which blank lines the author left. Words of a list entry without blank lines come
//! without a paragraph around them and get one.
//!
//! Of CommonMark's extensions there are tables, `~~struck~~`, task marks, and `||spoilers||`, which
//! chat people know. One tilde strikes nothing: it means "about". Quotes, lists and emphasis deeper
//! than anybody reads are merged into what they stand in, so that no text can exhaust the stack.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the events and tags of the parser are many more than those that mean something here"
)]

use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, OffsetIter, Options, Parser, Tag};

use super::document::{Block, Document, Gap, Inline, Item, Kind, Row, Style};
use crate::limits;

impl Document {
    /// Reads a text. Every text is Markdown.
    #[must_use]
    pub fn read(markdown: &str) -> Self {
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let events = Parser::new_ext(markdown, options).into_offset_iter();
        let mut reader = Reader {
            source: markdown,
            events: events.peekable(),
            seen: 0,
        };
        Self {
            blocks: reader.blocks(0),
        }
    }

    /// A text of which nothing means anything.
    pub(super) fn literal(text: &str) -> Self {
        let mut words = Words::default();
        words.text(text.trim());
        let kind = Kind::Paragraph(words.0);
        Self {
            blocks: vec![Block {
                gap: Gap::Line,
                kind,
            }],
        }
    }
}

struct Reader<'m> {
    source: &'m str,
    events: Peekable<OffsetIter<'m>>,
    /// Where the last event that was taken ends.
    seen: usize,
}

/// Where a run of inlines ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// At the end of what it stands in, which is taken.
    End,
    /// Before that, or before a block.
    Block,
}

impl<'m> Reader<'m> {
    fn take(&mut self) -> Option<(Event<'m>, Range<usize>)> {
        let (event, range) = self.events.next()?;
        self.seen = range.end;
        Some((event, range))
    }

    fn blocks(&mut self, depth: usize) -> Vec<Block> {
        let mut made = Siblings::new(self.source);
        let mut merged = 0_usize;
        while let Some((event, range)) = self.events.peek().cloned() {
            if !is_block(&event) {
                let words = self.inlines(Until::Block, depth);
                made.push(Kind::Paragraph(words), range.start..self.seen);
                continue;
            }
            self.take();
            match event {
                Event::End(_) if merged == 0 => break,
                Event::End(_) => merged -= 1,
                Event::Start(tag) if depth >= limits::RENDER_DEPTH && nests(&tag) => merged += 1,
                Event::Start(Tag::Item) => merged += 1,
                Event::Start(tag) => made.push(self.block(tag, depth + 1), range),
                _ => made.push(Kind::Rule, range),
            }
        }
        made.blocks
    }

    fn block(&mut self, tag: Tag<'m>, depth: usize) -> Kind {
        match tag {
            Tag::Heading { level, .. } => Kind::Heading {
                level: level as usize,
                words: self.inlines(Until::End, depth),
            },
            Tag::CodeBlock(kind) => Kind::Code {
                language: language(&kind),
                text: self.code(),
            },
            Tag::BlockQuote(_) => Kind::Quote(self.blocks(depth)),
            Tag::List(first) => Kind::List {
                first,
                items: self.items(depth),
            },
            Tag::Table(_) => self.table(depth),
            _ => Kind::Paragraph(self.inlines(Until::End, depth)),
        }
    }

    fn items(&mut self, depth: usize) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut made = Siblings::new(self.source);
        while let Some((Event::Start(_), range)) = self.take() {
            let gap = made.gap(range);
            let blocks = self.blocks(depth);
            items.push(Item { gap, blocks });
        }
        items
    }

    fn table(&mut self, depth: usize) -> Kind {
        let mut rows: Vec<Row> = Vec::new();
        while let Some((Event::Start(_), range)) = self.take() {
            let mut row = Row::new();
            let mut end = range.start;
            while let Some((Event::Start(_), _)) = self.take() {
                row.push(self.inlines(Until::End, depth));
                end = self.seen;
            }
            row.extend(self.surplus(end, range.end));
            rows.push(row);
        }
        let head = if rows.is_empty() {
            Row::new()
        } else {
            rows.remove(0)
        };
        Kind::Table { head, rows }
    }

    /// What a row has behind its last column. The parser drops it, and words are not to be lost.
    fn surplus(&self, end: usize, row_end: usize) -> Option<Vec<Inline>> {
        let rest = self.source.get(end..row_end)?.trim();
        let rest = rest.trim_matches('|').trim();
        (!rest.is_empty()).then(|| vec![Inline::Text(rest.to_owned())])
    }

    fn code(&mut self) -> String {
        let mut text = String::new();
        while let Some((Event::Text(more), _)) = self.take() {
            text.push_str(&more);
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }

    fn inlines(&mut self, until: Until, depth: usize) -> Vec<Inline> {
        let mut words = Words::default();
        let mut merged = 0_usize;
        while let Some((event, range)) = self.events.peek().cloned() {
            if until == Until::Block && merged == 0 && is_block(&event) {
                break;
            }
            self.take();
            match event {
                Event::End(_) if merged == 0 => break,
                Event::End(_) => merged -= 1,
                Event::Start(_) if depth >= limits::RENDER_DEPTH => merged += 1,
                Event::Start(tag) => self.nested(&tag, range, depth + 1, &mut words),
                Event::Code(code) => words.0.push(Inline::Code(code.into_string())),
                Event::SoftBreak | Event::HardBreak => words.0.push(Inline::Break),
                Event::TaskListMarker(true) => words.text("[x] "),
                Event::TaskListMarker(false) => words.text("[ ] "),
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    words.text(&text);
                }
                Event::Rule
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::FootnoteReference(_) => words.text(&self.source[range]),
            }
        }
        words.finish()
    }

    fn nested(&mut self, tag: &Tag<'m>, range: Range<usize>, depth: usize, words: &mut Words) {
        let inner = self.inlines(Until::End, depth);
        match tag {
            Tag::Strong => words.0.push(Inline::Styled(Style::Bold, inner)),
            Tag::Emphasis => words.0.push(Inline::Styled(Style::Italic, inner)),
            Tag::Strikethrough if self.source[range].starts_with("~~") => {
                words.0.push(Inline::Styled(Style::Strike, inner));
            }
            Tag::Strikethrough => words.around("~", inner),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                words.link(dest_url, inner);
            }
            _ => words.0.extend(inner),
        }
    }
}

fn is_block(event: &Event<'_>) -> bool {
    match event {
        Event::End(_) | Event::Rule => true,
        Event::Start(tag) => !matches!(
            tag,
            Tag::Strong | Tag::Emphasis | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        ),
        _ => false,
    }
}

fn nests(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::BlockQuote(_) | Tag::List(_) | Tag::Item)
}

/// The first word behind a fence. Anything else there is for other readers.
fn language(kind: &CodeBlockKind<'_>) -> String {
    let info = match kind {
        CodeBlockKind::Fenced(info) => info,
        CodeBlockKind::Indented => "",
    };
    let word = info.split_whitespace().next().unwrap_or_default();
    let known = |char: char| char.is_alphanumeric() || "+-#_.".contains(char);
    if word.len() <= limits::LANGUAGE_BYTES_MAX && word.chars().all(known) {
        word.to_owned()
    } else {
        String::new()
    }
}

/// Inlines that grow at their end.
#[derive(Default)]
struct Words(Vec<Inline>);

impl Words {
    /// Adds text; line breaks in it (HTML has them) become breaks.
    fn text(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.0.push(Inline::Break);
            }
            match self.0.last_mut() {
                _ if line.is_empty() => {}
                Some(Inline::Text(last)) => last.push_str(line),
                _ => self.0.push(Inline::Text(line.to_owned())),
            }
        }
    }

    fn around(&mut self, mark: &str, inner: Vec<Inline>) {
        self.text(mark);
        for inline in inner {
            if let Inline::Text(text) = inline {
                self.text(&text);
            } else {
                self.0.push(inline);
            }
        }
        self.text(mark);
    }

    /// A link that shows its own address, or nothing, is the address.
    fn link(&mut self, url: &str, words: Vec<Inline>) {
        let shown = match &words[..] {
            [] => Some(url),
            [Inline::Text(text)] => {
                (url == text || url.strip_prefix("mailto:") == Some(text)).then_some(text.as_str())
            }
            _ => None,
        };
        match shown {
            Some(shown) => self.text(shown),
            None => self.0.push(Inline::Link {
                url: url.to_owned(),
                words,
            }),
        }
    }

    fn finish(mut self) -> Vec<Inline> {
        while self.0.last() == Some(&Inline::Break) {
            self.0.pop();
        }
        let hides = |inline: &Inline| matches!(inline, Inline::Text(text) if text.contains("||"));
        if !self.0.iter().any(hides) {
            return self.0;
        }
        self.0.into_iter().flat_map(with_spoilers).collect()
    }
}

/// Parts a text at `||…||`; blanks behind the opening or before the closing mark make it an "or".
fn with_spoilers(inline: Inline) -> Vec<Inline> {
    let Inline::Text(text) = inline else {
        return vec![inline];
    };
    let mut made = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, hidden, after)) = spoiler(rest) {
        made.push(Inline::Text(before.to_owned()));
        let hidden = vec![Inline::Text(hidden.to_owned())];
        made.push(Inline::Styled(Style::Spoiler, hidden));
        rest = after;
    }
    made.push(Inline::Text(rest.to_owned()));
    made.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
    made
}

fn spoiler(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("||")?;
    let (hidden, after) = rest.split_once("||")?;
    let tight = !hidden.is_empty() && hidden.trim() == hidden;
    tight.then_some((before, hidden, after))
}

/// Blocks beside one another, and the room between them.
struct Siblings<'m> {
    source: &'m str,
    end: Option<usize>,
    blocks: Vec<Block>,
}

impl<'m> Siblings<'m> {
    fn new(source: &'m str) -> Self {
        Self {
            source,
            end: None,
            blocks: Vec::new(),
        }
    }

    fn push(&mut self, kind: Kind, range: Range<usize>) {
        let gap = self.gap(range);
        self.blocks.push(Block { gap, kind });
    }

    fn gap(&mut self, range: Range<usize>) -> Gap {
        let end = range.start + self.source[range.clone()].trim_end().len();
        let before = self.end.replace(end).unwrap_or(range.start);
        let between = &self.source[before.min(range.start)..range.start];
        match between.matches('\n').count() {
            0 | 1 => Gap::Line,
            _ => Gap::Blank,
        }
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
