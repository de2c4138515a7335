//! The life of conversations: how they begin anew, are switched, stopped, taken up and ended.
//!
//! A *place* is a scope: a private chat, a group, a thread, or one person's part of a group. Its route
//! says which conversation it speaks in now. Messages move routes at the door (`intake`); the verbs
//! here are for everyone else: commands, the watcher of expiries, the operator, the agent.
//!
//! Each verb is one transaction. Those that a caller may repeat after a lost answer change nothing the
//! second time. What is expected to happen is a value: an unknown place, a target that may not be
//! reached, a conversation that ended already.
//!
//! A place is found by its exact scope and by nothing else: no conversation is guessed from who spoke
//! where.

use std::sync::Arc;

use angelia_core::address::{Address, Platform};
use angelia_core::agent::AgentName;
use angelia_core::id::SessionId;
use angelia_core::session::key::{Scope, SessionKey};
use angelia_core::session::lifecycle::{Interrupted, Standing};
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::news::News;
use angelia_core::session::origin::Origin;
use angelia_core::session::reset::Reason as Due;
use angelia_core::session::reset::notice::Past;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::lineage::Link;
use async_trait::async_trait;

use crate::StoreError;

/// Which place is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// The place itself.
    Scope(Scope),
    /// The place that speaks in this conversation now; of several the one it began in, else the first
    /// by name.
    Session(SessionId),
}

/// A wish for a new conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anew {
    /// Where.
    pub at: At,
    /// The new conversation's id.
    pub session: SessionId,
    /// Why the one before ends.
    pub why: Reason,
    /// What the new one is labelled; nothing: as the one before.
    pub label: Option<String>,
    /// Who asks: a command of the place itself is asked for from within its own turn.
    pub by: Authority,
}

/// What became of a wish for a new conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// It began, in the place of an earlier one.
    Anew {
        /// The one before.
        earlier: SessionId,
    },
    /// It had begun before; nothing was changed.
    Before,
    /// Somebody else's turn is open: what waits behind it would overtake it. Stop it first.
    Busy,
    /// The place has no conversation.
    Unknown,
}

/// By whose right a place is led to another conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// Somebody who speaks there. They reach what the place has spoken in before and, from a private
    /// chat, what the same person began in a private chat of the same account.
    Place,
    /// The operator, who reaches everything.
    Operator,
}

/// What became of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switched {
    /// The place speaks in the target now.
    Done {
        /// Where it spoke before.
        earlier: SessionId,
    },
    /// It spoke there already; nothing was changed.
    Same,
    /// A turn that is not the asker's own is open where it speaks now. Stop it first.
    Busy,
    /// The place has no conversation.
    UnknownPlace,
    /// There is no such target.
    UnknownTarget,
    /// The target may not be reached from there.
    Forbidden,
}

/// Whether something changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It did.
    Done,
    /// It was so before, or may not become so.
    Unchanged,
    /// There is no such conversation.
    Unknown,
}

/// With what force a conversation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// The first reason stays.
    Plain,
    /// Takes the place of an accidental reason.
    Boundary,
}

/// What became of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compacted {
    /// The conversation goes on in the child.
    Done,
    /// It does so already; nothing was changed.
    Before,
    /// It has ended, or goes on in another child.
    Ended(Reason),
    /// A turn is open in it. Try again when it is settled.
    Busy,
    /// There is no such conversation.
    Unknown,
}

/// A conversation whose policy has ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expired {
    /// The conversation.
    pub session: SessionId,
    /// Why.
    pub why: Due,
}

/// A thread in a question about an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InThread {
    /// Any, and none.
    Any,
    /// Outside every thread.
    None,
    /// This one.
    Named(String),
}

/// A question for the conversation of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfOrigin {
    /// The platform.
    pub platform: Platform,
    /// The chat's id; an empty one has no answer.
    pub chat: String,
    /// Where in the chat.
    pub thread: InThread,
    /// Who is looked for, if anyone in particular.
    pub person: Option<String>,
}

/// A conversation with its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The conversation.
    pub id: SessionId,
    /// The place it began in.
    pub scope: Scope,
    /// Its key.
    pub key: SessionKey,
    /// The how manieth of its place it is.
    pub generation: u32,
    /// Where it began.
    pub address: Address,
    /// Who began it.
    pub person: Option<String>,
    /// The source of its first message.
    pub origin: Option<Origin>,
    /// Who or what it is with.
    pub label: String,
    /// What somebody called it.
    pub title: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// How it stands.
    pub standing: Standing,
    /// What it holds.
    pub past: Past,
    /// When its policy ended it.
    pub expired_at: Option<Timestamp>,
    /// What its first turn will tell.
    pub news: Option<News>,
    /// The model it chose.
    pub model_override: Option<ModelOverride>,
    /// How large its last prompt was.
    pub prompt_tokens: u32,
    /// Where it came from.
    pub link: Option<Link>,
}

