//! Waiting for the answer to one message.
//!
//! The rows are the truth: an answer is there when the message's turn has ended. The feed says when
//! to look and shows drafts; it may be missed, so the rows are also read every few seconds. The watch
//! begins before the message goes in, so nothing falls between.

use std::sync::Arc;

use angelia_core::id::InboxId;
use angelia_core::outbound::DeliveryKind;
use angelia_core::time::Span;
use angelia_gateway::feed::Frame;
use angelia_store::StoreError;
use angelia_store::views::Story;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use crate::error::{ApiError, Kind};
use crate::state::Shared;
use crate::wire::v1::message::TurnState;

/// How often the rows are read when no frame says anything.
const LOOK_EVERY: Span = Span::seconds(3);

/// How long a caller may wait: two turns that take as long as they may.
const WAIT_MAX: Span = Span::hours(1);

/// Something that is known about the answer.
#[derive(Debug)]
pub(crate) enum News {
    /// It grew; this is all of it so far.
    Draft(Arc<String>),
    /// It is complete.
    Answer(String),
}

/// The notice that a failed turn leaves already says what to do next.
const NOTICE_SAYS: &str = "";

/// Someone who waits for an answer.
pub(crate) struct Waiter {
    shared: Shared,
    frames: Receiver<Frame>,
    inbox: InboxId,
    until: Instant,
    look_at: Instant,
}

/// A watch that began before the message went in.
pub(crate) struct Watch {
    shared: Shared,
    frames: Receiver<Frame>,
}

impl Watch {
    /// Watches from now on.
    pub(crate) fn begin(shared: &Shared) -> Self {
        Self {
            frames: shared.ground().feed.watch(),
            shared: Arc::clone(shared),
        }
    }

    /// Waits for the answer to `inbox`.
    pub(crate) fn wait_for(self, inbox: InboxId) -> Waiter {
        let now = self.shared.ground().env.steady();
        Waiter {
            shared: self.shared,
            frames: self.frames,
            inbox,
            until: now + WAIT_MAX.to_std(),
            look_at: now,
        }
    }
}

impl Waiter {
    /// The whole answer.
    pub(crate) async fn answer(mut self) -> Result<String, ApiError> {
        loop {
            match self.next().await? {
                News::Draft(_) => (),
                News::Answer(text) => return Ok(text),
            }
        }
    }

    /// The next thing that is known.
    pub(crate) async fn next(&mut self) -> Result<News, ApiError> {
        loop {
            if let Some(text) = self.look_if_due().await? {
                return Ok(News::Answer(text));
            }
            if let Some(draft) = self.hear().await? {
                return Ok(News::Draft(draft));
            }
        }
    }

    async fn look_if_due(&mut self) -> Result<Option<String>, ApiError> {
        let now = self.shared.ground().env.steady();
        if now < self.look_at {
            return Ok(None);
        }
        self.look_at = now + LOOK_EVERY.to_std();
        let answer = self.look().await?;
        if answer.is_none() && now >= self.until {
            return Err(unanswered("the message was not answered in time"));
        }
        Ok(answer)
    }

    /// Hears one frame, or that it is time to look.
    async fn hear(&mut self) -> Result<Option<Arc<String>>, ApiError> {
        let phase = self.shared.ground().phase.clone();
        let heard = tokio::select! {
            biased;
            () = phase.stopping() => return Err(unanswered("the gateway stopped before the answer")),
            heard = self.frames.recv() => heard,
            () = tokio::time::sleep_until(self.look_at) => return Ok(None),
        };
        match heard {
            Ok(Frame::Draft {
                inbox_ids, text, ..
            }) if inbox_ids.contains(&self.inbox) => Ok(text.get()),
            Ok(Frame::Turn {
                inbox_ids, state, ..
            }) if state != "running" && inbox_ids.contains(&self.inbox) => {
                self.look_now();
                Ok(None)
            }
            Ok(
                Frame::Message { .. }
                | Frame::Turn { .. }
                | Frame::Draft { .. }
                | Frame::Step { .. }
                | Frame::Delivery { .. }
                | Frame::Process { .. }
                | Frame::Approval { .. }
                | Frame::Session { .. },
            ) => Ok(None),
            Err(RecvError::Lagged(_)) => {
                self.look_now();
                Ok(None)
            }
            Err(RecvError::Closed) => Err(unanswered("the gateway stopped before the answer")),
        }
    }

    fn look_now(&mut self) {
        self.look_at = self.shared.ground().env.steady();
    }

    async fn look(&self) -> Result<Option<String>, ApiError> {
        let store = &self.shared.ground().store;
        let story = match store.story(self.inbox).await {
            // The message is durable; a store that rests is looked at again soon.
            Err(StoreError::Unavailable(_)) => None,
            read => self.shared.stored(read)?,
        };
        story.map_or(Ok(None), told)
    }
}

/// The answer that a story tells, if it is over. A turn that did not complete is an error.
fn told(story: Story) -> Result<Option<String>, ApiError> {
    let state = story.turn.map(|turn| TurnState::named(&turn.state));
    let said = || -> String {
        let all = story.deliveries.iter();
        let parts = all.filter(|delivery| delivery.kind == DeliveryKind::Reply);
        parts.map(|delivery| delivery.text.as_str()).collect()
    };
    match state {
        None | Some(TurnState::Running) => Ok(None),
        Some(TurnState::Completed) => Ok(Some(said())),
        Some(
            TurnState::Failed | TurnState::Interrupted | TurnState::Abandoned | TurnState::Unknown,
        ) => Err(ApiError::new(Kind::AgentFailed, said(), NOTICE_SAYS)),
    }
}

fn unanswered(message: &str) -> ApiError {
    ApiError::new(
        Kind::Unavailable,
        message,
        "it is stored and will be answered; repeat the request with the same `Idempotency-Key` to \
         read the answer",
    )
}
