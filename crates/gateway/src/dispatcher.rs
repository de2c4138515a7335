//! Step 6: claims turns while there are free places, and starts a task for each.
//!
//! Woken by the inbox bell (a message came, a place became free) or a period. First it looks for
//! turns without an owner, then for conversations that wait.
//!
//! A turn found without its owner may be what ended the node that ran it. Such suspects are started
//! one at a time, each watched until it settles or some seconds pass, so that one message that kills
//! the gateway does not use up the attempts of all its neighbours (decision 0012).

use std::sync::Arc;

use angelia_core::limits;
use angelia_store::StoreError;
use angelia_store::turns::ClaimedTurn;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::common::Common;
use crate::turn::Runner;

/// The dispatcher of one node.
pub(crate) struct Dispatcher {
    common: Common,
    runner: Runner,
    places: Arc<Semaphore>,
    look_for_orphans_at: Instant,
    suspect: Option<Suspect>,
}

/// A turn that may have ended an earlier node.
struct Suspect {
    ended: CancellationToken,
    until: Instant,
}

impl Dispatcher {
    /// A dispatcher with all places free.
    pub(crate) fn new(common: Common, runner: Runner) -> Self {
        let look_for_orphans_at = common.env.steady();
        let places = Arc::new(Semaphore::new(limits::TURNS_PER_NODE));
        Self {
            common,
            runner,
            places,
            look_for_orphans_at,
            suspect: None,
        }
    }

    /// Claims until the node takes nothing new.
    pub(crate) async fn run(mut self) {
        let mut phase = self.common.phase.clone();
        let mut ear = self.common.bells.inbox.listen();
        let claiming = async {
            loop {
                let looked = self.look().await;
                self.common.note("dispatcher", &looked);
                tokio::select! {
                    biased;
                    () = ear.heard(), if looked.is_ok() => (),
                    () = tokio::time::sleep_until(self.next_look()) => (),
                }
            }
        };
        tokio::select! {
            biased;
            () = phase.not_running() => (),
            () = claiming => (),
        }
    }

    fn next_look(&self) -> Instant {
        let period = self.common.env.steady() + limits::LOOP_PERIOD.to_std();
        self.suspect
            .as_ref()
            .map_or(period, |suspect| suspect.until.min(period))
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        self.take_orphans().await?;
        while let Some(place) = self.free_place() {
            let turn = self.common.env.turn_id();
            match self.common.store.claim_turn(self.common.node, turn).await? {
                Some(claimed) => drop(self.start(claimed, place)),
                None => break,
            }
        }
        Ok(())
    }

    async fn take_orphans(&mut self) -> Result<(), StoreError> {
        let now = self.common.env.steady();
        if self
            .suspect
            .as_ref()
            .is_some_and(|suspect| suspect.is_watched(now))
        {
            return Ok(());
        }
        if self.suspect.take().is_none() && now < self.look_for_orphans_at {
            return Ok(());
        }
        while let Some(place) = self.free_place() {
            let Some(claimed) = self.common.store.claim_orphan(self.common.node).await? else {
                break;
            };
            let is_suspect = claimed.attempts > 1;
            let ended = self.start(claimed, place);
            if is_suspect {
                self.suspect = Some(Suspect {
                    ended,
                    until: now + limits::PROBATION.to_std(),
                });
                return Ok(());
            }
        }
        self.look_for_orphans_at = now + limits::LOOP_PERIOD.to_std();
        Ok(())
    }

    fn free_place(&self) -> Option<OwnedSemaphorePermit> {
        self.places.clone().try_acquire_owned().ok()
    }

    /// Starts a turn's task. The token is cancelled when it ends.
    fn start(&self, claimed: ClaimedTurn, place: OwnedSemaphorePermit) -> CancellationToken {
        let ended = CancellationToken::new();
        let (runner, inbox, guard) = (
            self.runner.clone(),
            self.common.bells.inbox.clone(),
            ended.clone().drop_guard(),
        );
        self.common
            .tasks
            .spawn(format!("turn {}", claimed.turn), async move {
                runner.run(claimed).await;
                drop((place, guard));
                // A place is free, and the conversation may have more waiting.
                inbox.ring();
            });
        ended
    }
}

impl Suspect {
    fn is_watched(&self, now: Instant) -> bool {
        !self.ended.is_cancelled() && now < self.until
    }
}
