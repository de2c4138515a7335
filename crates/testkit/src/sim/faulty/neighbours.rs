//! What nodes know of each other, through the faults. In some runs they hear bells of each other, of which some are lost;
//! in the others every one of them is.

use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::id::NodeId;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::neighbours::{Heard, Neighbours};
use async_trait::async_trait;
use tokio::sync::mpsc;

use super::Faulty;
use crate::sim::dice::Dice;

/// How many bells are lost in a thousand, beside those for which a listener has no room.
const LOST: u64 = 200;

/// What was rung and nobody heard yet.
const HEARD_MAX: usize = 64;

/// What carries bells from node to node.
#[derive(Debug, Clone, Default)]
pub(in crate::sim) enum Air {
    /// Nothing does.
    #[default]
    Still,
    /// Everybody who hears.
    Carrying(Arc<Mutex<Vec<mpsc::Sender<Heard>>>>),
}

impl Faulty {
    /// The same node, hearing bells through this air.
    pub(in crate::sim) fn in_air(self, air: Air) -> Self {
        Self { air, ..self }
    }
}

impl Air {
    /// The air between so many nodes: in half of the runs with several, it carries.
    pub(in crate::sim) fn between(nodes: usize, dice: &Dice) -> Self {
        let mut dice = dice.split("air");
        match nodes > 1 && dice.happens(500) {
            true => Self::Carrying(Arc::default()),
            false => Self::Still,
        }
    }

    fn listen(&self) -> Option<mpsc::Receiver<Heard>> {
        let Self::Carrying(ears) = self else {
            return None;
        };
        let (ear, heard) = mpsc::channel(HEARD_MAX);
        let mut ears = ears.lock().unwrap_or_else(PoisonError::into_inner);
        ears.retain(|ear| !ear.is_closed());
        ears.push(ear);
        Some(heard)
    }

    /// Carries words to each of those whom the dice let hear them.
    fn carry(&self, words: &str, mut hears: impl FnMut() -> bool) {
        let Self::Carrying(ears) = self else {
            return;
        };
        let ears = ears.lock().unwrap_or_else(PoisonError::into_inner);
        for ear in ears.iter().filter(|_| hears()) {
            let _no_room = ear.try_send(Heard::Words(words.to_owned())).is_err();
        }
    }
}

#[async_trait]
impl Neighbours for Faulty {
    async fn neighbours(&self, node: NodeId) -> Result<usize, StoreError> {
        self.before().await?;
        self.inner.neighbours(node).await
    }

    async fn lease_left(&self, name: &str) -> Result<Option<Span>, StoreError> {
        self.before().await?;
        self.inner.lease_left(name).await
    }

    async fn next_orphan(&self) -> Result<Option<Span>, StoreError> {
        self.before().await?;
        self.inner.next_orphan().await
    }

    fn is_shared(&self) -> bool {
        matches!(self.air, Air::Carrying(_))
    }

    fn hear(&self) -> Option<mpsc::Receiver<Heard>> {
        self.air.listen()
    }

    async fn tell(&self, words: &str) -> Result<(), StoreError> {
        self.before().await?;
        self.air
            .carry(words, || !self.throw(|dice| dice.happens(LOST)));
        self.after().await
    }
}
