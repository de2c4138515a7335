//! Waiting for the answer to one message.
//!
//! The rows are the truth: an answer is there when the message's turn has ended. Who follows the message
//! hears when to look, and drafts; that may be missed, so the rows are also read every few seconds. They are
//! read once after the waiting began, so nothing falls between.

use std::sync::Arc;

use angelia_core::id::InboxId;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_core::transcript::usage::Tokens;
use angelia_gateway::followers::{Follower, Heard};
use angelia_store::StoreError;
use angelia_store::views;
use tokio::time::Instant;

use crate::error::{ApiError, Kind};
use crate::state::Shared;
use crate::wire::v1::message::TurnState;

/// How often the rows are read when nothing is heard.
const LOOK_EVERY: Span = Span::seconds(3);

/// How long a caller may wait: as long as a turn may take with all its questions. Who hangs up ends it before.
const WAIT_MAX: Span = limits::TURN_LENGTH_MAX;

/// Something that is known about the answer.
#[derive(Debug)]
pub(crate) enum News {
    /// It grew; this is all of it so far.
    Draft(Arc<str>),
    /// It is complete.
    Answer(Answered),
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answered {
    /// Its words.
    pub(crate) text: String,
    /// What it used.
    pub(crate) tokens: Tokens,
}

/// The notice that a failed turn leaves already says what to do next.
const NOTICE_SAYS: &str = "";

/// Someone who waits for an answer.
pub(crate) struct Waiter {
    shared: Shared,
    follower: Follower,
    inbox: InboxId,
    until: Instant,
    look_at: Instant,
}

impl Waiter {
    /// Waits for the answer to `inbox`.
    pub(crate) fn begin(shared: &Shared, inbox: InboxId) -> Self {
        let now = shared.ground().env.steady();
        Self {
            follower: shared.ground().feed.followers.follow(inbox),
            shared: Arc::clone(shared),
            inbox,
            until: now + WAIT_MAX.to_std(),
            look_at: now,
        }
    }

    /// The whole answer.
    pub(crate) async fn answer(mut self) -> Result<Answered, ApiError> {
        loop {
            match self.next().await? {
                News::Draft(_) => (),
                News::Answer(answered) => return Ok(answered),
            }
        }
    }

    /// The next thing that is known.
    pub(crate) async fn next(&mut self) -> Result<News, ApiError> {
        loop {
            if let Some(answered) = self.look_if_due().await? {
                return Ok(News::Answer(answered));
            }
            if let Some(draft) = self.hear().await? {
                return Ok(News::Draft(draft));
            }
        }
    }

    async fn look_if_due(&mut self) -> Result<Option<Answered>, ApiError> {
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

    /// Hears one thing, or that it is time to look.
    async fn hear(&mut self) -> Result<Option<Arc<str>>, ApiError> {
        let phase = self.shared.ground().phase.clone();
        let heard = tokio::select! {
            biased;
            () = phase.stopping() => return Err(unanswered("the gateway stopped before the answer")),
            heard = self.follower.hear() => heard,
            () = tokio::time::sleep_until(self.look_at) => return Ok(None),
        };
        match heard {
            Heard::Draft(text) => Ok(Some(text)),
            Heard::End => {
                self.look_now();
                Ok(None)
            }
        }
    }

    fn look_now(&mut self) {
        self.look_at = self.shared.ground().env.steady();
    }

    async fn look(&self) -> Result<Option<Answered>, ApiError> {
        let store = &self.shared.ground().store;
        let answer = match store.answer(self.inbox).await {
            // The message is durable; a store that rests is looked at again soon.
            Err(StoreError::Unavailable(_)) => None,
            read => self.shared.stored(read)?,
        };
        answer.map_or(Ok(None), told)
    }
}

/// What was replied. A turn that did not complete is an error.
fn told(answer: views::Answer) -> Result<Option<Answered>, ApiError> {
    match TurnState::named(&answer.state) {
        TurnState::Running => Ok(None),
        TurnState::Completed => Ok(Some(Answered {
            text: answer.reply,
            tokens: answer.tokens,
        })),
        TurnState::Failed | TurnState::Interrupted | TurnState::Abandoned | TurnState::Unknown => {
            Err(ApiError::new(Kind::AgentFailed, answer.reply, NOTICE_SAYS))
        }
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
