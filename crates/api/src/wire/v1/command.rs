//! Commands in chat, for those who complete them while somebody writes.

use angelia_core::command::{Effect, Spec, TABLE, Who};
use serde::{Deserialize, Serialize};

/// All commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commands {
    /// In the order in which `/help` shows them.
    pub items: Vec<Command>,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Its name, without the slash.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// What may stand behind it, as help shows it; empty for nothing.
    pub arguments: String,
    /// What it does, in a line.
    pub help: String,
    /// Who may use it: `speakers`, `asker` or `operators`.
    pub who: String,
    /// What it does to the conversation: `tells`, `changes`, `speaks`, `stops` or `answers`.
    pub effect: String,
}

impl Commands {
    /// The table of commands.
    pub fn all() -> Self {
        Self {
            items: TABLE.iter().map(Command::from).collect(),
        }
    }
}

impl From<&Spec> for Command {
    fn from(spec: &Spec) -> Self {
        let who = match spec.who {
            Who::Speakers => "speakers",
            Who::Asker => "asker",
            Who::Operators => "operators",
        };
        let effect = match spec.effect {
            Effect::Tells => "tells",
            Effect::Changes => "changes",
            Effect::Speaks => "speaks",
            Effect::Stops => "stops",
            Effect::Answers => "answers",
        };
        Self {
            name: spec.name.to_owned(),
            aliases: spec.aliases.iter().map(|one| (*one).to_owned()).collect(),
            arguments: spec.arguments.hint().to_owned(),
            help: spec.help.to_owned(),
            who: who.to_owned(),
            effect: effect.to_owned(),
        }
    }
}
