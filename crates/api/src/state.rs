//! What every route stands on.

use std::sync::Arc;

use angelia_core::limits;
use angelia_core::time::Timestamp;
use angelia_gateway::gateway::Gateway;
use angelia_gateway::ground::Ground;
use angelia_store::StoreError;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Semaphore;

use crate::auth::Locks;
use crate::error::ApiError;
use crate::token::Token;

/// What the interface is made of.
#[derive(Clone)]
pub struct ApiState {
    /// The running node.
    pub gateway: Arc<Gateway>,
    /// The token that opens the interface.
    pub token: Token,
    /// Who answers.
    pub agent: AgentInfo,
    /// Renders what the recorder counted.
    pub metrics: PrometheusHandle,
    /// The address of the web console, as people type it.
    pub console: String,
    /// The process.
    pub pid: u32,
    /// When it began.
    pub started_at: Timestamp,
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// The kind of agent.
    pub backend: String,
    /// The model that it usually asks, where we know it.
    pub model: Option<String>,
    /// Whether an operator chose it; `false` while the demo agent stands in.
    pub configured: bool,
}

/// The state as the routes share it.
pub(crate) struct Inner {
    pub(crate) api: ApiState,
    pub(crate) locks: Locks,
    /// Leaves to read a request that is large because of its pictures.
    pub(crate) large_bodies: Semaphore,
}

/// One pointer per request.
pub(crate) type Shared = Arc<Inner>;

impl Inner {
    /// Cuts the keys once, not for every request.
    pub(crate) fn new(api: ApiState) -> Self {
        let locks = Locks::of(&api.token);
        let large_bodies = Semaphore::new(limits::PICTURES_BODIES_AT_ONCE);
        Self {
            api,
            locks,
            large_bodies,
        }
    }

    /// The common ground of the node.
    pub(crate) fn ground(&self) -> &Ground {
        self.api.gateway.ground()
    }

    /// What the store said, as an answer. A damaged store ends the node, whoever met it first.
    pub(crate) fn stored<T>(&self, result: Result<T, StoreError>) -> Result<T, ApiError> {
        if let Err(StoreError::Corrupt(_) | StoreError::Newer { .. }) = &result {
            self.ground().note("http", &result);
        }
        result.map_err(ApiError::from)
    }
}
