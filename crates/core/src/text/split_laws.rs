//! The laws of splitting, checked on the text and its parts alone.
//!
//! This is written apart from the splitter, with its own reading of fences, so that the two check
//! each other. It joins the parts again along the text: added fence lines and numbers are taken
//! off, outside code any white space may be missing between two parts, inside code only the line
//! break that the fence lines stand for. It serves the property tests and the vectors, where it
//! also shows which law a differing vector breaks.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// What was split, and how.
pub(super) struct Case<'a> {
    pub(super) text: &'a str,
    pub(super) max: usize,
    pub(super) len: fn(&str) -> usize,
}

/// A law that some parts break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Breach {
    /// An empty text has parts.
    EmptyPart,
    /// A text within the limit is changed.
    Changed,
    /// A part is longer than the limit.
    OverLimit,
    /// The parts do not give the text back.
    Lost,
    /// A part ends in a block without closing it.
    LeftOpen,
    /// A part starts in a block without opening it.
    NotReopened,
    /// A line that opens or closes a block is parted.
    FenceLineCut,
    /// A part shows an empty block that the text does not have.
    EmptyBlock,
    /// One of several parts shows nothing.
    BlankPart,
    /// A grapheme is parted that a part could have held.
    GraphemeCut,
}

/// Returns the first law that the parts break.
pub(super) fn breach(case: &Case<'_>, parts: &[String]) -> Option<Breach> {
    if case.text.is_empty() {
        return (!parts.is_empty()).then_some(Breach::EmptyPart);
    }
    if (case.len)(case.text) <= case.max {
        return (parts != [case.text]).then_some(Breach::Changed);
    }
    if parts.iter().any(|part| (case.len)(part) > case.max) {
        return Some(Breach::OverLimit);
    }
    Join::new(case, parts).run(parts).err()
}

/// A block as the laws read it: the lines' offsets without line breaks.
struct Fenced {
    open: Range<usize>,
    close: Range<usize>,
    marks: String,
    word: String,
}

/// Whether a part ends with a closing line that the text does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    Added,
    None,
}

struct Join<'a> {
    case: &'a Case<'a>,
    blocks: Vec<Fenced>,
    bounds: Vec<usize>,
    room: usize,
    numbered: usize,
    at: usize,
    /// The length of the last part without an added closing line and number.
    used: usize,
    /// Whether the last part was a wide grapheme that left no room for fence lines.
    bare: bool,
}

impl<'a> Join<'a> {
    fn new(case: &'a Case<'a>, parts: &[String]) -> Self {
        let numbered = parts
            .first()
            .is_some_and(|part| part.ends_with(&suffix(1, parts.len())));
        let digits = parts.len().to_string().len().max(3);
        let mut bounds: Vec<_> = case.text.grapheme_indices(true).map(|(at, _)| at).collect();
        bounds.push(case.text.len());
        Self {
            case,
            blocks: fenced(case.text),
            bounds,
            room: case
                .max
                .saturating_sub(if numbered { 4 + 2 * digits } else { 0 }),
            numbered: if numbered { parts.len() } else { 0 },
            at: 0,
            used: 0,
            bare: false,
        }
    }

    fn run(&mut self, parts: &[String]) -> Result<(), Breach> {
        for (index, part) in parts.iter().enumerate() {
            let unnumbered = self.without_suffix(part, index + 1).ok_or(Breach::Lost)?;
            let body = if index == 0 {
                self.first(unnumbered)
            } else {
                self.without_reopening(unnumbered)?
            };
            self.check_grapheme(self.at)?;
            let (end, closing) = self.match_body(body)?;
            if body.trim().is_empty() && self.inside(end).is_none() && parts.len() > 1 {
                return Err(Breach::BlankPart);
            }
            if index + 1 < parts.len() {
                self.check_closed(end, closing)?;
                self.check_grapheme(end)?;
                self.check_fence_lines(end)?;
            }
            let added = if closing == Closing::Added {
                added_line(body)
            } else {
                ""
            };
            self.used = (self.case.len)(unnumbered) - (self.case.len)(added);
            self.at = end;
        }
        let rest = &self.case.text[self.at..];
        rest.trim().is_empty().then_some(()).ok_or(Breach::Lost)
    }

