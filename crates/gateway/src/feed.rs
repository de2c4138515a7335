//! The feed: what just happened, for whoever watches (the event stream, a waiting API call).
//!
//! Frames are hints. They are published after the commit they tell of, are never stored, and may be
//! missed: a watcher that fell behind is told so and reads the rows again. Draft frames carry the
//! whole reply so far, so the latest one is enough.

use std::sync::Arc;

use angelia_core::address::Address;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::outbound::Delivery;
use angelia_core::time::Timestamp;
use tokio::sync::broadcast;

/// Frames a watcher may fall behind before it is told that it missed some.
const FRAMES_KEPT: usize = 1024;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Frame {
    /// A message was accepted.
    Message {
        /// Its row.
        inbox: InboxId,
        /// Its conversation.
        session: SessionId,
        /// What was said.
        inbound: Arc<Inbound>,
        /// When.
        at: Timestamp,
    },
    /// A turn began or ended.
    Turn {
        /// The turn.
        turn: TurnId,
        /// Its conversation.
        session: SessionId,
        /// The messages it answers.
        inbox_ids: Arc<[InboxId]>,
        /// `running`, or how it ended.
        state: &'static str,
        /// When.
        at: Timestamp,
    },
    /// A reply grew.
    Draft {
        /// The turn.
        turn: TurnId,
        /// Its conversation.
        session: SessionId,
        /// The messages it answers.
        inbox_ids: Arc<[InboxId]>,
        /// Where the reply will go.
        address: Arc<Address>,
        /// The whole reply so far.
        text: Arc<str>,
    },
    /// A delivery changed its state.
    Delivery(Arc<Delivery>),
}

impl Frame {
    /// The conversation it is about.
    pub fn session(&self) -> SessionId {
        match self {
            Self::Message { session, .. }
            | Self::Turn { session, .. }
            | Self::Draft { session, .. } => *session,
            Self::Delivery(delivery) => delivery.session,
        }
    }
}

/// Where frames are published.
#[derive(Debug, Clone)]
pub struct Feed {
    frames: broadcast::Sender<Frame>,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            frames: broadcast::Sender::new(FRAMES_KEPT),
        }
    }
}

impl Feed {
    /// Publishes a frame to whoever watches now. The frame is made only if someone does.
    pub fn publish(&self, frame: impl FnOnce() -> Frame) {
        if self.frames.receiver_count() > 0 {
            // An error means that the last watcher has just left, which is as good as none.
            let _nobody = self.frames.send(frame()).is_err();
        }
    }

    /// Watches from now on.
    pub fn watch(&self) -> broadcast::Receiver<Frame> {
        self.frames.subscribe()
    }
}
