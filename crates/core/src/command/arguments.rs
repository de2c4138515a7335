//! What stands behind a command, made into a typed command.
//!
//! Phones turn `--` into one long dash; where a dash has a meaning it is read as it was meant. A title
//! keeps the dashes it was written with.

use serde_json::json;

use super::slip::quoted;
use super::table::{Effect, Name, Spec};
use super::{Command, Slip};
use crate::access::code::Code;
use crate::danger::reply;
use crate::display::{Speech, Switch};
use crate::limits;
use crate::session::model_override::ModelOverride;
use crate::stream::progress;
use crate::transcript::title::Title;
use crate::turn::busy::Mode;

/// What somebody wants of the conversation's own model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelWish {
    /// To know it.
    Show,
    /// To have this one.
    Set(ModelOverride),
    /// To have the usual one again.
    Clear,
}

/// What somebody wants of who answers in the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWish {
    /// To know it.
    Show,
    /// To be answered by this one. Whether it exists is known where agents are.
    Set(String),
    /// To be answered by the usual one again.
    Clear,
}

/// What an operator wants of those who may speak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessWish {
    /// To see who waits and who may speak.
    List,
    /// To let somebody in, by their code or by the id of their knock.
    Approve(String),
    /// To take a grant back, by its id or by the person's.
    Revoke(String),
}

/// The command that the arguments make of a line of the table.
pub(super) fn parse(spec: &Spec, arguments: &str) -> Result<Command, Slip> {
    match spec.which {
        Name::Start => Ok(Command::Start),
        Name::Help => Ok(Command::Help),
        Name::New => title(arguments).map(Command::New),
        Name::Resume => Ok(Command::Resume(wanted(arguments))),
        Name::Sessions => Ok(Command::Sessions),
        Name::Title => title(arguments).map(Command::Title),
        Name::Undo => count(arguments).map(Command::Undo),
        Name::Retry => nothing(spec, arguments, Command::Retry),
        Name::Branch => title(arguments).map(Command::Branch),
        Name::Compress => Ok(Command::Compress(focus(arguments))),
        Name::Status => Ok(Command::Status),
        Name::Model => model(arguments).map(Command::Model),
        Name::Agent => Ok(Command::Agent(agent(arguments))),
        Name::Usage => Ok(Command::Usage),
        Name::Processes => Ok(Command::Processes),
        Name::Agents => Ok(Command::Agents),
        Name::Platform => Ok(Command::Platforms),
        Name::Commands => Ok(Command::Help),
        Name::Version => Ok(Command::Version),
        Name::Verbose => lines(spec, arguments).map(Command::Verbose),
        Name::Reasoning => switch(spec, arguments).map(Command::Reasoning),
        Name::Footer => switch(spec, arguments).map(Command::Footer),
        Name::Voice => speech(spec, arguments).map(Command::Voice),
        Name::Restart => nothing(spec, arguments, Command::Restart),
        Name::Stop => Ok(Command::Stop),
        Name::Steer => words(spec, arguments).map(|words| Command::Say(Mode::Steer, words)),
        Name::Queue => words(spec, arguments).map(|words| Command::Say(Mode::Queue, words)),
        Name::Background => words(spec, arguments).map(Command::Beside),
        Name::Sethome => nothing(spec, arguments, Command::Home),
        Name::Approve => Ok(Command::Answer(reply::approve(arguments)?)),
        Name::Answer => {
            let reply = reply::words(arguments).ok_or(Slip::NoWords { name: spec.name })?;
            Ok(Command::Answer(reply))
        }
        Name::Whoami => Ok(Command::Whoami),
        Name::Access => access(spec, arguments).map(Command::Access),
        Name::Deny => Ok(Command::Answer(reply::deny(arguments))),
    }
}

/// What stands behind the wish is read by those who know codes and ids.
fn access(spec: &Spec, arguments: &str) -> Result<AccessWish, Slip> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let bounded = |text: &str| text.chars().take(limits::NAME_BYTES_MAX / 4).collect();
    match words.as_slice() {
        [] | ["list"] => Ok(AccessWish::List),
        [what] if Code::read(what).is_some() => Ok(AccessWish::Approve(bounded(what))),
        ["approve", what] => Ok(AccessWish::Approve(bounded(what))),
        ["revoke", what] => Ok(AccessWish::Revoke(bounded(what))),
        _ => Err(Slip::Usage {
            usage: spec.usage(),
        }),
    }
}

