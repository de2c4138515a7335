//! Pours a row of atoms into messages.
//!
//! Each message takes what fits together with the marks that would close it: everything that is left,
//! or up to the last line break in its second half, or the last blank, or the last letter. What is open
//! there is closed and opened again in the next message. White space at the cut goes, in code only the
//! line break, for which the lines around code stand; so indentation is kept.
//!
//! No message is longer than the limit and none shows nothing. Where marks and a letter do not fit
//! together there is no answer, and the caller writes the text without marks.

use super::document::Style;
use super::ink::{Flow, Mark, Marked, Part};
use super::tongue::Styles;
use super::{Message, Range};
use crate::text::{Limit, Unit};

/// The messages for these atoms, or nothing if the marks leave no room for words.
pub(super) fn pour(flow: &Flow, limit: Limit, styles: Styles) -> Option<Vec<Message>> {
    let mut pour = Pour {
        flow,
        limit,
        at: 0,
        open: Vec::new(),
    };
    let mut messages = Vec::new();
    let last = flow.atoms.iter().rposition(|it| it.kind == Part::Letter)?;
    pour.skip_space();
    while pour.at <= last {
        let end = pour.end()?;
        messages.push(pour.fill(end, styles));
    }
    Some(messages)
}

struct Pour<'f> {
    flow: &'f Flow,
    limit: Limit,
    at: usize,
    /// The marks that are open here, as numbers.
    open: Vec<usize>,
}

/// The places where a message may end, as far as it was looked through.
#[derive(Default)]
struct Stops {
    line: Option<usize>,
    /// How full the message is there.
    line_used: usize,
    blank: Option<usize>,
    letter: Option<usize>,
}

impl Stops {
    fn best(&self, limit: Limit) -> Option<usize> {
        let line = self.line.filter(|_| self.line_used >= limit.max / 2);
        line.or(self.blank.max(self.line)).or(self.letter)
    }
}

