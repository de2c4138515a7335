//! What a fake model says: replies, and who chooses them.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Heard, Wire};

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Words, sent as they are in one chunk.
    Say(String),
    /// Thoughts.
    Think(String),
    /// A call of a tool; its arguments come in two pieces.
    Call {
        /// What its result is matched by.
        id: String,
        /// The tool.
        name: String,
        /// What it is called with.
        arguments: Value,
    },
    /// Nothing for a while.
    Pause(Duration),
    /// A comment that keeps the line open.
    KeepAlive,
    /// The line is cut.
    HangUp,
    /// Bytes as they are.
    Raw(String),
}

/// Why a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stop {
    /// As its pieces suggest: for tools if it calls any.
    #[default]
    Usual,
    /// No room for more.
    Length,
    /// It does not tell why, and only says its last word, as some servers do.
    Untold,
}

/// How a stream ends on a wire that has a last word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Farewell {
    /// As it should.
    #[default]
    Said,
    /// Without that last word, as some servers do.
    Forgotten,
    /// As it should, and then the line stays open, as with some servers.
    Lingering,
}

/// How long a line stays open behind the last word: longer than any test waits.
pub(super) const LINGERING: Duration = Duration::from_secs(3600);

/// A refusal in place of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// When to come again: so many seconds, or a date, as it stands in the header.
    pub retry_after: Option<String>,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// Its pieces.
    pub pieces: Vec<Piece>,
    /// Why it ends.
    pub stop: Stop,
    /// What it says instead of anything.
    pub refused: Option<Refusal>,
    /// Tokens read and written, if it tells them.
    pub used: Option<(u64, u64)>,
    /// How many of those read came out of the server's cache.
    pub cached: u64,
    /// Whether the stream ends as it should.
    pub farewell: Farewell,
}

impl Reply {
    /// These words, one chunk each.
    pub fn says<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let pieces = words.into_iter().map(|word| Piece::Say(word.to_owned()));
        Self::of(pieces)
    }

    /// One call of a tool.
    pub fn calls(id: &str, name: &str, arguments: Value) -> Self {
        Self::of([Piece::Call {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
        }])
    }

    /// These pieces.
    pub fn of(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self {
            pieces: pieces.into_iter().collect(),
            used: Some((100, 10)),
            ..Self::default()
        }
    }

    /// A refusal.
    pub fn refuses(status: u16, why: &str) -> Self {
        Self {
            refused: Some(Refusal {
                status,
                body: json!({ "type": "error", "error": { "type": "fake_error", "message": why } })
                    .to_string(),
                retry_after: None,
            }),
            ..Self::default()
        }
    }

    /// With the wish that callers come again after so many seconds.
    #[must_use]
    pub fn and_asks_for(mut self, seconds: u64) -> Self {
        if let Some(refusal) = &mut self.refused {
            refusal.retry_after = Some(seconds.to_string());
        }
        self
    }

    /// With the wish that callers come again at this date.
    #[must_use]
    pub fn and_asks_until(mut self, date: &str) -> Self {
        if let Some(refusal) = &mut self.refused {
            refusal.retry_after = Some(date.to_owned());
        }
        self
    }

    /// Without a word about why it ends.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        self.stop = Stop::Untold;
        self
    }

    /// Without a word about tokens.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.used = None;
        self
    }

    /// With so many of its tokens out of a cache.
    #[must_use]
    pub fn cached(mut self, tokens: u64) -> Self {
        self.cached = tokens;
        self
    }

    /// Without a last word for the end of its stream.
    #[must_use]
    pub fn without_farewell(mut self) -> Self {
        self.farewell = Farewell::Forgotten;
        self
    }

    /// With a line that stays open behind the last word.
    #[must_use]
    pub fn lingering(mut self) -> Self {
        self.farewell = Farewell::Lingering;
        self
    }

    /// Whether it calls tools.
    pub(super) fn asks_for_tools(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Call { .. }))
    }
}

type Choose = dyn Fn(&Heard, usize) -> Reply + Send + Sync;

/// Chooses replies.
pub struct Script(Box<Choose>);

impl fmt::Debug for Script {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Script")
    }
}

impl Script {
    /// Chooses by the request, and by the how-manieth it is, from 1.
    pub fn new(choose: impl Fn(&Heard, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self(Box::new(choose))
    }

    /// The n-th request gets the n-th reply; later ones get the last.
    pub fn in_order(replies: Vec<Reply>) -> Self {
        Self::new(move |_, number| nth(&replies, number - 1))
    }

    /// Chooses by how many answers of the model stand behind the last words of a person, so that whoever
    /// asks again at the same point hears the same.
    pub fn steps(replies: Vec<Reply>) -> Self {
        Self::new(move |heard, _| nth(&replies, answers_since_the_person_spoke(heard)))
    }

    pub(super) fn reply(&self, heard: &Heard, number: usize) -> Reply {
        (self.0)(heard, number)
    }
}

fn nth(replies: &[Reply], number: usize) -> Reply {
    let reply = replies.get(number).or_else(|| replies.last());
    reply.cloned().unwrap_or_default()
}

fn answers_since_the_person_spoke(heard: &Heard) -> usize {
    let messages = heard.body["messages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let is_person = |message: &&Value| match heard.wire {
        Wire::OpenAi => message["role"] == "user",
        // On this wire the results of tools are the user's words.
        Wire::Anthropic => message["role"] == "user" && !has_result(message),
    };
    let behind = messages
        .iter()
        .rev()
        .take_while(|message| !is_person(message));
    behind
        .filter(|message| message["role"] == "assistant")
        .count()
}

fn has_result(message: &Value) -> bool {
    let blocks = message["content"].as_array().into_iter().flatten();
    blocks
        .into_iter()
        .any(|block| block["type"] == "tool_result")
}
