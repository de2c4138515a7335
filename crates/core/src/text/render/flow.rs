//! A document in a platform's writing, as one row of atoms.
//!
//! [`Flow::of`] goes through the document once, block by block; `ink` lays the atoms down, and `pour`
//! then takes as many as a message holds.
//!
//! Platforms differ in marks, not in layout: tables become entries with a bold first cell, because no
//! chat font keeps columns; code in a quote leaves it, because the marks of quoted lines would become
//! code; a style inside itself is not marked twice. With [`Dress::Bare`] nothing is marked at all.

use super::document::{Block, Document, Gap, Inline, Item, Kind, Row, Style};
use super::ink::{Dress, Flow, Marked, Part, Writer};
use super::tongue::{Inside, Letter, Quote, Tongue};
use crate::text::Limit;

/// What stands before a cell of a table that became entries.
const CELL: &str = "• ";

/// A line across.
const RULE: &str = "---";

impl Flow {
    pub(super) fn of(document: &Document, tongue: &Tongue, limit: Limit, dress: Dress) -> Self {
        let flow = Self {
            text: String::new(),
            atoms: Vec::new(),
            marks: Vec::new(),
        };
        let mut writer = Writer {
            tongue,
            limit,
            dress,
            flow,
            open: Vec::new(),
            indent: 0,
        };
        writer.blocks(&document.blocks);
        writer.flow
    }
}

