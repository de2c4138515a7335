//! Commands that are being started: those that nobody waits for any more when their turn ends.
//!
//! ```text
//! start   kept here, and waited for by whoever serves the request
//! heard   the request is answered: whoever answered it knows the process
//! left    the rest, once they are there: nobody else knows of them
//! ```
//!
//! A request that is served may be dropped at any point, and a start that is dropped leaves a process, or none; so
//! it is not the only one that holds it. A turn that only goes on elsewhere drops both, and whoever takes it over finds the
//! process by its call.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::id::ProcessId;
use angelia_core::limits;
use async_trait::async_trait;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, join_all};
use tokio::time::timeout;

use crate::background::act::{Act, Acted};
use crate::background::{Background, NotStarted, Started, Wish};
use crate::events::Ended;

type Start = Shared<BoxFuture<'static, Result<Started, NotStarted>>>;

/// What starts the commands of one turn.
pub(super) struct Starts {
    background: Arc<dyn Background>,
    /// Those whose request is not answered, by their calls.
    open: Mutex<BTreeMap<String, Start>>,
}

impl fmt::Debug for Starts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Starts({:?})", self.background)
    }
}

impl Starts {
    /// Starts them there.
    pub(super) fn over(background: Arc<dyn Background>) -> Self {
        Self {
            background,
            open: Mutex::default(),
        }
    }

    /// What came of the call is known to whoever made it.
    pub(super) fn heard(&self, call: &str) {
        self.open().remove(call);
    }

    /// The processes of calls that nobody heard of. One that takes too long is not waited for.
    pub(super) async fn left(&self) -> Vec<ProcessId> {
        let open: Vec<Start> = self.open().values().cloned().collect();
        let patience = limits::STARTED_LATE_TIME.to_std();
        let open = open.into_iter().map(|start| timeout(patience, start));
        let ended = join_all(open).await.into_iter();
        let started = ended.filter_map(|start| start.ok()?.ok());
        started.map(|started| started.id).collect()
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Start>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Background for Starts {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        let (background, call) = (self.background.clone(), wish.call.clone());
        let start = async move { background.start(wish).await };
        let start = start.boxed().shared();
        self.open().insert(call, start.clone());
        start.await
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        self.background.act(act).await
    }
}
