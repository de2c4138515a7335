//! `GET /api/v1/events`: what happens, as it happens.
//!
//! Frames are hints and may be missed; a reader that fell behind is told so (`lagged`) and reads the
//! pages again. Of several drafts of one turn that wait to be sent, only the newest is: each carries
//! the whole reply so far. So do thoughts. The stream ends when the node or the server stops.

use std::convert::Infallible;
use std::sync::Arc;

use angelia_core::id::SessionId;
use angelia_core::mask::Masker;
use angelia_core::turn::shown::Shown;
use angelia_gateway::feed::{Frame, Kept};
use angelia_gateway::phase::PhaseView;
use axum::Extension;
use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event as Sent, KeepAlive};
use futures_util::Stream;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::params::Params;
use crate::server::Closing;
use crate::state::Shared;
use crate::wire::v1::event::{Event, Lagged};

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    session: Option<SessionId>,
}

/// Someone who reads along.
struct Watcher {
    frames: Receiver<Frame>,
    session: Option<SessionId>,
    /// What was met while looking for a newer draft.
    held: Option<Heard>,
    masker: Arc<Masker>,
    phase: PhaseView,
    closing: Closing,
}

/// What the feed gave.
enum Heard {
    Frame(Frame),
    Missed(u64),
    Ended,
}

/// Streams what happens.
pub(super) async fn watch(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
    closing: Option<Extension<Closing>>,
) -> Sse<impl Stream<Item = Result<Sent, Infallible>>> {
    let ground = shared.ground();
    let watcher = Watcher {
        frames: ground.feed.watch(),
        session: query.session,
        held: None,
        masker: ground.masker.clone(),
        phase: ground.phase.clone(),
        closing: closing
            .map(|Extension(closing)| closing)
            .unwrap_or_default(),
    };
    let events = stream::unfold(watcher, |mut watcher| async {
        let event = watcher.next().await?;
        Some((Ok(sent(&event)), watcher))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

fn sent(event: &Event) -> Sent {
    let named = Sent::default().event(event.name());
    // The shapes have string keys only, so they can always be written as JSON.
    named
        .json_data(event)
        .unwrap_or_else(|_| Sent::default().comment("unwritable"))
}

impl Watcher {
    async fn next(&mut self) -> Option<Event> {
        let (phase, closing) = (self.phase.clone(), self.closing.clone());
        tokio::select! {
            biased;
            () = closing.0.cancelled() => None,
            () = phase.stopping() => None,
            event = self.heard() => event,
        }
    }

    async fn heard(&mut self) -> Option<Event> {
        loop {
            match self.hear().await {
                Heard::Frame(frame) if self.is_wanted(&frame) => {
                    let gone = Event::Lagged(Lagged { missed: 1 });
                    return Some(Event::of(&self.newest(frame), &self.masker).unwrap_or(gone));
                }
                Heard::Frame(_) => (),
                Heard::Missed(missed) => return Some(Event::Lagged(Lagged { missed })),
                Heard::Ended => return None,
            }
        }
    }

    async fn hear(&mut self) -> Heard {
        if let Some(held) = self.held.take() {
            return held;
        }
        match self.frames.recv().await {
            Ok(frame) => Heard::Frame(frame),
            Err(RecvError::Lagged(missed)) => Heard::Missed(missed),
            Err(RecvError::Closed) => Heard::Ended,
        }
    }

    fn is_wanted(&self, frame: &Frame) -> bool {
        let about = self.session.zip(frame.session());
        about.is_none_or(|(wanted, session)| wanted == session)
    }

    /// The newest of the drafts, or of the thoughts, that wait one behind the other.
    fn newest(&mut self, mut frame: Frame) -> Frame {
        while is_growing(&frame) {
            let heard = match self.frames.try_recv() {
                Ok(next) if goes_on(&frame, &next) => {
                    frame = next;
                    continue;
                }
                Ok(other) => Heard::Frame(other),
                Err(TryRecvError::Lagged(missed)) => Heard::Missed(missed),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return frame,
            };
            self.held = Some(heard);
            break;
        }
        frame
    }
}

/// Whether the next of its kind says all that this one says.
fn is_growing(frame: &Frame) -> bool {
    matches!(frame, Frame::Draft { .. } | Frame::Step { seq: None, .. })
}

fn goes_on(frame: &Frame, next: &Frame) -> bool {
    match (frame, next) {
        (Frame::Draft { turn, .. }, Frame::Draft { turn: other, .. }) => turn == other,
        (
            Frame::Step { turn, step, .. },
            Frame::Step {
                turn: other,
                step: later,
                ..
            },
        ) => turn == other && is_same(step, later),
        _ => false,
    }
}

fn is_same(one: &Kept<Shown>, other: &Kept<Shown>) -> bool {
    match (one.get(), other.get()) {
        (Some(one), Some(other)) => other.stands_for(&one),
        _ => false,
    }
}