impl Writer<'_> {
    fn blocks(&mut self, blocks: &[Block]) {
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                self.gap(block.gap);
            }
            self.block(&block.kind);
        }
    }

    fn block(&mut self, kind: &Kind) {
        match kind {
            Kind::Paragraph(words) => self.words(words),
            Kind::Heading { level, words } => self.heading(*level, words),
            Kind::Code { language, text } => self.code(language, text),
            Kind::Quote(blocks) => self.quote(blocks),
            Kind::List { first, items } => self.list(*first, items),
            Kind::Table { head, rows } => self.table(head, rows),
            Kind::Rule => self.say(RULE),
        }
    }

    fn gap(&mut self, gap: Gap) {
        if gap == Gap::Blank {
            self.line_break();
        }
        self.line();
    }

    fn heading(&mut self, level: usize, words: &[Inline]) {
        match (self.tongue.heading)(level) {
            Some(mark) => {
                let marks = Some((mark.to_owned(), String::new()));
                self.marked(Marked::Heading, marks, |writer| writer.words(words));
            }
            None => self.styled(Style::Bold, |writer| writer.words(words)),
        }
    }

    fn code(&mut self, language: &str, text: &str) {
        if self.is_open(Marked::Quote) {
            return self.quoted_code(text);
        }
        let marks = Some((self.tongue.block)(language)).filter(|_| !text.trim().is_empty());
        self.marked(Marked::Block, marks, |writer| {
            writer.letters(text, Inside::Code);
        });
    }

    /// Code deep in a quote: line by line, because the marks of quoted lines would become code.
    fn quoted_code(&mut self, text: &str) {
        for (number, line) in text.lines().enumerate() {
            if number > 0 {
                self.line();
            }
            if !line.trim().is_empty() {
                self.inline_code(line);
            }
        }
    }

    fn quote(&mut self, blocks: &[Block]) {
        // Marks of quoted lines count only at the beginning of a line, and none knows quotes in quotes.
        if self.indent > 0 || self.is_open(Marked::Quote) || self.dress == Dress::Bare {
            return self.blocks(blocks);
        }
        for (number, block) in blocks.iter().enumerate() {
            let leaves = matches!(block.kind, Kind::Code { .. });
            if leaves && self.is_open(Marked::Quote) {
                self.close();
            }
            if number > 0 {
                self.gap(block.gap);
            }
            if !leaves && !self.is_open(Marked::Quote) {
                self.open_quote();
            }
            self.block(&block.kind);
        }
        if self.is_open(Marked::Quote) {
            self.close();
        }
    }

    fn open_quote(&mut self) {
        let (open, close) = match self.tongue.quote {
            Quote::Lines(mark) => (mark, ""),
            Quote::Around(open, close) => (open, close),
        };
        self.open(Marked::Quote, open.to_owned(), close.to_owned());
    }

    fn list(&mut self, first: Option<u64>, items: &[Item]) {
        for (number, item) in (0..).zip(items) {
            if number > 0 {
                self.gap(item.gap);
            }
            let (mark, width) = self.entry(first.map(|first| first.saturating_add(number)));
            self.flow.text.push_str(&mark);
            self.lay(Part::Letter);
            self.indent += width;
            self.blocks(&item.blocks);
            self.indent -= width;
        }
    }

    /// What an entry of a list begins with, and how far in its further lines are.
    fn entry(&self, number: Option<u64>) -> (String, usize) {
        let mark = match number {
            Some(number) => format!("{number}{}", self.tongue.dot),
            None => self.tongue.bullet.to_owned(),
        };
        let width = mark.chars().filter(|char| *char != '\\').count();
        (mark, width)
    }

    fn table(&mut self, head: &Row, rows: &[Row]) {
        if rows.is_empty() {
            return self.styled(Style::Bold, |writer| writer.cells(head));
        }
        for (number, row) in rows.iter().enumerate() {
            if number > 0 {
                self.gap(Gap::Blank);
            }
            self.row(head, row);
        }
    }

    /// The first cell in bold, and an entry for each other one that is not empty.
    fn row(&mut self, head: &Row, row: &Row) {
        let mut first = true;
        for (number, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            if !first {
                self.line();
            }
            first = false;
            if number == 0 {
                self.styled(Style::Bold, |writer| writer.words(cell));
                continue;
            }
            self.say(CELL);
            if let Some(name) = head.get(number) {
                self.words(name);
                self.say(": ");
            }
            self.words(cell);
        }
    }

    fn cells(&mut self, row: &Row) {
        for (number, cell) in row.iter().enumerate() {
            if number > 0 {
                self.say(" | ");
            }
            self.words(cell);
        }
    }

    fn words(&mut self, words: &[Inline]) {
        for word in words {
            match word {
                Inline::Text(text) => self.say(text),
                Inline::Break => self.line(),
                Inline::Code(code) => self.inline_code(code),
                Inline::Styled(style, words) => {
                    self.styled(*style, |writer| writer.words(words));
                }
                Inline::Link { url, words } => self.link(url, words),
            }
        }
    }

    fn inline_code(&mut self, code: &str) {
        let mut tick = String::new();
        (self.tongue.escape)(&Letter::TICK, &mut tick);
        // Where a back-tick cannot be escaped, it would end the code.
        let ends = (self.tongue.style)(Style::Mono).is_some_and(|(_, close)| close == tick);
        if (ends && code.contains('`')) || self.dress == Dress::Bare {
            return self.say(code);
        }
        self.styled(Style::Mono, |writer| writer.letters(code, Inside::Code));
    }

    fn link(&mut self, url: &str, words: &[Inline]) {
        let marks = (self.tongue.link)(url).filter(|(open, close)| self.is_short(open, close));
        let bare = self.dress == Dress::Bare || self.is_open(Marked::Link);
        let Some(marks) = marks.filter(|_| !bare) else {
            self.words(words);
            self.say(" (");
            self.say(url);
            return self.say(")");
        };
        self.marked(Marked::Link, Some(marks), |writer| writer.words(words));
    }

    /// Whether marks leave most of a message to words.
    fn is_short(&self, open: &str, close: &str) -> bool {
        let unit = self.limit.unit;
        unit.len(open) + unit.len(close) <= self.limit.max / 2
    }

    fn styled(&mut self, style: Style, inner: impl FnOnce(&mut Self)) {
        let what = Marked::Style(style);
        let marks = (self.tongue.style)(style);
        if marks.is_none() && style == Style::Spoiler {
            self.say("||");
            inner(self);
            return self.say("||");
        }
        let new = marks.filter(|_| !self.is_open(what));
        let marks = new.map(|(open, close)| (open.to_owned(), close.to_owned()));
        self.marked(what, marks, inner);
    }
}
