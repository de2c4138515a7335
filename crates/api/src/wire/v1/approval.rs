//! Questions about commands and other questions of agents, and what was decided.

use angelia_core::address::Platform;
use angelia_core::approval::{self, Grant, Verdict, words};
use angelia_core::id::{ApprovalId, SessionId, TurnId};
use angelia_store::approvals;
use serde::{Deserialize, Serialize};

use super::message::User;
use super::time::Time;

/// A question whether a command may run; or one that wants words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// The conversation in which it was asked.
    pub session_id: SessionId,
    /// The turn that asked.
    pub turn: TurnId,
    /// The command, without secrets and bounded; or the question.
    pub command: String,
    /// For a question that wants words: the answers that are offered, perhaps none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// Where it would run, if that was said.
    pub workdir: Option<String>,
    /// What would run it.
    pub backend: String,
    /// Why somebody is asked.
    pub reasons: Vec<String>,
    /// The platform it was asked on.
    pub platform: Platform,
    /// The chat it was asked in.
    pub chat: String,
    /// The thread inside the chat.
    pub thread: Option<String>,
    /// Whose message led to it.
    pub user: User,
    /// Where it stands.
    pub state: ApprovalState,
    /// When it was asked.
    pub asked_at: Time,
    /// Until when it is open.
    pub expires_at: Time,
    /// When it was decided.
    pub decided_at: Option<Time>,
    /// Who decided.
    pub decided_by: Option<Decider>,
    /// Why, if somebody said so; or the answer.
    pub reason: Option<String>,
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Nobody has answered yet.
    Open,
    /// The command may run this once.
    Once,
    /// The same command may run in the conversation.
    Conversation,
    /// The same command may run everywhere.
    Always,
    /// It may not run.
    Denied,
    /// Somebody said what was wanted to be known.
    Answered,
    /// Nobody answered in time.
    Expired,
    /// The turn that asked ended first.
    Withdrawn,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// The person whose message led to the question.
    Asker,
    /// Whoever runs the gateway.
    Operator,
    /// Nobody anew: somebody had agreed to the same before.
    Grant,
    /// Nobody: time passed, or the turn ended.
    Nobody,
    /// Somebody that this release does not know.
    #[serde(other)]
    Unknown,
}

/// What somebody agreed to beyond one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The question that was answered so.
    pub id: ApprovalId,
    /// The conversation in which it holds; everywhere if there is none.
    pub session_id: Option<SessionId>,
    /// The account of the person for whom it holds; it holds for everybody if there is none.
    pub account: Option<String>,
    /// The person, by the platform's id.
    pub user_id: Option<String>,
    /// The command, without secrets and bounded.
    pub command: String,
    /// Where it may run, if that was said.
    pub workdir: Option<String>,
    /// What may run it.
    pub backend: String,
    /// When somebody agreed.
    pub granted_at: Time,
    /// Who.
    pub granted_by: Decider,
}

impl From<approvals::Agreement> for Agreement {
    fn from(agreement: approvals::Agreement) -> Self {
        let (account, user_id) = agreement.holder.unzip();
        Self {
            id: agreement.id,
            session_id: agreement.session,
            account: account.map(|account| account.0),
            user_id,
            command: agreement.command,
            workdir: agreement.workdir,
            backend: agreement.backend,
            granted_at: agreement.at.into(),
            granted_by: agreement.by.into(),
        }
    }
}

/// An operator's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalWish {
    /// What shall be.
    pub decision: WishedDecision,
    /// Why not, for the agent; or the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What an operator can decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WishedDecision {
    /// The command may run this once.
    Once,
    /// The same command may run in the conversation.
    Conversation,
    /// The same command may run everywhere.
    Always,
    /// It may not run.
    Denied,
    /// The question wants words, and `reason` has them.
    Answered,
}

impl From<ApprovalWish> for Verdict {
    fn from(wish: ApprovalWish) -> Self {
        match wish.decision {
            WishedDecision::Once => Self::Granted(Grant::Once),
            WishedDecision::Conversation => Self::Granted(Grant::Conversation),
            WishedDecision::Always => Self::Granted(Grant::Always),
            WishedDecision::Denied => Self::Denied(wish.reason.as_deref().and_then(words::reason)),
            WishedDecision::Answered => {
                Self::Answered(wish.reason.unwrap_or_default().trim().to_owned())
            }
        }
    }
}

impl From<approval::Decision> for ApprovalState {
    fn from(decision: approval::Decision) -> Self {
        match decision {
            approval::Decision::Granted(Grant::Once) => Self::Once,
            approval::Decision::Granted(Grant::Conversation) => Self::Conversation,
            approval::Decision::Granted(Grant::Always) => Self::Always,
            approval::Decision::Denied => Self::Denied,
            approval::Decision::Answered => Self::Answered,
            approval::Decision::Expired => Self::Expired,
            approval::Decision::Withdrawn => Self::Withdrawn,
        }
    }
}

impl From<approval::Decider> for Decider {
    fn from(decider: approval::Decider) -> Self {
        match decider {
            approval::Decider::Asker => Self::Asker,
            approval::Decider::Operator => Self::Operator,
            approval::Decider::Grant => Self::Grant,
            approval::Decider::Nobody => Self::Nobody,
        }
    }
}

impl From<approvals::Approval> for Approval {
    fn from(approval: approvals::Approval) -> Self {
        let (address, matter, decided) = (approval.address, approval.matter, approval.decided);
        Self {
            id: approval.id,
            session_id: approval.session,
            turn: approval.turn,
            command: matter.command,
            choices: matter.choices,
            workdir: matter.workdir,
            backend: matter.backend,
            reasons: matter.reasons,
            platform: address.platform,
            chat: address.chat.id,
            thread: address.thread,
            user: approval.person.into(),
            state: decided
                .as_ref()
                .map_or(ApprovalState::Open, |decided| decided.decision.into()),
            asked_at: approval.asked_at.into(),
            expires_at: approval.expires_at.into(),
            decided_at: decided.as_ref().map(|decided| decided.at.into()),
            decided_by: decided.as_ref().map(|decided| decided.by.into()),
            reason: decided.and_then(|decided| decided.reason),
        }
    }
}
