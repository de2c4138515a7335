//! Deltas become chunks of a stream.
//!
//! The first chunk names the speaker, the following ones add words, the last one says `stop`; then
//! usage, if it was asked for, and `[DONE]`. An error ends the stream with its body instead.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream;

use super::pieces::{Piece, Pieces};
use super::shapes::{Chunk, ChunkChoice, Delta, Usage};
use super::wait::{Answered, Waiter};

/// What all chunks of an answer share.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    /// The answer's id.
    pub(crate) id: String,
    /// When it began, in seconds since 1970.
    pub(crate) created: i64,
    /// The model that was asked for.
    pub(crate) model: String,
}

/// Whether the stream ends with the usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accounting {
    /// It does.
    Included,
    /// It does not.
    LeftOut,
}

struct Speech {
    pieces: Pieces,
    head: Head,
    accounting: Accounting,
    ready: VecDeque<String>,
}

/// Streams the answer that `waiter` waits for.
pub(crate) fn stream(
    waiter: Waiter,
    head: Head,
    accounting: Accounting,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut speech = Speech {
        pieces: Pieces::of(waiter),
        head,
        accounting,
        ready: VecDeque::new(),
    };
    let opening = Delta {
        role: Some("assistant"),
        content: Some(""),
    };
    speech.say(opening, None);
    stream::unfold(speech, |mut speech| async {
        let data = speech.next().await?;
        Some((Ok(Event::default().data(data)), speech))
    })
}

impl Speech {
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(data) = self.ready.pop_front() {
                return Some(data);
            }
            match self.pieces.next().await? {
                Piece::More(more) => self.say(words(&more), None),
                Piece::End(rest, answered) => self.end(rest.as_deref(), &answered),
                Piece::Failed(failure) => self.push(&failure.body()),
            }
        }
    }

    fn end(&mut self, rest: Option<&str>, whole: &Answered) {
        if let Some(more) = rest {
            self.say(words(more), None);
        }
        self.say(Delta::default(), Some("stop"));
        if self.accounting == Accounting::Included {
            self.push_chunk(&[], Some(Some(whole.tokens.into())));
        }
        self.ready.push_back("[DONE]".to_owned());
    }

    fn say(&mut self, delta: Delta<'_>, finish_reason: Option<&'static str>) {
        let usage = (self.accounting == Accounting::Included).then_some(None);
        let choice = ChunkChoice {
            index: 0,
            delta,
            logprobs: None,
            finish_reason,
        };
        self.push_chunk(&[choice], usage);
    }

    fn push_chunk(&mut self, choices: &[ChunkChoice<'_>], usage: Option<Option<Usage>>) {
        let head = self.head.clone();
        self.push(&Chunk {
            id: &head.id,
            object: "chat.completion.chunk",
            created: head.created,
            model: &head.model,
            choices,
            usage,
        });
    }

    fn push(&mut self, data: &impl serde::Serialize) {
        let data = serde_json::to_string(data).expect("the shapes have string keys only");
        self.ready.push_back(data);
    }
}

fn words(more: &str) -> Delta<'_> {
    Delta {
        role: None,
        content: Some(more),
    }
}
