//! What people choose for their chat with `/verbose`, `/reasoning`, `/footer` and `/voice`, and the words about it.
//!
//! A choice is a name and a value as somebody would write them in the settings, and stands above them for that chat. It
//! is read like them, so a value that a later release does not know any more is passed over.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Layer, Speech, Switch};
use crate::stream::progress::Mode;

/// What was chosen for a chat, by name.
pub type Choices = BTreeMap<String, String>;

/// Something that is chosen for a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Lines about tools.
    Lines(Mode),
    /// Thoughts.
    Thoughts(Switch),
    /// The line below a reply.
    Footer(Switch),
    /// Answers that are spoken.
    Voice(Speech),
}

impl Choice {
    /// Its name and value as they are stored.
    pub fn entry(self) -> (&'static str, &'static str) {
        match self {
            Self::Lines(mode) => ("tool_progress", mode.name()),
            Self::Thoughts(Switch::On) => ("show_reasoning", "on"),
            Self::Thoughts(Switch::Off) => ("show_reasoning", "off"),
            Self::Footer(Switch::On) => ("runtime_footer", "on"),
            Self::Footer(Switch::Off) => ("runtime_footer", "off"),
            Self::Voice(speech) => ("voice_replies", speech.name()),
        }
    }

    /// What people are told who chose it, or ask how it stands.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lines(Mode::Off | Mode::Log) => "Nothing is shown here of what the agent does.",
            Self::Lines(Mode::New) => {
                "A line is shown here when the agent begins to use another tool."
            }
            Self::Lines(Mode::All) => "A line is shown here for everything that the agent does.",
            Self::Lines(Mode::Verbose) => {
                "A line is shown here for everything that the agent does, with its details."
            }
            Self::Thoughts(Switch::On) => {
                "What the agent thinks is shown here before its answers, if it says so."
            }
            Self::Thoughts(Switch::Off) => "What the agent thinks is not shown here.",
            Self::Footer(Switch::On) => {
                "A line below each answer tells who gave it and how full the conversation is."
            }
            Self::Footer(Switch::Off) => "Nothing stands below answers here.",
            Self::Voice(Speech::Off) => "Answers are not spoken here.",
            Self::Voice(Speech::Answered) => "Answers to voice messages are spoken here, too.",
            Self::Voice(Speech::All) => "All answers are spoken here, too.",
        }
    }

    /// The choice that a row holds, if its words mean something.
    pub fn stored(name: &str, value: &str) -> Option<Self> {
        let written = Map::from_iter([(name.to_owned(), Value::from(value))]);
        let (layer, _unknown) = Layer::read(&written);
        let lines = layer.tool_progress.map(Self::Lines);
        let thoughts = layer.show_reasoning.map(Self::Thoughts);
        let footer = layer.runtime_footer.map(Self::Footer);
        let voice = layer.voice_replies.map(Self::Voice);
        lines.or(thoughts).or(footer).or(voice)
    }
}

/// The way that comes behind this one, for those who only say that they want another.
pub const fn next(mode: Mode) -> Mode {
    match mode {
        Mode::Off | Mode::Log => Mode::New,
        Mode::New => Mode::All,
        Mode::All => Mode::Verbose,
        Mode::Verbose => Mode::Off,
    }
}

/// The layer of a chat.
pub(super) fn layer(choices: &Choices) -> Layer {
    let written = choices.iter();
    let written = written.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    let (layer, _unknown) = Layer::read(&written.collect());
    layer
}

#[cfg(test)]
#[path = "chat_tests.rs"]
mod tests;