    /// White space before the first part may be dropped or kept.
    fn first<'p>(&mut self, body: &'p str) -> &'p str {
        let kept = self.case.text.starts_with(&head(body));
        if kept { body } else { self.past_space(body) }
    }

    /// Moves past the white space that is missing between two parts outside code.
    fn past_space<'p>(&mut self, part: &'p str) -> &'p str {
        let text = self.case.text;
        let at = text.len() - text[self.at..].trim_start().len();
        let last = text[self.at..at]
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        // A blank that carries a combining mark is not white space to drop.
        let carries = text[at - last..].starts_with(&head(part));
        self.bare = false;
        self.at = if carries { at - last } else { at };
        part
    }

    fn without_suffix<'p>(&self, part: &'p str, number: usize) -> Option<&'p str> {
        match self.numbered {
            0 => Some(part),
            count => part.strip_suffix(suffix(number, count).as_str()),
        }
    }

    /// Moves to where the part must start, and takes the reopening line off it.
    fn without_reopening<'p>(&mut self, part: &'p str) -> Result<&'p str, Breach> {
        let text = self.case.text;
        let Some(block) = self.inside(self.at) else {
            return Ok(self.past_space(part));
        };
        let rest = &text[self.at..];
        let line_break = ["\r\n", "\n", ""]
            .into_iter()
            .find(|mark| rest.starts_with(mark));
        let start = self.at + line_break.map_or(0, str::len);
        let (carried, wide) = (self.carried(block), self.too_wide(block, start));
        let empty = !self.bare && self.closing_line_fitted(block, start);
        let reopening = [&block.word, ""].map(|word| format!("{}{word}\n", block.marks));
        let opened = reopening
            .iter()
            .find_map(|line| part.strip_prefix(line.as_str()));
        self.at = start;
        self.bare = carried && opened.is_none();
        match opened {
            _ if !carried => Ok(part),
            Some(_) if empty => Err(Breach::EmptyBlock),
            Some(body) => Ok(body),
            None if wide => Ok(part),
            None => Err(Breach::NotReopened),
        }
    }

    /// Whether the part starts with the block's closing line, for which the last part had room.
    fn closing_line_fitted(&self, block: &Fenced, start: usize) -> bool {
        let text = self.case.text;
        let at_line = text
            .get(start..block.close.start)
            .is_some_and(|it| it.trim_matches(' ').is_empty());
        let line = (self.case.len)(&text[self.at..block.close.end]);
        at_line && !block.close.is_empty() && self.used + line <= self.room
    }

    /// Finds the part's body in the text; an added closing line is taken off.
    fn match_body(&self, body: &str) -> Result<(usize, Closing), Breach> {
        let rest = &self.case.text[self.at..];
        let whole = rest.starts_with(body).then_some(self.at + body.len());
        let line = added_line(body);
        let marks = line.trim_start_matches('\n');
        let cut = body.len() - line.len();
        let closed = |block: &&Fenced| block.marks == marks && self.carried(block);
        let block = self.inside(self.at + cut).filter(closed);
        match (block, whole) {
            // What looks like an added line is the block's own.
            (Some(block), Some(end)) if end == block.close.end => Ok((end, Closing::None)),
            (Some(_), _) if rest.starts_with(&body[..cut]) => Ok((self.at + cut, Closing::Added)),
            _ => whole.map(|end| (end, Closing::None)).ok_or(Breach::Lost),
        }
    }

    fn check_closed(&self, end: usize, closing: Closing) -> Result<(), Breach> {
        let open = self.inside(end).is_some_and(|block| self.carried(block));
        let left = open && closing == Closing::None && !self.bare;
        if left { Err(Breach::LeftOpen) } else { Ok(()) }
    }

    fn check_grapheme(&self, at: usize) -> Result<(), Breach> {
        let parted = self.grapheme_at(at).is_some_and(|len| len <= self.room);
        if parted {
            Err(Breach::GraphemeCut)
        } else {
            Ok(())
        }
    }

    fn check_fence_lines(&self, end: usize) -> Result<(), Breach> {
        for block in self.blocks.iter().filter(|block| self.carried(block)) {
            let parted = |line: &Range<usize>| line.start < end && end < line.end;
            let fits = (self.case.len)(&self.case.text[block.close.clone()]) <= block.marks.len();
            if parted(&block.open) || (parted(&block.close) && fits) {
                return Err(Breach::FenceLineCut);
            }
            let begun = self.case.text[self.at..block.open.start.max(self.at)].trim();
            if end == block.open.end && (!begun.is_empty() || self.code_fitted(block)) {
                return Err(Breach::EmptyBlock);
            }
        }
        Ok(())
    }

    /// Whether a part that ends with this opening line had room for some code and a closing line.
    fn code_fitted(&self, block: &Fenced) -> bool {
        let rest = &self.case.text[block.open.end..block.close.start];
        let blank = rest.trim().is_empty();
        let code: usize = rest.graphemes(true).take(2).map(self.case.len).sum();
        let opened = (self.case.len)(&self.case.text[self.at..block.open.end]);
        !blank && opened + code + block.marks.len() < self.room
    }

    /// The length of the grapheme that this offset parts, if it parts one.
    fn grapheme_at(&self, at: usize) -> Option<usize> {
        let next = self.bounds.binary_search(&at).err()?;
        let grapheme = &self.case.text[self.bounds[next - 1]..self.bounds[next]];
        Some((self.case.len)(grapheme))
    }

    fn inside(&self, at: usize) -> Option<&Fenced> {
        self.blocks
            .iter()
            .find(|block| block.open.end <= at && at <= block.close.start)
    }

    fn carried(&self, block: &Fenced) -> bool {
        let line = self.case.text[..block.open.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let open = &self.case.text[line..block.open.end];
        let close = block.marks.len() + 1;
        let bare = block.marks.len() + 1 + close;
        block.marks.len() <= 32 && bare < self.room && (self.case.len)(open) + close <= self.room
    }

    /// Whether the next grapheme leaves no room for the block's fence lines.
    fn too_wide(&self, block: &Fenced, start: usize) -> bool {
        let next = self.case.text[start..]
            .graphemes(true)
            .next()
            .unwrap_or_default();
        let word = (self.case.len)(&block.word);
        (self.case.len)(next) + 2 * block.marks.len() + word + 2 > self.room
    }
}

