//! The gateway: its parts in, a running node out.
//!
//! Starting is the only way to begin: there is no recovery mode. Stopping is three steps: take nothing
//! new and let turns end (`Draining`), deliver what is due, end everything (`Stopping`). Being killed
//! instead is the normal case; the next start sees the same rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_core::address::AccountId;
use angelia_core::limits;
use angelia_core::session::key::Isolation;
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_platforms::Adapter;
use angelia_store::leases::Boot;
use angelia_store::{Store, StoreError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::bells::Bells;
use crate::common::Common;
use crate::dispatcher::Dispatcher;
use crate::door::Door;
use crate::env::Env;
use crate::feed::Feed;
use crate::janitor;
use crate::leases::{self, Holdings};
use crate::phase::{Phase, PhaseView};
use crate::pulse::Pulse;
use crate::settle::Closing;
use crate::tasks::{Fault, Tasks};
use crate::turn::Runner;

/// What a gateway is made of.
pub struct Parts {
    /// The rows.
    pub store: Arc<dyn Store>,
    /// The accounts and their platforms.
    pub adapters: BTreeMap<AccountId, Arc<dyn Adapter>>,
    /// The agent.
    pub backend: Arc<dyn Backend>,
    /// Clock, ids, dice.
    pub env: Env,
    /// What the operator chose.
    pub settings: Settings,
}

/// What the operator chose.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The data directory, as a name that only this machine's boots share.
    pub home: String,
    /// The release.
    pub version: String,
    /// How groups are divided into conversations.
    pub isolation: Isolation,
    /// What a message does while a turn runs.
    pub busy: Mode,
    /// How long a stopping node lets its turns run on.
    pub drain: Span,
}

/// A running node.
pub struct Gateway {
    common: Common,
    door: Door,
    phase: watch::Sender<Phase>,
    beating: CancellationToken,
    drain: Span,
}

impl Gateway {
    /// Registers the boot and starts the loops. When this returns, messages are answered.
    ///
    /// # Errors
    /// The store could not register the boot.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        let (phase, view) = watch::channel(Phase::Running);
        let common = Common {
            node: parts.env.node_id(),
            store: parts.store,
            bells: Bells::new(parts.adapters.keys()),
            env: parts.env,
            feed: Feed::default(),
            phase: PhaseView::new(view),
            tasks: Tasks::default(),
            pulse: Pulse::default(),
        };
        let Settings {
            home,
            version,
            isolation,
            busy,
            drain,
        } = parts.settings;
        common
            .store
            .start_node(Boot {
                node: common.node,
                home,
                version,
            })
            .await?;
        let door = Door::new(common.clone(), isolation);
        let gateway = Self {
            common,
            door,
            phase,
            beating: CancellationToken::new(),
            drain,
        };
        gateway.start_loops(Arc::new(parts.adapters), parts.backend, busy);
        Ok(gateway)
    }

    fn start_loops(
        &self,
        adapters: Arc<BTreeMap<AccountId, Arc<dyn Adapter>>>,
        backend: Arc<dyn Backend>,
        busy: Mode,
    ) {
        let (common, holdings) = (&self.common, Holdings::default());
        let tasks = &common.tasks;
        let heartbeat = leases::heartbeat(common.clone(), holdings.clone(), self.beating.clone());
        tasks.spawn("heartbeat", heartbeat);
        for (account, adapter) in adapters.iter() {
            let account = Account {
                common: common.clone(),
                account: account.clone(),
                adapter: adapter.clone(),
                door: self.door.clone(),
                holdings: holdings.clone(),
            };
            tasks.spawn(format!("account {}", account.account), account.run());
        }
        let closing = Closing {
            common: common.clone(),
            adapters,
        };
        let runner = Runner {
            common: common.clone(),
            backend,
            holdings,
            busy,
            closing,
        };
        tasks.spawn("dispatcher", Dispatcher::new(common.clone(), runner).run());
        tasks.spawn("janitor", janitor::run(common.clone()));
    }

    /// What the HTTP interface stands on.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// The in-door.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Waits until the node cannot go on.
    pub async fn fault(&self) -> Fault {
        self.common.tasks.fault().await
    }

    /// Takes nothing new, lets turns end within the drain time, delivers what is due, and ends.
    pub async fn stop(&self) {
        let until = self.common.env.steady() + self.drain.to_std();
        self.phase.send_replace(Phase::Draining { until });
        self.turns_ended().await;
        let flushed = self.delivered();
        let _late = tokio::time::timeout(limits::DRAIN_DELIVERY_TIME.to_std(), flushed)
            .await
            .is_err();
        self.phase.send_replace(Phase::Stopping);
        self.beating.cancel();
        self.common.tasks.joined().await;
        let stopped = self.common.store.stop_node(self.common.node).await;
        self.common.note("supervisor", &stopped);
    }

    /// Ends everything at its next await, as a kill would.
    pub fn kill(&self) {
        self.common.tasks.abort();
    }

    /// Turns end by themselves, or let go when patience runs out.
    async fn turns_ended(&self) {
        self.common.tasks.ended("turn ").await;
    }

    /// Waits until nothing is due on any account.
    async fn delivered(&self) {
        loop {
            match self.common.store.counts().await {
                Ok(counts) if counts.due == 0 => return,
                Ok(_) | Err(_) => tokio::time::sleep(Span::ms(20).to_std()).await,
            }
        }
    }
}
