//! Steps 1 to 5 for one account: what the adapter hears goes through the door.
//!
//! The adapter waits for each message to be taken. A store that cannot commit holds the listener back; the platform
//! keeps what we did not take. A message whose conversation is full is turned away, and its sender told: the account
//! goes on. A broken connection is opened again from the stored cursor, with growing pauses.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::delivery::retry;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_platforms::Adapter;
use angelia_platforms::sink::{self, Arrival};
use tokio_util::sync::CancellationToken;

use crate::door::{Door, Shut};
use crate::ground::Ground;

/// The longest pause before a broken connection is opened again.
const RECONNECT_MAX: Span = Span::minutes(2);

/// The listener of one account.
pub(crate) struct Listener {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The account.
    pub(crate) account: AccountId,
    /// The platform.
    pub(crate) adapter: Arc<dyn Adapter>,
    /// Where messages go.
    pub(crate) door: Door,
}

impl Listener {
    fn name(&self) -> String {
        format!("listener {}", self.account)
    }

    /// Listens until `stop`, or until the node takes nothing new.
    pub(crate) async fn run(self, stop: CancellationToken) {
        let phase = self.ground.phase.clone();
        tokio::select! {
            biased;
            () = stop.cancelled() => (),
            () = phase.not_running() => stop.cancel(),
            () = self.listen(&stop) => (),
        }
    }

    async fn listen(&self, stop: &CancellationToken) {
        let mut failures = 0;
        while !stop.is_cancelled() {
            let begun = self.ground.env.steady();
            let ended = self.connect(stop).await;
            let lasted = self.ground.env.elapsed(begun) > limits::platform::LASTING;
            failures = if ended { 0 } else { failures + 1 };
            // What worked for a while and broke is not what never worked.
            failures = if lasted { failures.min(1) } else { failures };
            let pause = retry::pause(failures.max(1), self.ground.env.jitter());
            tokio::time::sleep(pause.min(RECONNECT_MAX).to_std()).await;
        }
    }

    /// One connection. Returns whether it ended well.
    async fn connect(&self, stop: &CancellationToken) -> bool {
        let cursor = self.ground.store.cursor(&self.account).await;
        self.ground.note(&self.name(), &cursor);
        let Ok(cursor) = cursor else { return false };
        let (sink, mut source) = sink::channel();
        let taking = async {
            while let Some((arrival, promise)) = source.next().await {
                self.take(arrival, stop).await;
                // The adapter may be gone; then nobody waits for the answer.
                let _gone = promise.send(()).is_err();
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => true,
            ended = self.adapter.listen(cursor, &sink, stop) => {
                if let Err(error) = &ended {
                    tracing::warn!(account = %self.account, %error, "listening again soon");
                }
                ended.is_ok()
            }
            () = taking => true,
        }
    }

    /// Takes what was heard, however long it needs. Dropping this future refuses it.
    async fn take(&self, arrival: Arrival, stop: &CancellationToken) {
        let mut pause = limits::LISTENER_PAUSE;
        while !stop.is_cancelled() {
            match self.door.hear(&self.account, &arrival).await {
                Ok(()) => return,
                Err(Shut::Draining) => break,
                Err(Shut::Store(error)) => self.ground.note::<()>(&self.name(), &Err(error)),
            }
            tokio::time::sleep(pause.to_std()).await;
            pause = Span::ms(2 * pause.as_ms()).min(limits::LOOP_PERIOD);
        }
        // Not taken: never answer, so that the platform keeps it.
        std::future::pending::<()>().await;
    }
}
