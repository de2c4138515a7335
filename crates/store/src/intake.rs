//! Step 5, *accept*: an arriving message becomes a row, with its session and its cursor.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, InboxId, SessionId};
use angelia_core::inbound::Inbound;
use angelia_core::intake::Refusal;
use angelia_core::session::key::{Isolation, Scope, SessionKey};
use angelia_core::session::rules::Rules;
use angelia_core::whatsapp::aliases::Alias;
use async_trait::async_trait;

use crate::StoreError;

/// A message at the door.
#[derive(Debug, Clone)]
pub struct Accept {
    /// The message.
    pub inbound: Inbound,
    /// Its id, if it is new.
    pub inbox: InboxId,
    /// The session's id, if a conversation begins with it.
    pub session: SessionId,
    /// Who shares a conversation, and when one begins anew.
    pub rules: Arc<Rules>,
    /// How far the listener has read once this message is taken.
    pub cursor: Option<String>,
}

/// Where an accepted message stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The message's row.
    pub inbox: InboxId,
    /// The conversation it belongs to.
    pub session: SessionId,
    /// The conversation's key.
    pub key: SessionKey,
}

/// What became of a message at the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// It is durable and will be answered.
    New(Place),
    /// It came before; nothing was started.
    Duplicate(Place),
    /// It was not taken.
    Refused(Refusal),
}

/// A message that is turned away because its conversation is full.
#[derive(Debug, Clone)]
pub struct Away {
    /// The message.
    pub inbound: Inbound,
    /// The id of the row that recognises it.
    pub inbox: InboxId,
    /// What its sender is told.
    pub notice: (DeliveryId, String),
    /// How far the listener has read once it is turned away.
    pub cursor: Option<String>,
}

/// Two ids that a platform says are one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
}

/// The in-door.
#[async_trait]
pub trait Intake: Send + Sync {
    /// Takes a message: inbox row, session and cursor, all or none. Whether its conversation goes on or
    /// begins anew is decided here, in the same transaction. A message that came before is
    /// recognised by (account, event key), also when the conversation is full by now. The cursor moves
    /// for duplicates and for refusals that are final; not for those that may pass later.
    async fn accept(&self, message: Accept) -> Result<Accepted, StoreError>;

    /// Turns a message away that [`Intake::accept`] found no room for: a row that recognises it when it comes again,
    /// without its words; what its sender is told, below their message; and the cursor, all or none. One that came
    /// before only moves the cursor.
    async fn turn_away(&self, away: Away) -> Result<(), StoreError>;

    /// How far the account's listener has read.
    async fn cursor(&self, account: &AccountId) -> Result<Option<String>, StoreError>;

    /// The place that a message speaks in, found as `accept` finds it; nothing for one that would be
    /// refused.
    async fn place_of(
        &self,
        inbound: &Inbound,
        isolation: Isolation,
    ) -> Result<Option<Scope>, StoreError>;

    /// Notes that two WhatsApp ids are one person: from then on both lead to the same conversations. An
    /// id that is new joins the one that is known; of two people who were known the older one's
    /// conversations go on, and the other's are reached by resuming them. Returns the rows that changed:
    /// none if it was known, or if one of the two can be nobody's id.
    async fn learn_alias(&self, pair: Pair) -> Result<Vec<Alias>, StoreError>;
}
