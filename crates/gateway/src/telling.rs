//! What a turn is told about itself.
//!
//! From the messages of a turn and what is connected, this makes the agent's `Context`: the place in
//! words, the words of the messages with their senders where several people speak, and the identity
//! that tools and child processes see. All of it comes from the turn's own rows; there is nothing here
//! that another conversation could leave behind.
//!
//! The deciding and the wording are `core::context`; what is said goes to the agent alone.

use std::path::PathBuf;
use std::sync::Arc;

use angelia_agents::context::Context;
use angelia_agents::tools::set::Toolset;
use angelia_agents::tools::terms::Terms;
use angelia_core::address::{Address, Platform};
use angelia_core::context::day::Day;
use angelia_core::context::instructions::Instructions;
use angelia_core::context::names::{Names, Privacy, Who};
use angelia_core::context::prompt;
use angelia_core::context::redact::Pseudonyms;
use angelia_core::context::resume::{self, GoesOn};
use angelia_core::context::told::{Place, Reach, Told, Tools, Trigger};
use angelia_core::context::variables::{Identity, Variables};
use angelia_core::danger::gate::Rules;
use angelia_core::inbound::{Inbound, Role};
use angelia_core::session::key::Sharing;
use angelia_core::session::rules;
use angelia_core::session::shared;
use angelia_core::toolset;
use angelia_process::target::Target;
use angelia_store::turns::{ClaimedTurn, Resumed, Waiting};

/// What is the same for all turns of a node.
#[derive(Debug, Clone)]
pub(crate) struct Telling {
    /// How groups are divided into conversations, and in whose calendar days are told.
    pub(crate) rules: Arc<rules::Rules>,
    /// The platforms that are connected.
    pub(crate) connected: Vec<&'static str>,
    /// How identifiers are shown to agents.
    pub(crate) identifiers: Identifiers,
    /// What the operator wants in which place.
    pub(crate) instructions: Instructions,
    /// What holds for tools.
    pub(crate) terms: Terms,
    /// Where commands run.
    pub(crate) target: Target,
}

/// How identifiers are shown to agents.
#[derive(Debug, Clone, Default)]
pub enum Identifiers {
    /// As they are.
    #[default]
    Shown,
    /// As pseudonyms, wherever a platform can do without the raw ones.
    Hidden(Pseudonyms),
}

impl Telling {
    /// What the turn is told.
    pub(crate) fn context(&self, claimed: &ClaimedTurn) -> Context {
        let Some(last) = claimed.batch.last() else {
            return Context {
                target: self.target.clone(),
                ..Context::default()
            };
        };
        let names = self.names(last.inbound.address.platform);
        Context {
            prompt: self.prompt(&last.inbound, names),
            note: note(claimed),
            day: claimed.batch.first().map(|first| self.day(first)),
            said: claimed
                .batch
                .iter()
                .map(|waiting| self.said(&waiting.inbound, names))
                .collect(),
            variables: Variables::of(identity(claimed, &last.inbound)),
            directory: claimed.directory.as_ref().map(PathBuf::from),
            target: self.target.clone(),
        }
    }

    /// When a message was accepted: by its row, so that whoever runs the turn again tells the same.
    fn day(&self, message: &Waiting) -> Day {
        Day {
            zone: self.rules.zone.clone(),
            at: message.received_at,
        }
    }

    /// Where the conversation takes place, and what the operator wants there; and behind it what a client
    /// that keeps its own history says about the agent.
    fn prompt(&self, inbound: &Inbound, names: Names<'_>) -> String {
        let place = prompt::render(&self.told(inbound, names));
        let (platform, chat) = (inbound.address.platform.name(), &inbound.address.chat);
        let chats = (chat.id.as_str(), inbound.about.parent_chat.as_deref());
        let wanted = self.instructions.at(platform, chat.kind.name(), chats);
        let said = inbound.context.iter();
        let said = said.filter(|said| said.role == Role::System);
        let words = said.map(|said| said.text.as_str());
        let all: Vec<&str> = [place.as_str()]
            .into_iter()
            .chain(wanted.as_deref())
            .chain(words)
            .collect();
        all.join("\n\n")
    }

