//! Messages that show a reply while it grows: written down before they are sent, with their receipt after.
//!
//! A sign on the message that is answered is written down in the same way, so that it is changed when the turn has ended,
//! whoever does that.
//!
//! A row is what lets the reply end in the message that it began in, also on another node or after a crash.
//! Nothing of the words is kept. A row without a receipt is a message that may be shown and that nobody can
//! find again; it stays as the record of that doubt.

use angelia_core::address::{AccountId, Address};
use angelia_core::id::{DeliveryId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::outbound::{Receipt, Sign};
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// What a message shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A part of the reply.
    Reply,
    /// Lines about tools, which stay.
    Lines,
    /// Lines about tools, which go when the turn has ended.
    PassingLines,
    /// Nothing of its own: it is somebody's message with a sign of ours on it.
    Sign,
}

/// A message that is about to be sent.
#[derive(Debug, Clone)]
pub struct NewDraft {
    /// What it is known by; the key of its send.
    pub id: DeliveryId,
    /// The turn whose reply grows.
    pub turn: TurnId,
    /// The fence of the account's lease.
    pub fence: Fence,
    /// Where it goes.
    pub address: Address,
    /// What it shows.
    pub role: Role,
    /// Its number among the turn's messages of this role, from 1: that of the part of the reply.
    pub place: u32,
}

/// Whether a message may be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// It is written down and may be sent.
    Now,
    /// Something else is to be said in the chat first.
    NotYet,
}

/// A message that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What it is known by.
    pub id: DeliveryId,
    /// What it shows.
    pub role: Role,
    /// Its number among those of its role.
    pub place: u32,
    /// The platform's id of it.
    pub receipt: Receipt,
}

/// A message of a turn that has said everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// What it is known by.
    pub id: DeliveryId,
    /// Where it is.
    pub address: Address,
    /// The platform's id of it.
    pub receipt: Receipt,
    /// What is to be done about it.
    pub fate: Fate,
}

/// What is to be done about a message of a turn that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is the reply now, or stays as it is: only the row goes.
    Stays,
    /// It shows what is no part of the reply, and is to be taken away.
    Goes,
    /// It is somebody's, and this sign is to be put on it; none if ours is to go.
    Signed(Option<Sign>),
}

/// Messages that show replies while they grow.
#[async_trait]
pub trait Drafts: Send + Sync {
    /// Writes a message down before it is sent: only under the live lease of its account, only while the
    /// turn is open, and, unless it is but a sign, only while nothing waits to be sent in the chat.
    async fn begin_draft(&self, new: NewDraft) -> Result<Fenced<Begun>, StoreError>;

    /// Writes down that a message is shown. It is a fact, whoever holds what by now.
    async fn keep_draft(&self, id: DeliveryId, receipt: Receipt) -> Result<(), StoreError>;

    /// The messages of a turn whose receipts are known, in order; of several in one place the newest.
    async fn drafts(&self, turn: TurnId) -> Result<Vec<Draft>, StoreError>;

    /// Messages of turns that are closed and have nothing left to send, oldest first.
    async fn stale_drafts(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<Stale>, StoreError>;

    /// Forgets a message: it is the reply, was taken away, or was never sent.
    async fn forget_draft(&self, id: DeliveryId) -> Result<(), StoreError>;
}
