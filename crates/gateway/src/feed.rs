//! The feed: what just happened, for whoever watches (the event stream). Who waits for one answer is no
//! watcher, but follows its own message (`followers`).
//!
//! Frames are hints. They are published after the commit they tell of, are never stored, and may be
//! missed: a watcher that fell behind is told so and reads the rows again. Draft frames carry the
//! whole reply so far, so the latest one is enough; the same holds for what a model thinks.
//!
//! Texts are long and watchers may be slow, so a frame does not own its text. The feed keeps the
//! newest few megabytes of texts; what a watcher finds gone counts as missed.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use angelia_core::address::Address;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_core::outbound::Delivery;
use angelia_core::time::Timestamp;
use angelia_core::turn::shown::Shown;
use angelia_store::approvals::Approval;
use angelia_store::processes::Process;
use tokio::sync::broadcast;

use crate::bells::Ear;
use crate::followers::Followers;

/// Frames a watcher may fall behind before it is told that it missed some.
const FRAMES_KEPT: usize = 1024;

/// A value that the feed keeps for a while.
#[derive(Debug)]
pub struct Kept<T>(Weak<T>);

impl<T> Kept<T> {
    /// The value, unless newer ones have taken its place.
    pub fn get(&self) -> Option<Arc<T>> {
        self.0.upgrade()
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

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
        inbound: Kept<Inbound>,
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
        text: Kept<String>,
    },
    /// A turn did something, or is at it.
    Step {
        /// The turn.
        turn: TurnId,
        /// Its conversation.
        session: SessionId,
        /// Its place in the journal; none while it is not there.
        seq: Option<u32>,
        /// What is known of it, fit to be seen.
        step: Kept<Shown>,
        /// When.
        at: Timestamp,
    },
    /// A delivery changed its state.
    Delivery {
        /// Its conversation.
        session: SessionId,
        /// The delivery as it is now.
        delivery: Kept<Delivery>,
    },
    /// A background process began or ended.
    Process {
        /// Its conversation.
        session: SessionId,
        /// The process as it is now.
        process: Kept<Process>,
    },
    /// Somebody is asked about a command, or has answered.
    Approval {
        /// Its conversation.
        session: SessionId,
        /// The question as it is now.
        approval: Kept<Approval>,
    },
    /// A conversation changed.
    Session {
        /// Which.
        session: SessionId,
        /// What happened to it.
        change: Change,
        /// When.
        at: Timestamp,
    },
    /// Something happened on another node; the rows tell what.
    Elsewhere,
}

/// What happened to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It began.
    Began,
    /// It ended.
    Ended,
    /// A place goes on in it.
    Resumed,
    /// It began as a copy of another.
    Branched,
    /// Something in it was taken back.
    Rewound,
    /// It is called something else.
    Renamed,
    /// A model was chosen for it, or no longer is.
    Model,
    /// Somebody else was chosen to answer in it, or no longer is.
    Agent,
    /// The next message of its place begins anew.
    Suspended,
    /// It is gone.
    Deleted,
}

impl Frame {
    /// The conversation it is about, if that is known.
    pub fn session(&self) -> Option<SessionId> {
        match self {
            Self::Message { session, .. }
            | Self::Turn { session, .. }
            | Self::Draft { session, .. }
            | Self::Step { session, .. }
            | Self::Delivery { session, .. }
            | Self::Process { session, .. }
            | Self::Approval { session, .. }
            | Self::Session { session, .. } => Some(*session),
            Self::Elsewhere => None,
        }
    }
}

/// Where frames are published.
#[derive(Debug, Clone)]
pub struct Feed {
    /// Those who wait for one answer each, and need no frames.
    pub followers: Followers,
    frames: broadcast::Sender<Frame>,
    shelf: Arc<Mutex<Shelf>>,
}

/// The newest texts, oldest first.
#[derive(Debug, Default)]
struct Shelf {
    texts: VecDeque<(usize, Arc<dyn Any + Send + Sync>)>,
    bytes: usize,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            followers: Followers::default(),
            frames: broadcast::Sender::new(FRAMES_KEPT),
            shelf: Arc::default(),
        }
    }
}

impl Feed {
    /// Publishes a frame to whoever watches now. The frame is made only if someone does.
    pub fn publish(&self, frame: impl FnOnce(&Self) -> Frame) {
        if self.frames.receiver_count() > 0 {
            // An error means that the last watcher has just left, which is as good as none.
            let _nobody = self.frames.send(frame(self)).is_err();
        }
    }

    /// Publishes the state of a delivery.
    pub fn publish_delivery(&self, delivery: Delivery) {
        // What belongs to no conversation is shown in none.
        if let Some(session) = delivery.session {
            self.publish(|feed| Frame::Delivery {
                session,
                delivery: feed.keep(delivery.text.len(), delivery),
            });
        }
    }

    /// Publishes what happened to a conversation.
    pub fn publish_change(&self, session: SessionId, change: Change, at: Timestamp) {
        self.publish(|_| Frame::Session {
            session,
            change,
            at,
        });
    }

    /// Keeps a value of so many bytes until newer ones need its place.
    pub fn keep<T: Send + Sync + 'static>(&self, bytes: usize, value: T) -> Kept<T> {
        let value = Arc::new(value);
        let kept = Kept(Arc::downgrade(&value));
        self.shelf
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .put(bytes, value);
        kept
    }

    /// Watches from now on.
    pub fn watch(&self) -> broadcast::Receiver<Frame> {
        let frames = self.frames.subscribe();
        self.followers.came.ring();
        frames
    }

    /// Hears when somebody begins to watch, or to wait for an answer.
    pub(crate) fn listen(&self) -> Ear {
        self.followers.came.listen()
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        self.frames.receiver_count() > 0
    }
}

impl Shelf {
    fn put(&mut self, bytes: usize, text: Arc<dyn Any + Send + Sync>) {
        self.texts.push_back((bytes, text));
        self.bytes += bytes;
        while self.bytes > limits::FEED_BYTES_MAX || self.texts.len() > FRAMES_KEPT {
            // The newest stays, however long it is: it is the one that watchers want.
            if self.texts.len() == 1 {
                return;
            }
            self.bytes -= self.texts.pop_front().map_or(0, |(bytes, _)| bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_newer_ones_need_the_place_of_are_gone() {
        let feed = Feed::default();
        let half = limits::FEED_BYTES_MAX / 2;
        let first = feed.keep(half, "first".to_owned());
        let second = feed.keep(half, "second".to_owned());
        assert!(first.get().is_some() && second.get().is_some());
        let third = feed.keep(1, "third".to_owned());
        assert!(first.get().is_none() && second.get().is_some() && third.get().is_some());
    }

    #[test]
    fn a_text_longer_than_all_places_is_kept_alone() {
        let feed = Feed::default();
        let small = feed.keep(1, 1);
        let huge = feed.keep(2 * limits::FEED_BYTES_MAX, 2);
        assert!(small.get().is_none() && huge.get().is_some());
    }
}
