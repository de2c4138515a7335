//! Commands in chat: `/new`, `/undo 2`, `/help`.
//!
//! ```text
//! text ──call──▶ name and arguments ──table──▶ which command ──read──▶ Command, or a slip
//!                                    Command ──(gateway reads rows)──▶ Plan ──▶ reply
//! ```
//!
//! The table is the one list of what there is: parsing, help, menus and completions follow it. A text
//! that begins with a slash and names nothing we know is answered with the nearest name; a text that
//! only looks like a command (a path, a lone slash) goes to the agent as it is. So does one that names a command of
//! the agent's own (`theirs`): the door finds out by rows, and marks the message.
//!
//! What a command does is decided here as a `Plan`, made concrete with ids and places, and performed by
//! the gateway; nothing here reads or writes rows.

mod arguments;
mod call;
mod choose;
mod plan;
pub mod reply;
mod slip;
mod table;
mod theirs;

pub use arguments::{AccessWish, AgentWish, ModelWish, plain_dashes};
pub use call::{Call, call};
pub use choose::{Choice, Meant, choose};
pub use plan::Plan;
pub use slip::Slip;
pub use table::{Arguments, Effect, Name, Spec, TABLE, Who, find, names};
pub use theirs::Theirs;

use crate::about::{CommandOf, Commands};
use crate::danger::reply::{NoSuchWay, Reply};
use crate::display::{Speech, Switch};
use crate::inbound::Inbound;
use crate::stream::progress;
use crate::transcript::title::Title;
use crate::turn::busy::{self, Mode};
use crate::turn::manners::{Gathering, Manner};

/// A command, with what was written behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Tells how to begin. Clients send it when somebody opens the chat.
    Start,
    /// Tells which commands there are.
    Help,
    /// Begins a new conversation.
    New(Option<Title>),
    /// Goes on in an earlier conversation, or lists those there are.
    Resume(Option<String>),
    /// Lists the conversations of this place.
    Sessions,
    /// Shows or sets what the conversation is called.
    Title(Option<Title>),
    /// Takes back so many of the last turns.
    Undo(u32),
    /// Asks the last question again.
    Retry,
    /// Goes on in a copy of the conversation.
    Branch(Option<Title>),
    /// Lets a summary stand for what was said before; what must not be lost may be told.
    Compress(Option<String>),
    /// Tells how the conversation stands.
    Status,
    /// Shows, sets or clears the conversation's own model.
    Model(ModelWish),
    /// Shows, chooses or clears who answers in the conversation.
    Agent(AgentWish),
    /// Tells what was used.
    Usage,
    /// Tells what runs in the background.
    Processes,
    /// Tells what goes on everywhere.
    Agents,
    /// Tells how the accounts are connected.
    Platforms,
    /// Tells which release answers.
    Version,
    /// Lets the gateway begin anew.
    Restart,
    /// Has this shown of what the agent does, or the next way.
    Verbose(Option<progress::Mode>),
    /// Has thoughts shown, or not; tells how that is if nothing stands behind it.
    Reasoning(Option<Switch>),
    /// Has a line below answers, or not, likewise.
    Footer(Option<Switch>),
    /// Has answers spoken, or not, likewise.
    Voice(Option<Speech>),
    /// Ends what runs.
    Stop,
    /// Says something to the agent; the mode is what that does to the answer that is being made.
    Say(Mode, String),
    /// Asks the agent something beside the conversation.
    Beside(String),
    /// Makes this chat the one where words come that nobody asked for.
    Home,
    /// Answers a question about something that an agent wants to do or to know.
    Answer(Reply),
    /// Tells somebody who they are.
    Whoami,
    /// Shows and changes who may speak.
    Access(AccessWish),
}

impl Command {
    /// Whether it only tells something: it may be answered beside what runs.
    pub fn tells(&self) -> bool {
        match self {
            Self::Start
            | Self::Help
            | Self::Sessions
            | Self::Status
            | Self::Usage
            | Self::Processes
            | Self::Agents
            | Self::Platforms
            | Self::Whoami
            | Self::Version
            | Self::Reasoning(None)
            | Self::Footer(None)
            | Self::Voice(None)
            | Self::Resume(None)
            | Self::Title(None)
            | Self::Model(ModelWish::Show)
            | Self::Agent(AgentWish::Show)
            | Self::Access(AccessWish::List) => true,
            Self::New(_)
            | Self::Restart
            | Self::Verbose(_)
            | Self::Reasoning(Some(_))
            | Self::Footer(Some(_))
            | Self::Voice(Some(_))
            | Self::Resume(Some(_))
            | Self::Title(Some(_))
            | Self::Undo(_)
            | Self::Retry
            | Self::Branch(_)
            | Self::Compress(_)
            | Self::Model(ModelWish::Set(_) | ModelWish::Clear)
            | Self::Agent(AgentWish::Set(_) | AgentWish::Clear)
            | Self::Access(AccessWish::Approve(_) | AccessWish::Revoke(_))
            | Self::Stop
            | Self::Say(..)
            | Self::Beside(_)
            | Self::Home
            | Self::Answer(_) => false,
        }
    }
}