    /// The terms of the house, with what the operator wrote down about commands and about this turn's tools.
    pub(crate) fn terms(
        &self,
        claimed: &ClaimedTurn,
        role: toolset::Role,
        rules: &Arc<Rules>,
    ) -> Terms {
        Terms {
            rules: rules.clone(),
            tools: self.tools(claimed, role),
            ..self.terms.clone()
        }
    }

    /// The tools that are there where the turn is, for whose it is.
    fn tools(&self, claimed: &ClaimedTurn, role: toolset::Role) -> Toolset {
        let Some(last) = claimed.batch.last() else {
            return self.terms.tools.clone();
        };
        let Address { platform, chat, .. } = &last.inbound.address;
        self.terms.tools_at(platform.name(), chat.kind.name(), role)
    }

    fn told<'a>(&'a self, inbound: &'a Inbound, names: Names<'a>) -> Told<'a> {
        let Inbound { address, about, .. } = inbound;
        Told {
            platform: address.platform.name(),
            place: Place {
                kind: address.chat.kind.name(),
                id: &address.chat.id,
                name: about.chat_name.as_deref(),
                topic: about.chat_topic.as_deref(),
                thread: address.thread.as_deref(),
                scope: about.scope.as_deref(),
                parent: about.parent_chat.as_deref(),
            },
            person: who(inbound),
            sharing: self.sharing(inbound),
            reach: Reach {
                connected: &self.connected,
                homes: &[],
            },
            tools: Tools::Missing,
            trigger: Trigger::Message,
            names,
        }
    }

    /// The words of a message, with its sender where several people speak.
    pub(crate) fn words(&self, inbound: &Inbound) -> String {
        self.said(inbound, self.names(inbound.address.platform))
    }

    /// The words of a message as a model reads them.
    fn said(&self, inbound: &Inbound, names: Names<'_>) -> String {
        match self.sharing(inbound) {
            Sharing::Shared => format!("{}{}", names.sender_prefix(who(inbound)), inbound.text),
            Sharing::PerPerson => inbound.text.clone(),
        }
    }

    pub(crate) fn sharing(&self, inbound: &Inbound) -> Sharing {
        let address = &inbound.address;
        let thread = address.thread.as_deref();
        shared::sharing(address.chat.kind.name(), thread, self.rules.isolation)
    }

    pub(crate) fn names(&self, platform: Platform) -> Names<'_> {
        match &self.identifiers {
            Identifiers::Shown => Names::Clear,
            Identifiers::Hidden(pseudonyms) => {
                Names::on(platform.name(), Privacy::Hidden, &[], pseudonyms)
            }
        }
    }
}

/// What is true for this turn alone.
fn note(claimed: &ClaimedTurn) -> Option<String> {
    let news = claimed.news.and_then(|news| news.for_agent());
    let resumed = match claimed.resumed {
        Resumed::No => None,
        Resumed::Conversation(mark) => Some(resume::note(mark.reason, GoesOn::Conversation)),
        Resumed::Turn { why, .. } => Some(resume::note(why, GoesOn::Turn)),
    };
    let notes: Vec<String> = [news, resumed].into_iter().flatten().collect();
    (!notes.is_empty()).then(|| notes.join("\n\n"))
}

fn who(inbound: &Inbound) -> Who<'_> {
    Who {
        id: Some(&inbound.person.id),
        name: inbound.person.name.as_deref(),
    }
}

fn identity(claimed: &ClaimedTurn, inbound: &Inbound) -> Identity {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let Inbound {
        address,
        person,
        about,
        ..
    } = inbound;
    Identity {
        platform: address.platform.name().to_owned(),
        chat_id: address.chat.id.clone(),
        chat_name: text(&about.chat_name),
        thread_id: text(&address.thread),
        user_id: person.id.clone(),
        user_name: text(&person.name),
        message_id: inbound.message_id.clone(),
        key: claimed.key.to_string(),
        id: claimed.session.to_string(),
    }
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod tests;
