//! Who works on what, and which boots there are.

use std::sync::Arc;

use angelia_core::id::{NodeId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::time::Span;
use async_trait::async_trait;

use crate::{Store, StoreError};

/// A boot that begins.
#[derive(Debug, Clone)]
pub struct Boot {
    /// Its id.
    pub node: NodeId,
    /// The data directory it has locked. Earlier boots of the same home are dead: the lock proves it.
    pub home: String,
    /// Where that is, in words for people.
    pub place: String,
    /// The release it runs.
    pub version: String,
}

/// A lease that the caller believes to hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// Its name.
    pub name: String,
    /// The fence under which it was taken.
    pub fence: Fence,
}

/// Leases and boots.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Registers a boot and ends every lease of earlier boots of the same home. Again for the same
    /// boot it changes nothing.
    async fn start_node(&self, boot: Boot) -> Result<(), StoreError>;

    /// Says that the boot lives, and renews the leases it holds, also one that lapsed and that nobody
    /// took. Returns those that are lost: ended on purpose, or held by another claim by now.
    async fn beat(&self, node: NodeId, held: &[Held]) -> Result<Vec<Held>, StoreError>;

    /// Takes or renews the lease `name` for `node` (`lease::take`); nothing while another holds it.
    async fn take_lease(&self, name: &str, node: NodeId) -> Result<Option<Fence>, StoreError>;

    /// The same store in the hands of a turn. Whatever is written through it is written only while the
    /// turn is open under this fence; each verb asks that in its own transaction, and is `Overtaken`
    /// otherwise. So a node that stood still cannot do later what another has done or given up since.
    fn held_by(&self, turn: TurnId, fence: Fence) -> Arc<dyn Store>;

    /// Ends a lease now. The row and its fence stay.
    async fn release_lease(&self, held: &Held) -> Result<(), StoreError>;

    /// Marks the boot as ended.
    async fn stop_node(&self, node: NodeId) -> Result<(), StoreError>;

    /// Removes rows of boots that were not seen for `kept`, and of restarts that were over by then. Returns how
    /// many boots.
    async fn sweep_nodes(&self, kept: Span) -> Result<usize, StoreError>;
}
