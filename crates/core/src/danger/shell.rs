//! A small reader of shell: which commands a text would run, and what each is given.
//!
//! ```text
//! text ──list──▶ pipelines ──▶ stages: a simple command, or a group with a script of its own
//!                              words without their quotes, each with the scripts inside it: $(…) `…` <(…)
//!                              redirections, here-documents
//! ```
//!
//! It reads what POSIX shells and bash have in common, and is generous: what a shell would call a syntax
//! error is still read as commands, so that nothing hides behind one. Only quotes that do not close and
//! nesting without end are given up. It expands nothing: `$X` stays `$X`, and a substitution leaves no
//! text. It knows no program and judges nothing.

mod braces;
mod compound;
mod expansion;
mod list;
mod redirect;
mod word;

pub(super) use list::is_assignment;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::limits;

/// Commands in the order in which they are written.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) pipelines: Vec<Pipeline>,
}

/// Commands of which each is fed by the one before.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) stages: Vec<Stage>,
    pub(super) ends: Ends,
}

/// What the shell does when a pipeline was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// It waits.
    Waited,
    /// It waits, and goes on only if the pipeline did not fail.
    Needed,
    /// It goes on.
    Background,
}

/// One part of a pipeline.
#[derive(Debug)]
pub(super) enum Stage {
    Simple(Simple),
    Group(Group),
}

/// A program and what it is given.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assigned: Vec<Word>,
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
}

/// Commands that are taken together: in brackets, in a loop, under a condition, as a function.
#[derive(Debug)]
pub(super) struct Group {
    /// What it is called, if it is a function.
    pub(super) name: Option<String>,
    pub(super) body: Script,
    pub(super) redirects: Vec<Redirect>,
}

/// A word, without its quotes.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub(super) text: String,
    /// What runs to make the word.
    pub(super) inner: Vec<Script>,
    /// Whether it was written without any quotes; only such a word can be a keyword.
    bare: bool,
}

/// Where a command's input comes from and its output goes.
#[derive(Debug)]
pub(super) enum Redirect {
    From(Word),
    To(Word),
    /// A text that is written into the command: a here-document or a here-string.
    Text(Rc<OnceCell<Word>>),
}

/// Why a text cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It goes deeper than anybody writes.
    Deep,
    /// A quote does not close.
    Unclosed,
}

/// Reads a text that stands so many levels inside another.
pub(super) fn read(text: &str, depth: usize) -> Result<Script, Trouble> {
    let mut reader = Reader::new(text.chars().collect(), depth)?;
    reader.list(Closer::End)
}

/// What ends a list of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closer {
    End,
    Bracket,
    Keyword(&'static str),
    /// `;;` or `esac`.
    Arm,
}

/// A here-document whose text has not been met yet.
struct Awaited {
    until: Word,
    tabs: Tabs,
    text: Rc<OnceCell<Word>>,
}

/// Whether leading tabs belong to a here-document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tabs {
    Kept,
    Dropped,
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    awaited: Vec<Awaited>,
}

impl Reader {
    fn new(chars: Vec<char>, depth: usize) -> Result<Self, Trouble> {
        let awaited = Vec::new();
        match depth > limits::JUDGED_DEPTH_MAX {
            true => Err(Trouble::Deep),
            false => Ok(Self {
                chars,
                at: 0,
                depth,
                awaited,
            }),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        Some(char)
    }

    fn sees(&self, text: &str) -> bool {
        let ahead = self.chars.get(self.at..).unwrap_or_default();
        text.chars()
            .enumerate()
            .all(|(at, char)| ahead.get(at) == Some(&char))
    }

    /// Goes behind the text if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        let sees = self.sees(text);
        if sees {
            self.at += text.chars().count();
        }
        sees
    }

    /// Reads what stands one level deeper.
    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        if self.depth >= limits::JUDGED_DEPTH_MAX {
            return Err(Trouble::Deep);
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