impl Pour<'_> {
    /// Where the message that begins here ends.
    fn end(&self) -> Option<usize> {
        self.all_fits()
            .then_some(self.flow.atoms.len())
            .or_else(|| self.cut())
    }

    /// Whether everything that is left fits, as it mostly does. What would close the marks that are open at any place is
    /// among it.
    fn all_fits(&self) -> bool {
        let open = self.open.iter();
        let opened: usize = open.map(|mark| self.len(&self.mark(*mark).open)).sum();
        let left: usize = self.flow.atoms[self.at..].iter().map(|atom| atom.len).sum();
        opened + left <= self.limit.max
    }

    /// Where the message that begins here is cut.
    fn cut(&self) -> Option<usize> {
        let mut open = self.open.clone();
        let mut used: usize = open
            .iter()
            .map(|mark| self.len(&self.mark(*mark).open))
            .sum();
        let mut closing: usize = open
            .iter()
            .map(|mark| self.len(&self.mark(*mark).close))
            .sum();
        let mut stops = Stops::default();
        for (index, atom) in self.flow.atoms.iter().enumerate().skip(self.at) {
            match atom.kind {
                Part::Open(mark) => {
                    closing += self.len(&self.mark(mark).close);
                    open.push(mark);
                }
                Part::Close => {
                    let mark = open.pop();
                    closing -= mark.map_or(0, |mark| self.len(&self.mark(mark).close));
                }
                Part::Line | Part::Blank => self.note(&mut stops, index, used, &open),
                Part::Letter => {}
            }
            used += atom.len;
            if used + closing > self.limit.max {
                return stops.best(self.limit).or_else(|| self.lone());
            }
            self.note_after(&mut stops, index, &open);
        }
        Some(self.flow.atoms.len())
    }

    /// Notes white space as a place to end, once there is something to see.
    fn note(&self, stops: &mut Stops, index: usize, used: usize, open: &[usize]) {
        if stops.letter.is_none() {
            return;
        }
        let inside = open.last().map(|mark| self.mark(*mark).what);
        match (self.flow.atoms[index].kind, inside) {
            (Part::Line, _) => (stops.line, stops.line_used) = (Some(index), used),
            (_, Some(Marked::Block | Marked::Style(Style::Mono))) => {}
            _ => stops.blank = Some(index),
        }
    }

    /// Notes an atom that fitted. A blank in code ends this message rather than indent the next.
    fn note_after(&self, stops: &mut Stops, index: usize, open: &[usize]) {
        let in_code = open.last().is_some_and(|mark| self.is_code(*mark));
        match self.flow.atoms[index].kind {
            Part::Letter => stops.letter = Some(index + 1),
            Part::Blank if in_code && stops.letter.is_some() => stops.blank = Some(index + 1),
            Part::Blank | Part::Line | Part::Open(_) | Part::Close => {}
        }
    }

    /// Without marks, a letter that alone is over the limit is still sent.
    fn lone(&self) -> Option<usize> {
        let rest = self.flow.atoms.iter().skip(self.at);
        let letter = rest.take_while(|atom| atom.kind != Part::Letter).count();
        self.flow.marks.is_empty().then_some(self.at + letter + 1)
    }

    /// Writes the message that ends there, and goes on behind it.
    fn fill(&mut self, end: usize, styles: Styles) -> Message {
        let end = self.trimmed(end);
        let mut text = Filling::default();
        for mark in &self.open {
            text.open(&self.mark(*mark).open, self.mark(*mark).what);
        }
        let mut from = self.at;
        for index in self.at..end {
            if matches!(self.flow.atoms[index].kind, Part::Open(_) | Part::Close) {
                text.push(self.flow.among(from..index + 1));
                self.step(index, &mut text);
                from = index + 1;
            }
        }
        text.push(self.flow.among(from..end));
        self.at = end;
        for mark in self.open.iter().rev() {
            text.end_style();
            text.push(&self.mark(*mark).close);
        }
        self.skip_space();
        text.message(styles)
    }

    fn step(&mut self, index: usize, text: &mut Filling) {
        match self.flow.atoms[index].kind {
            Part::Open(mark) => {
                text.begin_style(self.mark(mark).what);
                self.open.push(mark);
            }
            Part::Close => {
                self.open.pop();
                text.end_style_before(self.flow.at(index));
            }
            Part::Letter | Part::Blank | Part::Line => {}
        }
    }

    /// Takes marks along that close here, and leaves white space and marks that open to the next message.
    fn trimmed(&self, end: usize) -> usize {
        let mut end = end;
        while self.kind(end) == Some(Part::Close) {
            end += 1;
        }
        if self.kind(end.wrapping_sub(1)) == Some(Part::Letter) {
            return end;
        }
        let mut in_code = self.in_code(end);
        while let Some(last) = end.checked_sub(1).filter(|last| *last >= self.at) {
            match self.flow.atoms[last].kind {
                Part::Open(_) => in_code = false,
                Part::Line => {}
                Part::Blank if !in_code => {}
                Part::Letter | Part::Close | Part::Blank => break,
            }
            end = last;
        }
        end
    }

    /// Whether code goes on at this place of the message that begins here.
    fn in_code(&self, end: usize) -> bool {
        let mut open = self.open.clone();
        for atom in &self.flow.atoms[self.at..end] {
            match atom.kind {
                Part::Open(mark) => open.push(mark),
                Part::Close => drop(open.pop()),
                Part::Letter | Part::Blank | Part::Line => {}
            }
        }
        open.last().is_some_and(|mark| self.is_code(*mark))
    }

    /// Goes past white space between messages; in code only past the line break of the cut.
    fn skip_space(&mut self) {
        while let Some(kind) = self.kind(self.at) {
            let in_code = self.open.last().is_some_and(|mark| self.is_code(*mark));
            match kind {
                Part::Close => drop(self.open.pop()),
                Part::Line if in_code => {
                    self.at += 1;
                    return;
                }
                Part::Line | Part::Blank if !in_code => {}
                Part::Letter | Part::Blank | Part::Line | Part::Open(_) => return,
            }
            self.at += 1;
        }
    }

    fn is_code(&self, mark: usize) -> bool {
        self.mark(mark).what == Marked::Block
    }

    fn kind(&self, index: usize) -> Option<Part> {
        self.flow.atoms.get(index).map(|atom| atom.kind)
    }

    fn mark(&self, number: usize) -> &Mark {
        &self.flow.marks[number]
    }

    fn len(&self, text: &str) -> usize {
        self.limit.unit.len(text)
    }
}

/// A message while it is written.
#[derive(Default)]
struct Filling {
    text: String,
    /// Its length in UTF-16 units, in which ranges are counted.
    units: usize,
    begun: Vec<(usize, Marked)>,
    ranges: Vec<Range>,
}

impl Filling {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.units += Unit::Utf16.len(text);
    }

    fn open(&mut self, mark: &str, what: Marked) {
        self.push(mark);
        self.begin_style(what);
    }

    fn begin_style(&mut self, what: Marked) {
        self.begun.push((self.units, what));
    }

    fn end_style(&mut self) {
        self.end_style_before("");
    }

    /// Ends a style in front of the mark that was just written.
    fn end_style_before(&mut self, mark: &str) {
        let Some((start, what)) = self.begun.pop() else {
            return;
        };
        let style = match what {
            Marked::Style(style) => style,
            Marked::Block => Style::Mono,
            Marked::Heading | Marked::Link | Marked::Quote => return,
        };
        let len = self.units - Unit::Utf16.len(mark) - start;
        self.ranges.push(Range { start, len, style });
    }

    fn message(mut self, styles: Styles) -> Message {
        self.ranges
            .sort_by_key(|range| (range.start, usize::MAX - range.len));
        Message {
            text: self.text,
            ranges: match styles {
                Styles::Marks => Vec::new(),
                Styles::Ranges => self.ranges,
            },
        }
    }
}
