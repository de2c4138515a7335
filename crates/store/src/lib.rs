//! What is remembered: the verbs of the gateway, each one transaction.
//!
//! `Store` is one of the three seams of the house. It is made of small traits, one per area, and has
//! no `begin()`: a verb reads a view, asks `core` what to do, and writes, all or nothing. Expected
//! outcomes (`Duplicate`, `Refused`, `Fenced`) are values; an error means the verb may not have
//! happened.
//!
//! The store has its own clock, given when it is opened. Leases and row times use it, so nodes need
//! not agree on theirs.
//!
//! A dropped future never leaves half a transaction: the verb happened whole or not at all, and the
//! caller who did not wait cannot tell which.

pub mod access;
pub mod approvals;
pub mod busy;
pub mod chats;
pub mod commands;
pub mod copying;
pub mod costs;
pub mod database;
pub mod deletion;
pub mod drafts;
pub mod errands;
pub mod glimpses;
pub mod intake;
pub mod leases;
pub mod links;
pub mod media;
pub mod neighbours;
pub mod outbox;
pub mod postgres;
pub mod processes;
pub mod restarts;
pub mod search;
pub mod sessions;
pub mod sqlite;
pub mod stickers;
pub mod titles;
pub mod transcripts;
pub mod turns;
pub mod usage;
mod verbs;
pub mod views;
pub mod watches;

use std::sync::Arc;

use angelia_core::time::Timestamp;

/// Everything the gateway remembers.
pub trait Store:
    access::Access
    + approvals::Approvals
    + busy::Busy
    + chats::Chats
    + commands::Commands
    + intake::Intake
    + sessions::Sessions
    + turns::Turns
    + outbox::Outbox
    + drafts::Drafts
    + errands::Errands
    + glimpses::Glimpses
    + processes::Processes
    + restarts::Restarts
    + watches::Watches
    + leases::Leases
    + links::Links
    + media::Media
    + stickers::Stickers
    + neighbours::Neighbours
    + views::Views
    + search::Search
    + transcripts::Transcripts
    + titles::Titles
    + usage::Usages
    + costs::Costs
    + deletion::Deletion
{
}

impl<T> Store for T where
    T: access::Access
        + approvals::Approvals
        + busy::Busy
        + chats::Chats
        + commands::Commands
        + intake::Intake
        + sessions::Sessions
        + turns::Turns
        + outbox::Outbox
        + drafts::Drafts
        + errands::Errands
        + glimpses::Glimpses
        + processes::Processes
        + restarts::Restarts
        + watches::Watches
        + leases::Leases
        + links::Links
        + media::Media
        + stickers::Stickers
        + neighbours::Neighbours
        + views::Views
        + search::Search
        + transcripts::Transcripts
        + titles::Titles
        + usage::Usages
        + costs::Costs
        + deletion::Deletion
{
}

/// The store's clock.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Why a verb may not have happened, by what the caller does next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be used now. Try again later; the verb may or may not have happened.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The store holds something it should not. The node must stop.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The turn that the verb was asked for is no longer the caller's; nothing was written. Cancel and
    /// forget.
    #[error("another node has this turn, or it has ended; nothing was written")]
    Overtaken,
    /// The store is a copy of another that was not finished. Nobody may use it yet.
    #[error(
        "this is a copy of {from} that is not finished; run the same `angelia migrate` again, with `database` still \
         naming {from}, and it goes on where it stopped"
    )]
    Unfinished {
        /// What it is a copy of.
        from: String,
    },
    /// The store was written by a newer release.
    #[error(
        "the store has version {found}, and this release knows versions up to {known}; \
         run the newer release, or restore a backup made before the upgrade"
    )]
    Newer {
        /// What the store says.
        found: u32,
        /// What this release knows.
        known: u32,
    },
}

/// Whether a write under a fence took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a fenced write did not happen: the work is no longer ours"]
pub enum Fenced<T> {
    /// It took place.
    Done(T),
    /// The thing is no longer the caller's: cancel and forget.
    Lost,
}

/// What became of a change to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a change that was refused did not happen"]
pub enum Change<T> {
    /// It stands.
    Done(T),
    /// There is no such conversation.
    Unknown,
    /// Somebody works in the conversation: try again when the turn has ended.
    Busy,
    /// More was said than the change was made for: read again and decide anew.
    Moved,
}

impl<T> Change<T> {
    /// The same with another value.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Change<U> {
        match self {
            Self::Done(value) => Change::Done(make(value)),
            Self::Unknown => Change::Unknown,
            Self::Busy => Change::Busy,
            Self::Moved => Change::Moved,
        }
    }
}