/// What a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Words for the agent.
    Words,
    /// A command.
    Command(Command),
    /// A command that cannot be followed; the slip says why in words for people.
    Slip(Slip),
}

impl Reading {
    /// Whether it is the agent that answers.
    pub fn is_for_the_agent(&self) -> bool {
        *self == Self::Words
    }

    /// Whether it ends the turn that runs.
    pub fn stops(&self) -> bool {
        *self == Self::Command(Command::Stop)
    }

    /// Whether it is answered beside the turn that runs: nothing has to be over before, because it changes nothing of
    /// the conversation.
    pub fn is_aside(&self) -> bool {
        match self {
            Self::Words | Self::Slip(Slip::NoAnswer(_)) => false,
            // Whoever wants a restart may want it because of what runs.
            Self::Command(command) => command.tells() || *command == Command::Restart,
            Self::Slip(_) => true,
        }
    }

    /// What it answers to a question of the turn that runs, or why that cannot be understood.
    pub fn answer(&self) -> Option<Result<&Reply, &NoSuchWay>> {
        match self {
            Self::Command(Command::Answer(reply)) => Some(Ok(reply)),
            Self::Slip(Slip::NoAnswer(slip)) => Some(Err(slip)),
            Self::Words | Self::Command(_) | Self::Slip(_) => None,
        }
    }
}

/// The message as it goes on from the door: what it is for the agent, and what it does while an answer is being
/// made. A command that says something is only its words from then on, and is answered by itself, in a conversation
/// of its own if it asks so. `manner` is what holds where nobody says otherwise.
pub fn opened(mut inbound: Inbound, manner: Manner) -> Inbound {
    inbound.about.beside = None;
    let (mode, gathering) = match read(&inbound) {
        // A command of the agent's own is one only if it comes alone.
        Reading::Words if inbound.about.command_of == CommandOf::Agent => {
            (Mode::Queue, Gathering::Apart)
        }
        Reading::Words if inbound.context.is_empty() => (manner.mode, manner.gathering),
        Reading::Command(Command::Say(mode, words)) => {
            inbound.text = words;
            (mode, Gathering::Apart)
        }
        Reading::Command(Command::Beside(words)) => {
            inbound.text = words;
            inbound.about.beside = Some(inbound.message_id.clone());
            (Mode::Queue, Gathering::Apart)
        }
        Reading::Words | Reading::Command(_) | Reading::Slip(_) => (Mode::Queue, Gathering::Apart),
    };
    inbound.about.busy = busy::of(mode, &inbound);
    inbound.about.gathers = Some(gathering).filter(|one| *one == Gathering::Together);
    inbound
}

/// Reads a message. One that brings its own history along comes from a program that keeps its
/// conversations itself: there is nothing for a command to act on, so its words are only words.
pub fn read(inbound: &Inbound) -> Reading {
    match (named(inbound), inbound.about.commands) {
        (Some(spec), Commands::Barred) => Reading::Slip(Slip::NotYours { name: spec.name }),
        _ if !inbound.context.is_empty() => Reading::Words,
        (None, _) if inbound.about.command_of == CommandOf::Agent => Reading::Words,
        _ => read_text(&inbound.text),
    }
}

/// The name that a message calls if no command of the house is called so. It may be one of the agent's.
pub fn unknown(inbound: &Inbound) -> Option<String> {
    let text = Some(&inbound.text).filter(|_| inbound.context.is_empty());
    let called = text.and_then(|text| call(text))?;
    find(&called.name).is_none().then_some(called.name)
}

/// The command that the message names, whoever wrote it and whatever stands behind it.
pub fn named(inbound: &Inbound) -> Option<&'static Spec> {
    let text = Some(&inbound.text).filter(|_| inbound.context.is_empty());
    text.and_then(|text| call(text))
        .and_then(|call| find(&call.name))
}

/// Reads a text.
pub fn read_text(text: &str) -> Reading {
    let Some(call) = call(text) else {
        return Reading::Words;
    };
    let Some(spec) = find(&call.name) else {
        return Reading::Slip(Slip::unknown(&call.name));
    };
    match arguments::parse(spec, call.arguments) {
        Ok(command) => Reading::Command(command),
        Err(slip) => Reading::Slip(slip),
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
