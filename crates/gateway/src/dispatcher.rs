//! Step 6: claims turns while there are free places, and starts a task for each.
//!
//! Woken by the inbox bell (a message came, a place became free) or a period. First it looks for
//! turns without an owner, then for conversations that wait.
//!
//! A turn found without its owner may be what ended the node that ran it. Such suspects are started
//! one after the other, each watched until it settles or its probation is over, so that one message that kills
//! the gateway does not use up the attempts of all its neighbours (decision 0012). The probation is short for one that is
//! found for the first time, so all that a dead node left are under way soon.

use std::sync::Arc;

use angelia_core::limits;
use angelia_core::recovery;
use angelia_core::ring::Ring;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::turns::ClaimedTurn;
use futures_util::future::join_all;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::ground::Ground;
use crate::phase::Phase;
use crate::turn::Runner;

/// Pause before the next look after one that the store did not answer.
const LOOK_AGAIN: Span = Span::seconds(1);

/// The dispatcher of one node.
pub(crate) struct Dispatcher {
    ground: Ground,
    runner: Arc<Runner>,
    places: Arc<Semaphore>,
    look_for_orphans_at: Instant,
    /// When a conversation may be claimed that waits for more now.
    gathered_at: Option<Instant>,
    suspect: Option<Suspect>,
}

/// What came of some claims.
#[derive(PartialEq, Eq)]
enum Found {
    /// Each found a turn, so there may be more.
    Enough,
    /// There is nothing more to find, or no place for it.
    All,
}

/// A turn that may have ended an earlier node.
struct Suspect {
    ended: CancellationToken,
    until: Instant,
}

impl Dispatcher {
    /// A dispatcher with all places free.
    pub(crate) fn new(ground: Ground, runner: Runner) -> Self {
        let look_for_orphans_at = ground.env.steady();
        let places = Arc::new(Semaphore::new(limits::TURNS_PER_NODE));
        Self {
            ground,
            runner: Arc::new(runner),
            places,
            look_for_orphans_at,
            gathered_at: None,
            suspect: None,
        }
    }

    /// Claims until the node takes nothing new. A claim that has begun is seen through: dropped in
    /// the middle, it could leave a turn that nobody runs.
    pub(crate) async fn run(mut self) {
        let phase = self.ground.phase.clone();
        let mut ear = self.ground.bells.inbox.listen();
        let mut orphans = self.ground.bells.orphans.listen();
        while self.takes_more() {
            let looked = self.look().await;
            self.ground.note("dispatcher", &looked);
            tokio::select! {
                biased;
                () = phase.not_running() => (),
                () = orphans.heard(), if looked.is_ok() => self.look_for_orphans_at = self.ground.env.steady(),
                () = ear.heard(), if looked.is_ok() => (),
                () = tokio::time::sleep_until(self.next_look()), if looked.is_ok() => (),
                () = tokio::time::sleep(LOOK_AGAIN.to_std()), if looked.is_err() => (),
            }
        }
    }

    fn takes_more(&self) -> bool {
        self.ground.phase.now() == Phase::Running
    }

    fn next_look(&self) -> Instant {
        let period = self.ground.env.steady() + limits::LOOP_PERIOD.to_std();
        let watched = self.suspect.as_ref().map(|suspect| suspect.until);
        // While one is watched, no other is looked for.
        let orphans = watched.is_none().then_some(self.look_for_orphans_at);
        let sooner = watched.into_iter().chain(self.gathered_at);
        sooner.chain(orphans).fold(period, Instant::min)
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        self.take_orphans().await?;
        let mut claims = 1;
        while self.claim(claims).await? == Found::Enough {
            claims *= 2;
        }
        let due = self.ground.store.next_gathered().await?;
        let due = due.map(|due| due.max(Span::ms(1)));
        self.gathered_at = due.map(|rest| self.ground.env.steady() + rest.to_std());
        Ok(())
    }

    /// Claims so many turns side by side, so that they share a commit. How many wait is not known; so a look
    /// begins with one, and asks for twice as many as long as all are found.
    async fn claim(&self, claims: usize) -> Result<Found, StoreError> {
        let places: Vec<_> = (0..claims).map_while(|_| self.free_place()).collect();
        let asked = places.iter().map(|_| {
            let turn = self.ground.env.turn_id();
            self.ground.store.claim_turn(self.ground.node, turn)
        });
        let claimed = join_all(asked).await;
        let mut found = match places.len() == claims {
            true => Ok(Found::Enough),
            false => {
                // Others may have room for what waits.
                self.ground.bells.far.ring(|| Ring::Inbox);
                Ok(Found::All)
            }
        };
        for (place, claimed) in places.into_iter().zip(claimed) {
            match claimed {
                Ok(Some(claimed)) => drop(self.start(claimed, place)),
                Ok(None) => found = found.and(Ok(Found::All)),
                // The others are ours, whatever became of this one.
                Err(error) => found = Err(error),
            }
        }
        found
    }

    async fn take_orphans(&mut self) -> Result<(), StoreError> {
        let now = self.ground.env.steady();
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
        self.keep_ours().await?;
        while let Some(place) = self.free_place() {
            let Some(claimed) = self.ground.store.claim_orphan(self.ground.node).await? else {
                break;
            };
            let probation = recovery::probation(claimed.attempts);
            let ended = self.start(claimed, place);
            if let Some(time) = probation {
                let until = self.ground.env.steady() + time.to_std();
                self.suspect = Some(Suspect { ended, until });
                return Ok(());
            }
        }
        self.look_for_orphans_at = now + self.until_orphans().await?.to_std();
        Ok(())
    }

    /// How long until a turn may be without its owner: until the first lease ends, and never longer than a period.
    async fn until_orphans(&self) -> Result<Span, StoreError> {
        let left = self.ground.store.next_orphan().await?;
        let left = left.unwrap_or(limits::LOOP_PERIOD);
        Ok(left
            .max(limits::TAKEOVER_PERIOD_MIN)
            .min(limits::LOOP_PERIOD))
    }

    /// Renews what this node holds. A clock that jumped, or a machine that slept, lets leases lapse
    /// whose owners are alive and well: they must not be taken for orphans.
    async fn keep_ours(&self) -> Result<(), StoreError> {
        let held = self.runner.holdings.list();
        self.ground
            .store
            .beat(self.ground.node, &held)
            .await
            .map(drop)
    }

    fn free_place(&self) -> Option<OwnedSemaphorePermit> {
        let place = self.places.clone().try_acquire_owned().ok();
        place.filter(|_| self.takes_more())
    }

    /// Starts a turn's task. The token is cancelled when it ends.
    fn start(&self, claimed: ClaimedTurn, place: OwnedSemaphorePermit) -> CancellationToken {
        let ended = CancellationToken::new();
        let (runner, inbox, guard) = (
            Arc::clone(&self.runner),
            self.ground.bells.inbox.clone(),
            ended.clone().drop_guard(),
        );
        self.ground
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
