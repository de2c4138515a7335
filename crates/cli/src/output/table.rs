//! Tables for people: aligned columns, the last one cut to the terminal's width.
//!
//! Without a terminal nothing is cut. Widths are counted in columns of the terminal, in which an
//! East Asian letter or an emoji takes two.

use super::{Output, Paint, Screen};
use crate::errors::Failure;

/// The space between two columns.
const GAP: usize = 2;

/// The narrowest that the last column is cut to; below that, lines wrap.
const LAST_MIN: usize = 12;

/// Labels take at least this, so that blocks below each other line up.
const LABEL_MIN: usize = 8;

/// Rows under headings.
#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// One field: words and how they are painted.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    text: String,
    paint: Paint,
}

impl Cell {
    /// Painted words.
    pub(crate) fn new(paint: Paint, text: impl Into<String>) -> Self {
        Self {
            text: one_line(&text.into()),
            paint,
        }
    }

    /// The same with more words behind.
    pub(crate) fn and(mut self, more: &str) -> Self {
        self.text.push_str(more);
        self
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(Paint::Plain, text)
    }
}

impl Table {
    /// A table without rows yet.
    pub(crate) fn new(headings: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            headings: headings.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row, with a cell for each heading.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints it.
    pub(crate) fn print(&self, output: &Output) -> Result<(), Failure> {
        let widths = self.widths(output.screen());
        let headings = self
            .headings
            .iter()
            .map(|text| Cell::new(Paint::Faint, *text))
            .collect();
        for row in std::iter::once(&headings).chain(&self.rows) {
            output.line(self.line(row, &widths, output))?;
        }
        Ok(())
    }

    fn line(&self, row: &[Cell], widths: &[usize], output: &Output) -> String {
        let mut line = String::new();
        for (column, (cell, room)) in row.iter().zip(widths).enumerate() {
            let text = cut(&cell.text, *room);
            let is_last = column + 1 == self.headings.len();
            let padding = if is_last {
                0
            } else {
                room.saturating_sub(width(&text)) + GAP
            };
            line += &output.paint(cell.paint, &text);
            line += &" ".repeat(padding);
        }
        line
    }

    fn widths(&self, screen: Screen) -> Vec<usize> {
        let headings = self.headings.iter().map(|text| width(text));
        let mut widths: Vec<usize> = headings.collect();
        for row in &self.rows {
            for (room, cell) in widths.iter_mut().zip(row) {
                *room = (*room).max(width(&cell.text));
            }
        }
        if let (Screen::Terminal { columns }, Some((last, before))) =
            (screen, widths.split_last_mut())
        {
            let taken: usize = before.iter().map(|room| room + GAP).sum();
            *last = (*last).min(columns.saturating_sub(taken).max(LAST_MIN));
        }
        widths
    }
}

/// Prints labels and what belongs to them, aligned.
pub(crate) fn pairs(output: &Output, pairs: &[(&str, Cell)]) -> Result<(), Failure> {
    let room = pairs
        .iter()
        .map(|(label, _)| width(label))
        .max()
        .unwrap_or_default()
        .max(LABEL_MIN);
    for (label, cell) in pairs {
        let padding = " ".repeat(room.saturating_sub(width(label)) + GAP);
        let label = output.paint(Paint::Faint, label);
        output.line(format_args!(
            "{label}{padding}{}",
            output.paint(cell.paint, &cell.text)
        ))?;
    }
    Ok(())
}

/// The text on one line: what breaks lines becomes a space, other control characters vanish.
fn one_line(text: &str) -> String {
    let spaced = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let clean: String = spaced.filter(|letter| !letter.is_control()).collect();
    clean.trim().to_owned()
}

/// The text, cut with a mark to `room` columns if it is wider.
pub(crate) fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |letter: &char| {
        taken += columns_of(*letter);
        taken < room
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// How many columns the text takes.
fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// How many columns a letter takes; near enough for tables.
fn columns_of(letter: char) -> usize {
    match u32::from(letter) {
        0x0300..=0x036f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
