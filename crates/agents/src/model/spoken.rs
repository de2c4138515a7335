//! What a model says, piece by piece, in one vocabulary for all wires; and the answer that it comes to.
//!
//! ```text
//! record ──wire──▶ Spoken… ──gather──▶ Answer
//! ```
//!
//! A stream that ends without having said why it stopped, or at least that it is over, was cut, however whole it
//! looks; what comes after that is of no interest.

use std::borrow::Cow;
use std::collections::BTreeSet;

use angelia_core::limits;
use angelia_core::transcript::usage::Tokens;
use serde_json::{Map, Value};

use super::details::Details;

/// Calls that one answer may ask for.
pub(super) const CALLS_MAX: usize = 64;

/// Bytes of an answer, its thoughts and its calls together: what is written down of them, as JSON, fits an
/// entry of the journal.
pub(super) const ANSWER_BYTES_MAX: usize = limits::STEP_BYTES_MAX / 2;

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Spoken {
    /// More words.
    Text(String),
    /// More of what it thinks, in the block with this number.
    Thought(usize, String),
    /// The seal of a block of thoughts, which the provider wants back with it.
    Sealed(usize, String),
    /// A block that only its provider can read, and wants back.
    Opaque(usize, Value),
    /// More of a block of thoughts that its provider wants back; pieces of one block are joined.
    Detail(Map<String, Value>),
    /// A call of a tool begins, or is told more about itself; pieces of one call have the same number.
    Call(usize, CallPiece),
    /// What was used until now. Only what is told counts; a later number replaces an earlier.
    Used(Used),
    /// Why it stopped.
    Stopped(Stop),
    /// The last word of a stream, or the end of a message that came whole. Some servers say nothing else about the
    /// end.
    Over,
    /// The server gave up in the middle, for this reason.
    Failed(String),
}

/// More of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CallPiece {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) arguments: String,
    /// What the server put beside it for its own use.
    pub(super) extras: Map<String, Value>,
}

/// Numbers as a server tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Used {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) cache_read: Option<u64>,
    pub(super) cache_write: Option<u64>,
    pub(super) reasoning: Option<u64>,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// It says all that it was meant to.
    Done,
    /// It waits for tools.
    Calls,
    /// There was no room for more.
    Length,
    /// The provider did not let it go on.
    Withheld,
    /// The server wants to be asked to go on with the same answer.
    Paused,
}

/// A call that an answer asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// What its result is matched by.
    pub(crate) id: String,
    /// The tool.
    pub(crate) name: String,
    /// What it is called with, as the model wrote it.
    pub(crate) arguments: String,
    /// What its server put beside it, and wants back with it.
    pub(crate) extras: Map<String, Value>,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) thoughts: Vec<Thought>,
    /// Blocks that came in pieces.
    pub(super) details: Vec<Value>,
    pub(super) calls: Vec<Asked>,
    pub(super) tokens: Tokens,
    pub(super) stop: Stop,
}

/// A block of thoughts, as its provider wants it back.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Thought {
    /// Words, and their seal if there is one.
    Words { text: String, seal: Option<String> },
    /// What only the provider can read.
    Opaque(Value),
}

/// Why there is no answer although there was a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// It ended before it was over.
    Cut,
    /// It said more than an answer may.
    TooLong,
    /// The server said why.
    Failed(String),
}

/// Makes an answer of its pieces.
#[derive(Debug, Default)]
pub(super) struct Gather {
    text: String,
    thoughts: Vec<(usize, Thought)>,
    details: Details,
    calls: Vec<(usize, CallPiece)>,
    used: Used,
    stop: Option<Stop>,
    failed: Option<String>,
    bytes: usize,
}

impl Gather {
    /// Takes a piece. Returns whether there is room for more.
    pub(super) fn take(&mut self, piece: Spoken) -> Result<(), NoAnswer> {
        match piece {
            Spoken::Text(more) => self.grow(more.len()).map(|()| self.text.push_str(&more)),
            Spoken::Thought(at, more) => self.think(at, &more),
            Spoken::Sealed(at, seal) => self.seal(at, seal),
            Spoken::Opaque(at, block) => {
                self.grow(block.to_string().len())?;
                self.thoughts.push((at, Thought::Opaque(block)));
                Ok(())
            }
            Spoken::Detail(detail) => {
                let grown = self.details.add(detail);
                self.grow(grown)
            }
            Spoken::Call(at, more) => self.call(at, more),
            Spoken::Used(used) => {
                self.used.update(used);
                Ok(())
            }
            Spoken::Stopped(stop) => {
                self.stop.get_or_insert(stop);
                Ok(())
            }
            Spoken::Over => {
                self.end();
                Ok(())
            }
            Spoken::Failed(why) => {
                self.failed.get_or_insert(why);
                Ok(())
            }
        }
    }

    /// Whether it has said why it stopped.
    pub(super) fn has_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// The answer, once the stream has ended.
    pub(super) fn finish(self) -> Result<Answer, NoAnswer> {
        let Some(stop) = self.stop else {
            return Err(self.failed.map_or(NoAnswer::Cut, NoAnswer::Failed));
        };
        let calls: Vec<Asked> = self.calls.into_iter().filter_map(asked).collect();
        let stop = match stop {
            // Some servers say `stop` and ask for tools all the same.
            Stop::Done if !calls.is_empty() => Stop::Calls,
            stop @ (Stop::Done | Stop::Calls | Stop::Length | Stop::Withheld | Stop::Paused) => {
                stop
            }
        };
        Ok(Answer {
            text: self.text,
            thoughts: self
                .thoughts
                .into_iter()
                .map(|(_, thought)| thought)
                .collect(),
            details: self.details.blocks(),
            calls,
            tokens: self.used.tokens(),
            stop,
        })
    }

