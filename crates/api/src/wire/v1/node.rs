//! Boots of the gateway.

use angelia_core::id::NodeId;
use angelia_store::views::{Liveness, NodeRow};
use serde::{Deserialize, Serialize};

use super::time::Time;

/// A boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// Its home: the machine and the folder.
    pub place: String,
    /// The release it runs.
    pub version: String,
    /// When it began.
    pub started_at: Time,
    /// Its last sign of life.
    pub seen_at: Time,
    /// Whether it counts as alive now.
    pub alive: bool,
}

impl From<NodeRow> for Node {
    fn from(row: NodeRow) -> Self {
        Self {
            id: row.id,
            place: row.place,
            version: row.version,
            started_at: row.started_at.into(),
            seen_at: row.seen_at.into(),
            alive: row.liveness == Liveness::Alive,
        }
    }
}
