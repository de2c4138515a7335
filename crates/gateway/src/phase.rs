//! What the node is doing: one value, seen by all.
//!
//! `Running → Draining → Stopping`. It only moves forward.

use angelia_core::restart::Going;
use angelia_core::time::Span;
use tokio::time::Instant;

use crate::watched::Watched;

/// What the node is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// An ordinary day.
    Running,
    /// Nothing new is taken; turns run on until the given moment.
    Draining {
        /// When patience ends.
        until: Instant,
        /// Why.
        going: Going,
    },
    /// Everything ends now.
    Stopping,
}

impl Phase {
    /// The name used in status and readiness.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Draining { .. } => "draining",
            Self::Stopping => "stopping",
        }
    }
}

/// Everyone's view of the phase.
#[derive(Debug, Clone)]
pub struct PhaseView {
    phase: Watched<Phase>,
}

impl PhaseView {
    /// Looks at the given phase.
    pub fn new(phase: Watched<Phase>) -> Self {
        Self { phase }
    }

    /// What the node is doing now.
    pub fn now(&self) -> Phase {
        self.phase.get()
    }

    /// Why the node goes, if it does.
    pub fn going(&self) -> Going {
        match self.now() {
            Phase::Draining { going, .. } => going,
            Phase::Running | Phase::Stopping => Going::Stop,
        }
    }

    /// Waits until nothing new may be taken.
    pub async fn not_running(&self) {
        self.reached(|phase| !matches!(phase, Phase::Running)).await;
    }

    /// Waits until running turns must let go.
    pub async fn out_of_patience(&self) {
        self.not_running().await;
        if let Phase::Draining { until, .. } = self.now() {
            tokio::select! {
                biased;
                () = self.stopping() => (),
                () = tokio::time::sleep_until(until) => (),
            }
        }
    }

    /// Waits until running turns should have let go for as long as `grace`.
    pub async fn out_of_patience_for(&self, grace: Span) {
        self.out_of_patience().await;
        tokio::time::sleep(grace.to_std()).await;
    }

    /// Waits until everything should have ended for as long as `grace`.
    pub async fn stopping_for(&self, grace: Span) {
        self.stopping().await;
        tokio::time::sleep(grace.to_std()).await;
    }

    /// Waits until everything ends.
    pub async fn stopping(&self) {
        self.reached(|phase| matches!(phase, Phase::Stopping)).await;
    }

    async fn reached(&self, there: impl FnMut(&Phase) -> bool) {
        self.phase.until(there).await;
    }
}
