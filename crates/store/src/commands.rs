//! What commands in chat need of the rows beside `sessions` and `transcripts`.
//!
//! A `/stop` is a message like any other until the turn that it ends takes it along: then both are
//! answered by that turn's one reply. What counts as a command is `core::command`'s to say.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::time::Timestamp;
use angelia_core::transcript::title::Title;
use async_trait::async_trait;

use crate::turns::Waiting;
use crate::{Fenced, StoreError};

/// What waits behind an open turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Behind {
    /// Messages that the agent will answer.
    pub words: usize,
    /// Those of them that end the turn.
    pub interrupts: usize,
    /// Commands that only tell something, before any that is to be followed in its turn.
    pub asides: usize,
    /// Calls to stop that came since the turn was first claimed. One that came before was meant for an
    /// earlier turn, which ended by itself.
    pub stops: usize,
    /// Questions of the turn that wait for words: what comes next may be their answer.
    pub inquiries: usize,
}

/// A conversation of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceSession {
    /// Its id.
    pub id: SessionId,
    /// Its number within the place: the first conversation is 1.
    pub number: usize,
    /// What somebody called it.
    pub title: Option<Title>,
    /// The last words in it.
    pub preview: String,
    /// When something last happened in it.
    pub active_at: Timestamp,
}

/// Reads and verbs for commands.
#[async_trait]
pub trait Commands: Send + Sync {
    /// What waits behind the turn; nothing if it is not open.
    async fn behind(&self, turn: TurnId) -> Result<Behind, StoreError>;

    /// Lets the turn answer the calls to stop that came since it was first claimed, besides its own
    /// messages. Returns all that it answers now.
    async fn take_stops(
        &self,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Vec<Waiting>>, StoreError>;

    /// The conversations that the place spoke in, oldest first: those begun there, and those it was
    /// switched to.
    async fn of_place(&self, scope: &Scope) -> Result<Vec<PlaceSession>, StoreError>;

    /// Lets the messages that wait in a conversation the place has left be answered where the place
    /// speaks now; returns how many. Those of other places stay.
    async fn carry_over(
        &self,
        from: SessionId,
        scope: &Scope,
        isolation: Isolation,
    ) -> Result<usize, StoreError>;
}
