//! What else an adapter knows about a message's place and sender.
//!
//! Only `person_alt`, `profile` and `beside` have a part in finding the conversation; the rest is told to the
//! agent and to people. All of it is optional: most adapters know little of it.
//!
//! `Trust` is different from everything else here. It is what the adapter that holds the connection
//! saw with its own eyes, and who may speak depends on it. So it is never written and never read:
//! neither a row nor a message from outside can claim it.

use serde::{Deserialize, Serialize};

use crate::agent::Led;
use crate::profile::Profile;
use crate::turn::busy::Mode;
use crate::turn::manners::Gathering;

/// What else is known about a message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The name of the chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_name: Option<String>,
    /// What the chat says it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_topic: Option<String>,
    /// A second id of the sender, which changes less often than the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person_alt: Option<String>,
    /// A second id of the chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_alt: Option<String>,
    /// The server or workspace that the chat belongs to.
    #[serde(skip_serializing_if = "Option::is_none", alias = "guild")]
    pub scope: Option<String>,
    /// The chat that a thread with an own chat id hangs on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_chat: Option<String>,
    /// The profile that the message goes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// The agent that the message was led to; nothing for the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Led>,
    /// What the message does while its conversation is being answered; nothing for one that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy: Option<Mode>,
    /// Whether the message is answered together with its neighbours; nothing for one that is answered by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gathers: Option<Gathering>,
    /// The conversation beside that of its place which the message began; nothing for one that is of its place. The
    /// door decides it, whatever came with the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// The thread was opened by the gateway itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_thread: Option<AutoThread>,
    /// How it was said.
    #[serde(skip_serializing_if = "Said::is_written")]
    pub said: Said,
    /// Whether the sender may use the command that the message is. The door decides it anew for every
    /// message, whatever came with it.
    #[serde(skip_serializing_if = "Commands::is_free")]
    pub commands: Commands,
    /// Whose the command is that the message may be. The door decides it anew as well.
    #[serde(skip_serializing_if = "CommandOf::is_house")]
    pub command_of: CommandOf,
    /// What the adapter saw itself.
    #[serde(skip)]
    pub trust: Trust,
}

impl About {
    /// Whether there is nothing to write.
    pub fn is_unwritten(&self) -> bool {
        let silent = Self {
            trust: self.trust,
            ..Self::default()
        };
        *self == silent
    }

    /// The ids, for those who limit their length.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let ids = [
            &self.person_alt,
            &self.chat_alt,
            &self.scope,
            &self.parent_chat,
        ];
        ids.into_iter().filter_map(Option::as_deref)
    }

    /// The words that somebody wrote, for those who limit their length.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let initial = self
            .auto_thread
            .as_ref()
            .and_then(|thread| thread.initial.as_deref());
        [
            self.chat_name.as_deref(),
            self.chat_topic.as_deref(),
            initial,
        ]
        .into_iter()
        .flatten()
    }
}

/// A thread that the gateway opened.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AutoThread {
    /// The name it was given until a better one is known. Whoever finds another name there knows
    /// that people renamed the thread, and leaves it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
}

/// How a message was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// In writing.
    #[default]
    Written,
    /// Aloud, in a voice message.
    Aloud,
}

impl Said {
    fn is_written(&self) -> bool {
        *self == Self::Written
    }
}

/// Whether a message may be a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commands {
    /// It may.
    #[default]
    Free,
    /// It names one that is not its sender's to use.
    Barred,
}

impl Commands {
    fn is_free(&self) -> bool {
        *self == Self::Free
    }
}

/// Whose a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOf {
    /// The house's, which answers it; or it is none.
    #[default]
    House,
    /// The agent's own, which has told of it: for the house it is words.
    Agent,
}

impl CommandOf {
    fn is_house(&self) -> bool {
        *self == Self::House
    }
}

/// What the adapter saw itself. The defaults are what claims the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trust {
    /// What wrote the message.
    pub author: Author,
    /// Why the platform let the sender in.
    pub grant: Grant,
    /// How the message came.
    pub path: Path,
}

/// What wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Author {
    /// Somebody, as far as is known.
    #[default]
    Person,
    /// A program: a bot or a webhook.
    Bot,
}

/// Why the platform let the sender in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grant {
    /// For nothing but being who they are.
    #[default]
    Identity,
    /// For a role that they have there.
    Role,
}

/// How a message came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Path {
    /// From the platform itself.
    #[default]
    Direct,
    /// Over the authenticated connection to a relay, which has checked the sender.
    Relay,
}

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