    /// A last word is as good as a reason where something was said before it and nothing of that is half.
    fn end(&mut self) {
        let is_something = !self.text.trim().is_empty() || !self.calls.is_empty();
        let is_whole = self.calls.iter().all(|(_, call)| call.is_whole());
        if self.failed.is_none() && is_something && is_whole {
            self.stop.get_or_insert(Stop::Done);
        }
    }

    fn grow(&mut self, bytes: usize) -> Result<(), NoAnswer> {
        self.bytes += bytes;
        if self.bytes > ANSWER_BYTES_MAX {
            return Err(NoAnswer::TooLong);
        }
        Ok(())
    }

    fn think(&mut self, at: usize, more: &str) -> Result<(), NoAnswer> {
        self.grow(more.len())?;
        self.words_at(at).0.push_str(more);
        Ok(())
    }

    fn seal(&mut self, at: usize, more: String) -> Result<(), NoAnswer> {
        self.grow(more.len())?;
        let seal = self.words_at(at).1;
        seal.get_or_insert_default().push_str(&more);
        Ok(())
    }

    fn words_at(&mut self, at: usize) -> (&mut String, &mut Option<String>) {
        let known = self.thoughts.iter().position(|(number, thought)| {
            *number == at && matches!(thought, Thought::Words { .. })
        });
        let place = known.unwrap_or_else(|| {
            let (text, seal) = (String::new(), None);
            self.thoughts.push((at, Thought::Words { text, seal }));
            self.thoughts.len() - 1
        });
        match &mut self.thoughts[place].1 {
            Thought::Words { text, seal } => (text, seal),
            Thought::Opaque(_) => unreachable!("the place was found or made as words"),
        }
    }

    fn call(&mut self, at: usize, more: CallPiece) -> Result<(), NoAnswer> {
        let extras = more.extras.iter();
        let extras = extras.map(|(name, extra)| name.len() + extra.to_string().len());
        self.grow(more.arguments.len() + extras.sum::<usize>())?;
        if !self.calls.iter().any(|(number, _)| *number == at) {
            if self.calls.len() == CALLS_MAX {
                return Err(NoAnswer::TooLong);
            }
            self.calls.push((at, CallPiece::default()));
        }
        let known = self.calls.iter_mut().find(|(number, _)| *number == at);
        if let Some((_, call)) = known {
            call.add(more);
        }
        Ok(())
    }
}

impl Answer {
    /// Whether there is neither a word nor a call in it, and nobody said why.
    pub(super) fn is_nothing(&self) -> bool {
        let is_over = matches!(self.stop, Stop::Done | Stop::Calls);
        is_over && self.calls.is_empty() && self.text.trim().is_empty()
    }

    /// Gives calls an id of their own where they have none, or that of a call before them.
    pub(super) fn name_calls<'a>(&mut self, taken: impl IntoIterator<Item = &'a str>) {
        let mut taken: BTreeSet<String> = taken.into_iter().map(str::to_owned).collect();
        let mut number = 0;
        for call in &mut self.calls {
            while call.id.is_empty() || taken.contains(&call.id) {
                call.id = format!("call_{number}");
                number += 1;
            }
            taken.insert(call.id.clone());
        }
    }
}

impl CallPiece {
    /// Servers repeat the id and the name, or send them empty after the first time.
    fn add(&mut self, more: Self) {
        let told = |text: &String| !text.is_empty();
        self.id = self.id.take().or(more.id.filter(told));
        self.name = self.name.take().or(more.name.filter(told));
        self.arguments.push_str(&more.arguments);
        self.extras.extend(more.extras);
    }

    /// Whether it can be made as it stands.
    fn is_whole(&self) -> bool {
        let arguments = plain(&self.arguments);
        self.name.is_some() && (arguments.trim().is_empty() || is_object(&arguments))
    }
}

/// Arguments without the quotes that some servers put around all of them; those that are nothing, as none.
fn plain(written: &str) -> Cow<'_, str> {
    let trimmed = written.trim();
    if trimmed == "null" {
        return Cow::Borrowed("");
    }
    let is_quoted = trimmed.starts_with('"');
    let inner = is_quoted.then(|| serde_json::from_str::<String>(trimmed));
    match inner {
        Some(Ok(inner)) if is_object(&inner) => Cow::Owned(inner),
        Some(_) | None => Cow::Borrowed(written),
    }
}

fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(arguments).is_ok()
}

/// A call without a name is nobody's to make. One without an id gets one when it is known which are taken.
fn asked((_, call): (usize, CallPiece)) -> Option<Asked> {
    Some(Asked {
        id: call.id.unwrap_or_default(),
        name: call.name?,
        arguments: plain(&call.arguments).into_owned(),
        extras: call.extras,
    })
}

impl Used {
    fn update(&mut self, later: Self) {
        self.input = later.input.or(self.input);
        self.output = later.output.or(self.output);
        self.cache_read = later.cache_read.or(self.cache_read);
        self.cache_write = later.cache_write.or(self.cache_write);
        self.reasoning = later.reasoning.or(self.reasoning);
    }

    fn tokens(self) -> Tokens {
        Tokens {
            input: self.input.unwrap_or(0),
            output: self.output.unwrap_or(0),
            cache_read: self.cache_read.unwrap_or(0),
            cache_write: self.cache_write.unwrap_or(0),
            reasoning: self.reasoning.unwrap_or(0),
        }
    }
}

#[cfg(test)]
#[path = "spoken_tests.rs"]
mod tests;
