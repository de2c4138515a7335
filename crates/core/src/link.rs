//! What is remembered of an agent that keeps a process and a history of its own.
//!
//! A conversation has at most one such agent at a time. The link says in which folder its process is held,
//! what the agent calls the conversation, and which prompt is under way: enough for whoever takes the turn
//! over to read on where the prompt began, and for the next turn to find out that nobody waits for an
//! earlier prompt any more.
//!
//! What the agent said is not here: it stands in the log of its holder. Nor is anything secret.

use serde::{Deserialize, Serialize};

use crate::agent::AgentName;
use crate::id::{SessionId, TurnId};

/// What is remembered of a conversation's agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Link {
    /// How many processes were started for the conversation; each has a folder of its own.
    pub starts: u32,
    /// Which agent it is, as a fingerprint of what is run; another one knows nothing of this.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The folder of the process, if one may run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How far one came with that process.
    #[serde(default)]
    pub stage: Stage,
    /// What the agent calls the conversation, once it has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The prompt that is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
}

/// The folder of the process that was started as the `number`th for a conversation with that agent. It begins
/// with the agent's name, because each agent has room and rest of its own.
pub fn folder(agent: &AgentName, session: SessionId, number: u32) -> String {
    format!("{}.{session}.{number}", agent.as_str())
}

/// Whether the process in that folder is one of that agent.
pub fn is_of(folder: &str, agent: &AgentName) -> bool {
    let name = folder.split_once('.').map(|(name, _)| name);
    name == Some(agent.as_str())
}

/// How far one came with a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It was started; whether it knows the conversation is not known.
    #[default]
    Started,
    /// It knows the conversation and can be prompted.
    Ready,
}

/// A prompt that an agent was given, or is about to be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The turn whose answer it is to be.
    pub turn: TurnId,
    /// Which of the processes it was given to.
    pub start: u32,
    /// The number of the request, which is its place in the agent's input: an input that is longer has it.
    pub request: u64,
    /// How long the request is there.
    pub bytes: u64,
    /// The place in the agent's output where its answer begins.
    pub log: u64,
    /// Whether an earlier process was given it: this stays true however often it is given again.
    #[serde(default, skip_serializing_if = "Before::is_unasked")]
    pub before: Before,
}

/// Whether an earlier process was given the prompt of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Before {
    /// None was.
    #[default]
    Unasked,
    /// One was, and did not come to an end.
    Left,
}

impl Before {
    fn is_unasked(&self) -> bool {
        *self == Self::Unasked
    }
}

impl Link {
    /// The link once another process is to be started. What the agent calls the conversation stays, since
    /// the next process may know it too, and so does a prompt that the last one left.
    #[must_use]
    pub fn restarted(&self, agent: impl FnOnce(u32) -> String) -> Self {
        let starts = self.starts.saturating_add(1);
        Self {
            starts,
            of: self.of.clone(),
            agent: Some(agent(starts)),
            stage: Stage::Started,
            conversation: self.conversation.clone(),
            prompt: self.prompt.clone(),
        }
    }

    /// The link as the agent `of` sees it: what another agent calls the conversation means nothing to it, and
    /// the process of that one is not gone on with.
    #[must_use]
    pub fn seen_by(self, of: &str) -> Self {
        if self.of == of {
            return self;
        }
        Self {
            of: of.to_owned(),
            stage: Stage::Started,
            conversation: None,
            prompt: None,
            ..self
        }
    }

    /// The prompt that the process was given which may run now.
    pub fn under_way(&self) -> Option<&Prompt> {
        let prompt = self.prompt.as_ref();
        prompt.filter(|prompt| prompt.start == self.starts)
    }

    /// Whether an earlier process than that which may run now was given the prompt of `turn`.
    pub fn before(&self, turn: TurnId) -> Before {
        match &self.prompt {
            Some(prompt) if prompt.turn != turn => Before::Unasked,
            Some(prompt) if prompt.start != self.starts => Before::Left,
            Some(prompt) => prompt.before,
            None => Before::Unasked,
        }
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
