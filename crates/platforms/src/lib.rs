//! How chat systems speak.
//!
//! `Adapter` is one of the three seams of the house. What a platform *can* do is data
//! (`Capabilities`), what we *ask* of it is a closed enum (`Action`), and what it hears goes through a
//! `Sink` that answers only after the commit. An adapter decides nothing: it listens, translates and
//! performs.
//!
//! The three platforms of the house itself (`local`, `web`, `api`) are pulled from: see `pull`. Every other
//! platform has a folder of its own.

pub mod health;
pub mod pail;
pub mod pull;
pub mod push;
pub mod sink;
pub mod telegram;

use angelia_core::address::Platform;
use angelia_core::outbound::{Action, Capabilities, Receipt, SendError};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::health::Report;
use crate::pail::{Pail, Unfetched};
use crate::push::{NotTaken, Push};
use crate::sink::Sink;

/// Why listening ended although nobody asked for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the connection ended: {0}")]
pub struct Disconnected(pub String);

/// One chat system, through one account.
#[async_trait]
pub trait Adapter: Send + Sync {
    /// The platform.
    fn platform(&self) -> Platform;

    /// What the platform can do.
    fn capabilities(&self) -> Capabilities;

    /// How the connection is.
    fn report(&self) -> Report;

    /// Hears messages from after `cursor` and hands each to `sink`, in order, until `stop`. The
    /// platform is told that we have a message only after `sink` took it.
    async fn listen(
        &self,
        cursor: Option<String>,
        sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected>;

    /// Takes a request that the platform's server made to ours, and returns once all it says is taken by `sink`.
    async fn pushed(&self, push: Push<'_>, sink: &Sink) -> Result<(), NotTaken>;

    /// Brings what came with a message, by what the message calls it, into `pail`. It may be asked for any number of
    /// times.
    async fn fetch(&self, remote: &str, pail: &mut dyn Pail) -> Result<(), Unfetched>;

    /// Does one thing on the platform.
    async fn perform(&self, action: Action) -> Result<Receipt, SendError>;
}