/// The last line of a part with the line break before it, as a closing line is added.
fn added_line(body: &str) -> &str {
    body.rfind('\n').map_or("", |at| &body[at..])
}

/// Enough of a part to tell where it starts.
fn head(part: &str) -> String {
    part.chars().take(2).collect()
}

fn suffix(number: usize, count: usize) -> String {
    format!(" ({number}/{count})")
}

fn fenced(text: &str) -> Vec<Fenced> {
    let mut found: Vec<Fenced> = Vec::new();
    let mut open = false;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches('\n').trim_end_matches('\r');
        let span = at..at + line.len();
        at += whole.len();
        let body = line.trim_start_matches(' ');
        let Some(mark) = body.chars().next().filter(|mark| "`~".contains(*mark)) else {
            continue;
        };
        let marks: String = body.chars().take_while(|char| *char == mark).collect();
        let info = &body[marks.len()..];
        if line.len() - body.len() > 3 || marks.len() < 3 {
            continue;
        }
        match found.last_mut() {
            Some(block) if open => {
                if marks.starts_with(block.marks.as_str()) && info.trim().is_empty() {
                    block.close = span.end - body.len()..span.end;
                    open = false;
                }
            }
            _ if mark == '`' && info.contains('`') => {}
            _ => {
                let word = info
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                let word = if word.len() > 32 { String::new() } else { word };
                let open_line = span.end - body.len()..span.end;
                found.push(Fenced {
                    open: open_line,
                    close: text.len()..text.len(),
                    marks,
                    word,
                });
                open = true;
            }
        }
    }
    found
}
