//! What every loop stands on: the store, the environment, the bells, the feed and the phase.
//!
//! Cloning it is cheap and gives another view of the same node. It holds no state of any loop.

use std::sync::Arc;

use angelia_core::display::Displays;
use angelia_core::id::NodeId;
use angelia_core::mask::Masker;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_store::{Store, StoreError};

use crate::bells::Bells;
use crate::env::Env;
use crate::feed::Feed;
use crate::glimpses::Glimpses;
use crate::media::Media;
use crate::phase::PhaseView;
use crate::pulse::Pulse;
use crate::sketches::Sketches;
use crate::tasks::{Fault, Tasks};

/// The common ground of one node.
#[derive(Clone)]
pub struct Ground {
    /// This boot.
    pub node: NodeId,
    /// The rows.
    pub store: Arc<dyn Store>,
    /// Pictures.
    pub media: Media,
    /// Clock, ids, dice.
    pub env: Env,
    /// Wake-ups.
    pub bells: Bells,
    /// What just happened.
    pub feed: Feed,
    /// Replies that grow.
    pub sketches: Sketches,
    /// What nodes see of each other's replies that grow.
    pub glimpses: Glimpses,
    /// What people want to see where.
    pub displays: Arc<Displays>,
    /// What the node is doing.
    pub phase: PhaseView,
    /// The tasks of the node.
    pub tasks: Tasks,
    /// When each loop last ran, and what it met.
    pub pulse: Pulse,
    /// What the operator chose about conversations.
    pub rules: Arc<Rules>,
    /// Hides secrets in what is shown.
    pub masker: Arc<Masker>,
}

/// Pause before a verb that the store did not take is tried again.
const AGAIN: Span = Span::ms(200);

impl Ground {
    /// Asks the store until it answers. Whoever does not want to wait drops this.
    pub(crate) async fn insist<T, W>(&self, name: &str, verb: impl Fn() -> W) -> T
    where
        W: Future<Output = Result<T, StoreError>>,
    {
        loop {
            let done = verb().await;
            self.note(name, &done);
            match done {
                Ok(value) => return value,
                Err(_) => tokio::time::sleep(AGAIN.to_std()).await,
            }
        }
    }

    /// Notes how something went on which nothing depends. Whatever is wrong with it, the node goes on.
    pub(crate) fn remark(&self, name: &str, done: &Result<(), StoreError>) {
        self.pulse.note(name, self.env.now(), done.as_ref().err());
        if let Err(error) = done {
            let why = error.to_string();
            tracing::warn!(task = name, why, "it goes on without; trying again");
        }
    }

    /// Notes how a loop's look at the rows went. A damaged store ends the node: going on would
    /// spread the damage.
    pub fn note<T>(&self, name: &str, looked: &Result<T, StoreError>) {
        self.pulse.note(name, self.env.now(), looked.as_ref().err());
        match looked {
            // Whoever was overtaken ends by it; nothing is wrong.
            Ok(_) | Err(StoreError::Overtaken) => (),
            Err(StoreError::Unavailable(why)) => {
                tracing::warn!(
                    task = name,
                    why,
                    "the store cannot be used now; trying again"
                );
            }
            Err(
                error @ (StoreError::Corrupt(_)
                | StoreError::Newer { .. }
                | StoreError::Unfinished { .. }),
            ) => {
                self.tasks.report(Fault {
                    task: name.to_owned(),
                    why: error.to_string(),
                });
            }
        }
    }
}
