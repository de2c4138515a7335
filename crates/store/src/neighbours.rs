//! What a node knows of others that share its store, and bells between them.
//!
//! A bell says "look", never "do this": what is told here may be lost, and then costs whoever should have heard it one
//! period. Only where several can share a store is there anybody to hear it.

use angelia_core::id::NodeId;
use angelia_core::time::Span;
use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::StoreError;

/// What comes from others, and whether anything can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// From now on they are heard.
    Listening,
    /// Somebody told this.
    Words(String),
    /// Nobody is heard now, for this reason. It is tried again; what is told meanwhile is lost.
    Deaf(StoreError),
}

/// Other nodes.
#[async_trait]
pub trait Neighbours: Send + Sync {
    /// In how many other homes a boot lives now.
    async fn neighbours(&self, node: NodeId) -> Result<usize, StoreError>;

    /// How long the lease still holds if nobody renews it; nothing if nobody has it.
    async fn lease_left(&self, name: &str) -> Result<Option<Span>, StoreError>;

    /// How long until the first of all open turns may be without its owner; nothing if none is open.
    async fn next_orphan(&self) -> Result<Option<Span>, StoreError>;

    /// Whether others can share the store.
    fn is_shared(&self) -> bool;

    /// What is told from now on, also by ourselves; nothing where nobody else can share the store.
    fn hear(&self) -> Option<mpsc::Receiver<Heard>>;

    /// Tells everybody who hears. No longer than `limits::TOLD_BYTES_MAX`.
    async fn tell(&self, words: &str) -> Result<(), StoreError>;
}
