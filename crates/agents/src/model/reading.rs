//! What a model is given to read in one turn, and how much of its window that takes.
//!
//! Rows of the past, then those of the turn, in an order that every model accepts; a summary first, if there
//! is one. Rows are only added behind the others, so that a server can reuse what it has read, until all of
//! it becomes too long and the older ones become a summary. Values only: nothing is asked or written here.

use angelia_core::limits;
use angelia_core::transcript::compaction::{self, Since};
use angelia_core::transcript::conversation;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::Usage;

use super::compaction::{Cut, Room, plan};
use super::size::{self, Window};
use crate::past::{Row, Story};

/// What a model is given to read.
pub(super) struct Reading {
    past: Vec<Row>,
    /// The messages of the turn as one row, then answers and results.
    own: Vec<Entry>,
    /// The messages, also when a summary stands for them.
    asked: Option<Entry>,
    /// How many of the turn's rows a summary stands for already.
    aside: usize,
    /// What is sent.
    shown: Vec<Entry>,
    measured: Option<Measured>,
    window: Window,
}

/// What a server said about the size of a prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) tokens: u64,
    /// How many rows it had.
    pub(super) rows: usize,
}

/// Whether something became smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shrunk {
    Yes,
    No,
}

impl Reading {
    /// What was said before, and then what is asked now.
    pub(super) fn new(story: Story, asked: Option<Entry>, window: Window) -> Self {
        let (summary, others) = story
            .rows
            .into_iter()
            .partition::<Vec<_>, _>(|row| row.entry.role == Role::Summary);
        let mut reading = Self {
            past: summary.into_iter().chain(others).collect(),
            own: asked.iter().cloned().collect(),
            asked,
            aside: 0,
            shown: Vec::new(),
            measured: None,
            window,
        };
        reading.show();
        reading.measured = story.counted.map(|counted| Measured {
            tokens: counted.tokens,
            rows: reading.until(counted.until),
        });
        reading
    }

    /// How many of the rows that are sent were in a prompt that ended before the row of this number. A row that has grown
    /// since was not.
    fn until(&self, number: u64) -> usize {
        let past = self.past.iter();
        let was_there = |row: &&Row| row.number < number || row.entry.role == Role::Summary;
        let read = past.filter(was_there).map(|row| &row.entry);
        let read = conversation::for_model(read).into_iter();
        let read = read.map(|row| size::fitted(row, self.window));
        let same = read.zip(&self.shown).take_while(|(read, row)| read == *row);
        same.count()
    }

    /// What is sent.
    pub(super) fn rows(&self) -> &[Entry] {
        &self.shown
    }

    /// How many of these rows were said before the turn.
    pub(super) fn earlier(&self) -> usize {
        self.shown.len().saturating_sub(self.own.len())
    }

    /// The messages of the turn, also where a summary stands for them.
    pub(super) fn asked(&self) -> Option<&Entry> {
        self.asked.as_ref()
    }

    /// Something more was said or done.
    pub(super) fn push(&mut self, row: Entry) {
        self.shown.push(size::fitted(row.clone(), self.window));
        self.own.push(row);
    }

    /// An answer to all rows used this much.
    pub(super) fn measure(&mut self, spent: &Usage) {
        let tokens = spent.tokens.prompt();
        let rows = self.shown.len();
        self.measured = (tokens > 0).then_some(Measured { tokens, rows });
    }

    /// What a server said about the size of the rows until some place, and of what is sent beside them.
    pub(super) fn measured(&self) -> Option<Measured> {
        self.measured
    }

    /// About how many tokens the next prompt has; `beside` is what it has beside the rows.
    pub(super) fn expected(&self, beside: impl FnOnce() -> u64) -> u64 {
        match self.measured {
            Some(known) => {
                let rows = size::of_rows(self.shown.iter().skip(known.rows));
                known.tokens.saturating_add(rows)
            }
            None => beside() + size::of_rows(&self.shown),
        }
    }

    /// Whether it should become shorter before it is sent.
    pub(super) fn is_full(&self, beside: impl FnOnce() -> u64) -> bool {
        self.has_many_rows() || self.window.is_full(self.expected(beside))
    }

    fn has_many_rows(&self) -> bool {
        self.past.len() + self.own.len() >= limits::COMPACT_ROWS
    }

    /// What would become a summary, if that is worth it.
    pub(super) fn plan(&self) -> Option<Cut> {
        let gain = match self.has_many_rows() {
            true => 0,
            false => self.window.gain(),
        };
        let room = Room {
            tokens: self.window.kept(),
            rows: limits::COMPACT_ROWS_KEPT,
        };
        plan(&self.past, &self.own, room, gain)
    }

    /// What a summary would stand for.
    pub(super) fn old(&self, cut: Cut) -> impl DoubleEndedIterator<Item = &Entry> + Clone {
        let past = self.past[..cut.past].iter().map(|row| &row.entry);
        past.chain(&self.own[..cut.own])
    }

    /// From where on everything would stay as it is.
    pub(super) fn since(&self, cut: Cut) -> Since {
        let since = cut.since(&self.past);
        Since {
            own: self.aside + since.own,
            ..since
        }
    }

    /// How much is read at once to be summed up.
    pub(super) fn window(&self) -> Window {
        self.window
    }

    /// A summary stands for everything before `since`.
    pub(super) fn shorten(&mut self, since: Since, summary: &str) {
        let own = since.own.saturating_sub(self.aside).min(self.own.len());
        self.own.drain(..own);
        self.aside = self.aside.max(since.own);
        self.past
            .retain(|row| row.number >= since.row && row.entry.role != Role::Summary);
        let summary = Row {
            number: since.row.saturating_sub(1),
            entry: compaction::summary(summary),
        };
        self.past.insert(0, summary);
        self.measured = None;
        self.show();
    }

    /// It was too long for the model, so the window is smaller than it was thought to be: rows that are
    /// too long by themselves are cut further.
    pub(super) fn overflowed(&mut self, beside: impl FnOnce() -> u64) -> Shrunk {
        let before = size::of_rows(&self.shown);
        self.window = self.window.after_overflow(self.expected(beside));
        self.measured = None;
        self.show();
        match size::of_rows(&self.shown) < before {
            true => Shrunk::Yes,
            false => Shrunk::No,
        }
    }

    fn show(&mut self) {
        let past = self.past.iter().map(|row| &row.entry);
        let window = self.window;
        let rows = conversation::for_model(past.chain(&self.own)).into_iter();
        self.shown = rows.map(|row| size::fitted(row, window)).collect();
    }
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
