//! The questions, in the order in which the answers need each other.

use std::path::Path;

use angelia_agents::model::provider;
use angelia_agents::model::trial;
use angelia_agents::model::wire::Wire;

use super::answers::{Answers, Key, Model, Program, words};
use super::dialog::{Choice, Dialog};
use crate::config::keys::BACKENDS;
use crate::errors::Failure;
use crate::finding;

/// Models that are listed. Of more, the name is typed.
const LISTED_MAX: usize = 30;

/// Who can answer, in the order in which they are offered.
const AGENTS: [Choice<'static>; 5] = [
    Choice {
        name: "openai",
        about: "a model behind OpenAI, or behind any server that speaks like it",
    },
    Choice {
        name: "anthropic",
        about: "a model behind Anthropic",
    },
    Choice {
        name: "acp",
        about: "an agent of its own that speaks the Agent Client Protocol",
    },
    Choice {
        name: "exec",
        about: "any command: the message in, the reply out",
    },
    Choice {
        name: "demo",
        about: "the demo agent: offline, to try things out",
    },
];

const KEYS: [Choice<'static>; 4] = [
    Choice {
        name: "variable",
        about: "in a variable of the environment",
    },
    Choice {
        name: "file",
        about: "in a file that is there",
    },
    Choice {
        name: "typed",
        about: "type it now; it is kept in a file for you alone",
    },
    Choice {
        name: "none",
        about: "none is needed",
    },
];

/// Asks everything. Files are looked for beside the configuration.
pub(crate) fn ask(dialog: &Dialog<'_>, folder: &Path) -> Result<Answers, Failure> {
    let is_there = |one: &&Choice<'static>| BACKENDS.contains(&one.name);
    let agents: Vec<&Choice<'static>> = AGENTS.iter().filter(is_there).collect();
    let choices: Vec<Choice<'_>> = agents
        .iter()
        .map(|one| Choice {
            name: one.name,
            about: one.about,
        })
        .collect();
    let chosen = dialog.choose("Who answers?", &choices, 0)?;
    match choices[chosen].name {
        "demo" => Ok(Answers::Demo),
        "openai" => model(dialog, Wire::OpenAi, folder),
        "anthropic" => model(dialog, Wire::Anthropic, folder),
        program => command(dialog, program),
    }
}

fn model(dialog: &Dialog<'_>, wire: Wire, folder: &Path) -> Result<Answers, Failure> {
    let base_url = loop {
        let text = dialog.ask("Address of the server", Some(wire.usual_base()))?;
        match provider::base_url(&text) {
            Ok(url) => break url,
            Err(why) => dialog.say(&format!("The address must be {why}."))?,
        }
    };
    let key = key(dialog, wire)?;
    let nameless = Model {
        wire,
        base_url,
        model: String::new(),
        key,
    };
    let model = name(dialog, &nameless, folder)?;
    Ok(Answers::Model(Model { model, ..nameless }))
}

fn key(dialog: &Dialog<'_>, wire: Wire) -> Result<Key, Failure> {
    let usual = match wire {
        Wire::OpenAi => "OPENAI_API_KEY",
        Wire::Anthropic => "ANTHROPIC_API_KEY",
    };
    Ok(
        match dialog.choose("Where is the key of the server?", &KEYS, 0)? {
            0 => Key::Variable(dialog.ask("Name of the variable", Some(usual))?),
            1 => Key::File(dialog.ask("Path of the file", None)?.into()),
            2 => Key::Typed(dialog.ask_unseen("The key (it is not shown)")?),
            _ => Key::None,
        },
    )
}

/// The model's name: chosen from the server's list where it has one.
fn name(dialog: &Dialog<'_>, nameless: &Model, folder: &Path) -> Result<String, Failure> {
    let listed = finding::wait(async {
        let key = nameless.key.reveal(folder).await;
        let place = key.map(|key| nameless.place(key));
        Ok(match place {
            Ok(place) => trial::models(&place).await,
            Err(why) => Err(why),
        })
    })?;
    match listed {
        Ok(names) if (1..=LISTED_MAX).contains(&names.len()) => {
            let choices: Vec<Choice<'_>> = names
                .iter()
                .map(|name| Choice { name, about: "" })
                .collect();
            let chosen = dialog.choose("Which model? The server has these.", &choices, 0)?;
            Ok(names[chosen].clone())
        }
        Ok(names) => {
            if !names.is_empty() {
                dialog.say(&format!("The server has {} models.", names.len()))?;
            }
            dialog.ask("Name of the model", None)
        }
        Err(why) => {
            dialog.say(&format!("The server tells no list of its models: {why}."))?;
            dialog.ask("Name of the model", None)
        }
    }
}

fn command(dialog: &Dialog<'_>, backend: &str) -> Result<Answers, Failure> {
    let line = dialog.ask("The program and its arguments", None)?;
    Ok(Answers::Program(Program {
        backend: backend.to_owned(),
        command: words(&line),
    }))
}
