//! Deltas become the events of a stream.
//!
//! ```text
//! created ─ in_progress ─ output_item.added ─ content_part.added ─ output_text.delta …
//!     ─ output_text.done ─ content_part.done ─ output_item.done ─ completed
//! ```
//!
//! The message begins with its first words. An error ends the stream with `failed`, wherever it was. Each event has the
//! next number, and its name twice: for readers of the stream, and in what it holds.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream;
use serde_json::{Value, json};

use super::super::pieces::{Piece, Pieces};
use super::super::wait::Waiter;
use super::shapes::{Frame, State, part};

struct Telling {
    pieces: Pieces,
    frame: Frame,
    item: Item,
    number: u64,
    ready: VecDeque<(&'static str, String)>,
}

/// Whether the message of the answer has begun.
#[derive(PartialEq, Eq)]
enum Item {
    Awaited,
    Begun,
}

/// Streams the answer that `waiter` waits for.
pub(crate) fn stream(
    waiter: Waiter,
    frame: Frame,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut telling = Telling {
        pieces: Pieces::of(waiter),
        frame,
        item: Item::Awaited,
        number: 0,
        ready: VecDeque::new(),
    };
    for name in ["response.created", "response.in_progress"] {
        telling.tell_state(name, State::Begun);
    }
    stream::unfold(telling, |mut telling| async {
        let (name, data) = telling.next().await?;
        Some((Ok(Event::default().event(name).data(data)), telling))
    })
}

impl Telling {
    async fn next(&mut self) -> Option<(&'static str, String)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.pieces.next().await? {
                Piece::More(more) => self.add(&more),
                Piece::End(rest, answered) => {
                    self.add(&rest.unwrap_or_default());
                    self.finish(&answered.text);
                    self.tell_state("response.completed", State::Done(&answered));
                }
                Piece::Failed(failure) => {
                    self.tell_state("response.failed", State::Failed(&failure));
                }
            }
        }
    }

    fn add(&mut self, more: &str) {
        if self.item == Item::Awaited {
            self.item = Item::Begun;
            let item = json!({ "item": self.frame.item(None) });
            self.tell_item("response.output_item.added", item);
            let part = json!({ "part": part("") });
            self.tell_part("response.content_part.added", part);
        }
        if !more.is_empty() {
            let words = json!({ "delta": more, "logprobs": [] });
            self.tell_part("response.output_text.delta", words);
        }
    }

    fn finish(&mut self, text: &str) {
        let words = json!({ "text": text, "logprobs": [] });
        self.tell_part("response.output_text.done", words);
        self.tell_part("response.content_part.done", json!({ "part": part(text) }));
        let item = json!({ "item": self.frame.item(Some(text)) });
        self.tell_item("response.output_item.done", item);
    }

    fn tell_state(&mut self, name: &'static str, state: State<'_>) {
        let response = self.frame.response(state);
        self.tell(name, json!({ "response": response }));
    }

    fn tell_item(&mut self, name: &'static str, mut event: Value) {
        event["output_index"] = 0.into();
        self.tell(name, event);
    }

    fn tell_part(&mut self, name: &'static str, mut event: Value) {
        event["item_id"] = self.frame.item_id().into();
        event["content_index"] = 0.into();
        self.tell_item(name, event);
    }

    fn tell(&mut self, name: &'static str, mut event: Value) {
        event["type"] = name.into();
        event["sequence_number"] = self.number.into();
        self.number += 1;
        self.ready.push_back((name, event.to_string()));
    }
}
