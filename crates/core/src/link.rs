//! What is remembered of an agent that keeps a process and a history of its own.
//!
//! A conversation has at most one such agent at a time. The link says in which folder its process is held,
//! what the agent calls the conversation, and which prompt is under way: enough for whoever takes the turn
//! over to read on where the prompt began, and for the next turn to find out that nobody waits for an
//! earlier prompt any more.
//!
//! What the agent said is not here: it stands in the log of its holder. Nor is anything secret: how an agent is set
//! up is remembered as a mark that nobody can make, or try out, without the key of the home.

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::agent::AgentName;
use crate::command::Theirs;
use crate::id::{SessionId, TurnId};
use crate::transcript::entry::Role;

/// Set before what a mark is of, so that another use of the key gives other marks.
const MARK_OF: &[u8] = b"angelia agent settings 1";

/// Bytes of a mark that tell the settings of one agent apart.
const MARK_BYTES: usize = 16;

/// What is remembered of a conversation's agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Link {
    /// How many processes were started for the conversation; each has a folder of its own.
    pub starts: u32,
    /// Which agent it is, as a fingerprint of what is run; another one knows nothing of this.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// How that one is set up, as a [`mark`]. With other settings it is started anew, and knows the conversation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub set_up: String,
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
    /// Who knows what was said before.
    #[serde(default, skip_serializing_if = "Memory::is_its")]
    pub memory: Memory,
    /// The last row of the transcript before the turn that was prompted last, whoever may see it; zero if there was
    /// none. What came after it is that turn's, and what came after that the agent does not know. A turn that left no
    /// row is none of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Whether the process looks at pictures itself.
    #[serde(default, skip_serializing_if = "Sight::is_links")]
    pub sight: Sight,
    /// Which commands of its own the agent has told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commands: Option<Theirs>,
}

/// What stands behind a row of a transcript, as far as it is visible: who spoke, without the words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sequel {
    /// The numbers of the rows, oldest first, and who spoke; the newest of very many.
    pub rows: Vec<(u64, Role)>,
    /// The number of the last row of the transcript, whoever may see it; zero if there is none.
    pub last: u64,
}

/// How an agent is shown pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// It is told where they are.
    #[default]
    Links,
    /// It is given them.
    Pictures,
}

impl Sight {
    fn is_links(&self) -> bool {
        *self == Self::Links
    }
}

/// What tells an agent's settings from others, which may be secrets.
pub fn mark(key: &[u8], settings: &str) -> String {
    let mut hash = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    hash.update(MARK_OF);
    hash.update(settings.as_bytes());
    let bytes = hash.finalize().into_bytes();
    let bytes = bytes.iter().take(MARK_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Who knows what was said in a conversation before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// The agent does. Earlier releases took that for granted.
    #[default]
    Its,
    /// We do: the agent has to be told.
    Ours,
}

impl Memory {
    fn is_its(&self) -> bool {
        *self == Self::Its
    }
}

/// The folder of the process that was started as the `number`th for a conversation with that agent. It begins
/// with the agent's name, because each agent has room and rest of its own.
pub fn folder(agent: &AgentName, session: SessionId, number: u32) -> String {
    format!("{}.{session}.{number}", agent.as_str())
}

/// Whether the process in that folder is one of that agent. Earlier releases began the name with the conversation; the
/// process is then taken for one of the main agent.
pub fn is_of(folder: &str, agent: &AgentName) -> bool {
    let Some((name, _)) = folder.split_once('.') else {
        return false;
    };
    match name.parse::<SessionId>() {
        Ok(_) => *agent == AgentName::main(),
        Err(_) => name == agent.as_str(),
    }
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
            memory: self.memory,
            set_up: self.set_up.clone(),
            row: self.row,
            sight: Sight::default(),
            commands: self.commands.clone(),
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
            memory: Memory::default(),
            row: None,
            commands: None,
            ..self
        }
    }

    /// The commands of that agent, as far as it has told of them here.
    pub fn commands_of(&self, agent: &AgentName) -> Option<&Theirs> {
        self.commands.as_ref().filter(|theirs| theirs.of == *agent)
    }

    /// The link as an agent sees it that is set up like this: a process that was set up otherwise is not gone on
    /// with. Earlier releases did not say how; theirs is taken for the same.
    #[must_use]
    pub fn set_up(self, like: &str) -> Self {
        let stage = match self.set_up.is_empty() || self.set_up == like {
            true => self.stage,
            false => Stage::Started,
        };
        Self {
            set_up: like.to_owned(),
            stage,
            ..self
        }
    }

    /// The link by what stands behind its row now. If somebody else answered since the agent did, or what it knows was
    /// taken back, it is told the conversation anew.
    #[must_use]
    pub fn abreast(self, sequel: &Sequel) -> Self {
        let is_overtaken = self.row.is_some_and(|last| is_overtaken(last, sequel));
        match is_overtaken {
            false => self,
            true => Self {
                stage: Stage::Started,
                conversation: None,
                memory: Memory::default(),
                row: None,
                ..self
            },
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

/// Whether the rows of a turn that began behind `last` are gone, or answers of others stand behind them. Numbers are
/// given in order and never twice, so one that is missing was taken back.
fn is_overtaken(last: u64, sequel: &Sequel) -> bool {
    let rows = sequel.rows.iter();
    let mut due = last.saturating_add(1)..;
    let is_whole = rows.clone().all(|(number, _)| due.next() == Some(*number));
    let mut replies = rows.filter(|(_, role)| *role != Role::User);
    let is_there = replies.next().is_some();
    !is_whole || !is_there || replies.any(|(_, role)| is_answer(role))
}

/// Whether it is an agent that speaks, or what stands for what one said. People may have said more: that is told with
/// the next prompt, or was not said to the agent. What the house says of a turn that failed or was stopped is for
/// people; whoever failed before it was prompted has told its agent nothing.
fn is_answer(role: &Role) -> bool {
    match role {
        Role::User | Role::Other(_) => false,
        Role::Assistant | Role::Tool | Role::Summary | Role::System => true,
    }
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