/// The life of conversations.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Begins a conversation because somebody asked for it. The place speaks in the new one, which
    /// keeps origin and label and nothing else; the old one ends, unless another place speaks in it.
    async fn begin_anew(&self, anew: Anew) -> Result<Begun, StoreError>;

    /// Leads a place to another conversation, which is reopened and active now. Only this place's route
    /// is changed: other places of the target stay, and so does its origin. The conversation left
    /// behind ends, unless another place speaks in it.
    async fn switch(
        &self,
        at: At,
        target: SessionId,
        authority: Authority,
    ) -> Result<Switched, StoreError>;

    /// The conversations that somebody at the place may be led to, the last active first.
    async fn reachable(&self, at: At, limit: usize) -> Result<Vec<Record>, StoreError>;

    /// Forbids a conversation to go on: the next message begins anew.
    async fn suspend(&self, session: SessionId) -> Result<Change, StoreError>;

    /// Marks a conversation as interrupted now, so that it is taken up again. Marking again renews the
    /// mark. One that is suspended is left alone.
    async fn mark_resume(&self, session: SessionId, why: Interrupted)
    -> Result<Change, StoreError>;

    /// Takes the mark away.
    async fn clear_resume(&self, session: SessionId) -> Result<Change, StoreError>;

    /// Ends a conversation where it stands; its places keep pointing at it.
    async fn end(
        &self,
        session: SessionId,
        why: Reason,
        force: Force,
    ) -> Result<Change, StoreError>;

    /// Ends what was last active more than `age` ago and takes its routes away, so that the next
    /// message begins anew. Suspended conversations and those with work under way stay. Returns how
    /// many; at most `limits::PRUNED_AT_ONCE`, so repeat it while it is that many. Without a positive
    /// age it does nothing.
    async fn prune(&self, age: Span) -> Result<usize, StoreError>;

    /// Ends conversations whose policy says so, at most `limit`, and returns them for those who tidy up
    /// after them; each is returned once. The next message still learns why it begins anew.
    async fn expire(&self, rules: Arc<Rules>, limit: usize) -> Result<Vec<Expired>, StoreError>;

    /// Whether there is a conversation beside the one that asks.
    async fn has_any(&self) -> Result<bool, StoreError>;

    /// A conversation.
    async fn lookup(&self, session: SessionId) -> Result<Option<Record>, StoreError>;

    /// The conversation that a place speaks in.
    async fn peek(&self, scope: &Scope) -> Result<Option<SessionId>, StoreError>;

    /// The newest live conversation of a chat. Who is looked for comes first; where several people have
    /// one each and none of them is looked for, there is no answer.
    async fn of_origin(&self, asked: OfOrigin) -> Result<Option<SessionId>, StoreError>;

    /// Goes on from a summary in `child`, which is the same conversation: places, key, origin, marks
    /// and waiting messages move to it as the parent ends.
    async fn compact_into(
        &self,
        parent: SessionId,
        child: SessionId,
    ) -> Result<Compacted, StoreError>;

    /// Chooses a model for a conversation; nothing takes the choice back.
    async fn set_model_override(
        &self,
        session: SessionId,
        chosen: Option<ModelOverride>,
    ) -> Result<Change, StoreError>;

    /// The model that a conversation chose.
    async fn model_override(&self, session: SessionId)
    -> Result<Option<ModelOverride>, StoreError>;

    /// Chooses who answers in a conversation; nothing takes the choice back. A turn that is open keeps
    /// its agent.
    async fn set_agent(
        &self,
        session: SessionId,
        chosen: Option<AgentName>,
    ) -> Result<Change, StoreError>;

    /// Who was chosen to answer in a conversation.
    async fn agent(&self, session: SessionId) -> Result<Option<AgentName>, StoreError>;

    /// Something happened in the conversation; and how large its prompt was, if it is known.
    async fn touch(
        &self,
        session: SessionId,
        prompt_tokens: Option<u32>,
    ) -> Result<Change, StoreError>;

    /// Since when the youngest command that still runs for the conversation does; nothing if none
    /// does. Whoever runs commands tells this whenever it changes, and again after a start.
    async fn set_work(
        &self,
        session: SessionId,
        since: Option<Timestamp>,
    ) -> Result<Change, StoreError>;
}