fn lines(spec: &Spec, arguments: &str) -> Result<Option<progress::Mode>, Slip> {
    match arguments.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "off" => Ok(Some(progress::Mode::Off)),
        "new" => Ok(Some(progress::Mode::New)),
        "all" | "on" => Ok(Some(progress::Mode::All)),
        "verbose" => Ok(Some(progress::Mode::Verbose)),
        _ => Err(Slip::Usage {
            usage: spec.usage(),
        }),
    }
}

fn switch(spec: &Spec, arguments: &str) -> Result<Option<Switch>, Slip> {
    match arguments.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "on" | "show" => Ok(Some(Switch::On)),
        "off" | "hide" => Ok(Some(Switch::Off)),
        _ => Err(Slip::Usage {
            usage: spec.usage(),
        }),
    }
}

fn speech(spec: &Spec, arguments: &str) -> Result<Option<Speech>, Slip> {
    match arguments.to_ascii_lowercase().as_str() {
        "" | "status" => Ok(None),
        "on" => Ok(Some(Speech::Answered)),
        "all" | "tts" => Ok(Some(Speech::All)),
        "off" => Ok(Some(Speech::Off)),
        _ => Err(Slip::Usage {
            usage: spec.usage(),
        }),
    }
}

fn nothing(spec: &Spec, arguments: &str, command: Command) -> Result<Command, Slip> {
    if spec.effect == Effect::Changes && !arguments.is_empty() {
        return Err(Slip::unexpected(spec));
    }
    Ok(command)
}

/// Words for the agent. A command among them would be followed at a moment that nobody expects.
fn words(spec: &Spec, arguments: &str) -> Result<String, Slip> {
    match arguments {
        "" => Err(Slip::NoWords { name: spec.name }),
        _ if super::call(arguments).is_some() => Err(Slip::CommandWithin { name: spec.name }),
        words => Ok(words.to_owned()),
    }
}

fn title(arguments: &str) -> Result<Option<Title>, Slip> {
    Ok(Title::clean(arguments)?)
}

/// A number, title or id; people put quotes around titles, which are not part of them.
fn wanted(arguments: &str) -> Option<String> {
    let bare = arguments.trim_matches(|char| matches!(char, '"' | '“' | '”' | '„'));
    let line: Vec<&str> = bare.split_whitespace().collect();
    let wanted = line.join(" ");
    (!wanted.is_empty()).then(|| wanted.chars().take(limits::NAME_BYTES_MAX / 4).collect())
}

/// What must not be lost, in a sentence or two.
fn focus(arguments: &str) -> Option<String> {
    let focus: String = arguments.chars().take(limits::FOCUS_CHARS_MAX).collect();
    (!focus.is_empty()).then_some(focus)
}

fn count(arguments: &str) -> Result<u32, Slip> {
    if arguments.is_empty() {
        return Ok(1);
    }
    let number = plain_dashes(arguments).parse().ok();
    number
        .filter(|count| *count > 0)
        .ok_or_else(|| Slip::NoCount {
            written: quoted(arguments),
        })
}

fn model(arguments: &str) -> Result<ModelWish, Slip> {
    let written = plain_dashes(arguments);
    match written.to_lowercase().as_str() {
        "" => return Ok(ModelWish::Show),
        "clear" | "default" | "none" => return Ok(ModelWish::Clear),
        _ => (),
    }
    let chosen = json!({ "model": written });
    let kept = ModelOverride::of(&chosen).filter(|_| is_model(&written));
    kept.map(ModelWish::Set).ok_or_else(|| Slip::NoModel {
        written: quoted(arguments),
    })
}

fn agent(arguments: &str) -> AgentWish {
    let written = plain_dashes(arguments).to_lowercase();
    match written.as_str() {
        "" => AgentWish::Show,
        "clear" | "default" | "none" => AgentWish::Clear,
        _ => AgentWish::Set(written.chars().take(limits::NAME_BYTES_MAX / 4).collect()),
    }
}

/// One word as models are called; an address or an option is none.
fn is_model(name: &str) -> bool {
    let fits = |char: char| char.is_alphanumeric() || "._-:/@+".contains(char);
    let begins_well = name.starts_with(char::is_alphanumeric);
    begins_well
        && !name.contains("://")
        && name.len() <= limits::MODEL_NAME_BYTES_MAX
        && name.chars().all(fits)
}

/// The text with long dashes written as people meant them.
pub fn plain_dashes(text: &str) -> String {
    text.replace('—', "--").replace(['–', '‒', '−', '―'], "-")
}
