//! What the table of one agent means, `[agent]` or `[agents.NAME]`: who answers, and where its model is.
//!
//! All of it is read, also what only another agent needs. Whether the server can be reached is found out when it is
//! asked.

use std::path::PathBuf;

use angelia_agents::model::album::Eyes;
use angelia_agents::model::provider::{self, Url};
use angelia_agents::model::wire::Wire;
use angelia_core::agent::models::{Choice, Models};
use angelia_core::limits;
use serde_json::{Map, Value};

use super::acp::Acp;
use super::command::{self, Exec};
use super::fallback::Fallback;
use super::keys::{self, BACKENDS};
use super::mcp;
use super::problem::{Place, Problem};
use super::raw::{self, NAMES_APART};
use super::resolve::Layers;
use super::secret::Source;

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Agent {
    /// The demo agent, and whether someone asked for it.
    Demo(Wish),
    /// The built-in agent.
    Model(Box<Model>),
    /// An agent that speaks the Agent Client Protocol.
    Acp(Box<Acp>),
    /// A command.
    Exec(Box<Exec>),
}

/// Whether a value was asked for or merely is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Someone wrote it.
    Asked,
    /// Nobody wrote anything.
    Default,
}

/// Where the model of the built-in agent is, and what it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    /// The table that it is written in.
    pub(crate) table: String,
    /// How its server speaks.
    pub(crate) wire: Wire,
    /// Where its server is.
    pub(crate) base_url: Url,
    /// Its name there.
    pub(crate) model: String,
    /// What a conversation may choose beside it, if somebody said so.
    pub(crate) models: Option<Vec<String>>,
    /// Where the key is, if there is one.
    pub(crate) api_key: Option<Source>,
    /// Where the words for it are, if not in the binary.
    pub(crate) prompt_file: Option<PathBuf>,
    /// How many tokens it can read at once.
    pub(crate) context_tokens: u64,
    /// The most tokens of one answer, if somebody said so.
    pub(crate) answer_tokens: Option<u32>,
    /// What its server is asked besides.
    pub(crate) request: Map<String, Value>,
    /// Whether it is shown pictures.
    pub(crate) eyes: Eyes,
    /// Other models, asked in their order when this one does not answer.
    pub(crate) fallback: Vec<Fallback>,
}

impl Model {
    /// The models that a conversation can choose.
    pub(crate) fn known(&self) -> Models {
        let others = self.fallback.iter().map(|one| &one.model);
        let mut known = Models {
            usual: Some(self.model.clone()),
            others: Vec::new(),
            choice: match self.models {
                Some(_) => Choice::Listed,
                None => Choice::Any,
            },
            window: Some(self.context_tokens),
        };
        for one in others.chain(self.models.iter().flatten()) {
            if known.all().all(|name| name != one) {
                known.others.push(one.clone());
            }
        }
        known
    }
}

impl Layers<'_> {
    /// Who answers. What is wrong is noted.
    pub(super) fn agent(&mut self) -> Option<Agent> {
        let backend = self.pick(&keys::BACKEND, backend);
        let base_url = self.written(&keys::BASE_URL, address);
        let model = self.written(&keys::MODEL, word);
        let models = self.written(&keys::MODELS, mcp::texts);
        // What is picked is what may be shown; the source itself stands beside it.
        self.written(&keys::API_KEY, |_| Ok(()));
        let api_key = self.raw.secrets.get(&self.path(&keys::API_KEY)).cloned();
        let prompt_file = self.written(&keys::PROMPT_FILE, word);
        let words = self.written(&keys::COMMAND, command::program);
        let (exec, room) = (self.exec(), self.room());
        let context_tokens = self.pick(&keys::CONTEXT_TOKENS, tokens);
        let answer_tokens = self.written(&keys::ANSWER_TOKENS, answer_tokens);
        let request = self.request(&self.table.clone());
        self.leave_room(&self.table.clone(), answer_tokens, &request);
        let eyes = self.pick(&keys::IMAGES, eyes);
        let fallback = self.fallback();
        let variables = self.variables();
        self.check_command();
        let key = self.path(&keys::API_KEY);
        self.keep_from_commands(&key, api_key.as_ref());
        let wire = match backend? {
            Backend::Demo => return Some(Agent::Demo(self.wish())),
            Backend::Acp => {
                let command = self.needed_command(words)?;
                let exec = Exec {
                    command,
                    variables,
                    ..exec?
                };
                return Some(Agent::Acp(Box::new(Acp::of(exec, room?))));
            }
            Backend::Exec => {
                let command = self.needed_command(words)?;
                return Some(Agent::Exec(Box::new(Exec {
                    command,
                    variables,
                    ..exec?
                })));
            }
            Backend::Model(wire) => wire,
        };
        let has_base = self.wrote(&keys::BASE_URL).is_some();
        let base_url = match has_base {
            true => base_url,
            false => address(wire.usual_base()).ok(),
        };
        Some(Agent::Model(Box::new(Model {
            table: self.table.clone(),
            wire,
            base_url: base_url?,
            model: self.needed_model(model)?,
            models,
            api_key,
            prompt_file: prompt_file.map(PathBuf::from),
            context_tokens: context_tokens?,
            answer_tokens,
            request,
            eyes: eyes?,
            fallback: fallback?,
        })))
    }

    fn wish(&self) -> Wish {
        match self.wrote(&keys::BACKEND) {
            Some(_) => Wish::Asked,
            None => Wish::Default,
        }
    }

    fn needed_model(&mut self, model: Option<String>) -> Option<String> {
        if self.wrote(&keys::MODEL).is_none() {
            let written = self.wrote(&keys::BACKEND);
            let (text, line) = written.map_or(("", 1), |written| (&*written.text, written.line));
            let table = &self.table;
            let says = format!("`{table}.backend` is \"{text}\", which needs `{table}.model`");
            let place = Place::Line(line);
            self.raw.problems.push(Problem { place, says });
        }
        model
    }

    /// A variable that holds the secret of a key must not be let through to commands.
    pub(super) fn keep_from_commands(&mut self, key: &str, secret: Option<&Source>) {
        let Some(Source::Variable(name)) = secret else {
            return;
        };
        let Some(passed) = self.raw.written.get(keys::PASS_ENV.path) else {
            return;
        };
        let mut names = passed.text.split(NAMES_APART);
        if names.any(|one| one.trim().eq_ignore_ascii_case(name)) {
            let says = format!(
                "`terminal.pass_env` holds `{name}`, which is the secret of `{key}`: commands never see it"
            );
            let place = Place::Line(passed.line);
            self.raw.problems.push(Problem { place, says });
        }
    }
}

/// What can be chosen.
enum Backend {
    Demo,
    Acp,
    Exec,
    Model(Wire),
}

fn backend(text: &str) -> Result<Backend, String> {
    match text {
        "demo" => return Ok(Backend::Demo),
        "acp" => return Ok(Backend::Acp),
        "exec" => return Ok(Backend::Exec),
        _ => (),
    }
    text.parse().map(Backend::Model).map_err(|_| {
        let near = raw::suggestion(text, BACKENDS);
        format!("must be {}; found \"{text}\"{near}", listed())
    })
}

fn listed() -> String {
    let [others @ .., last] = BACKENDS;
    let others = others.map(|name| format!("\"{name}\"")).join(", ");
    format!("{others} or \"{last}\"")
}

/// The address may hold a password, so it is not repeated.
pub(super) fn address(text: &str) -> Result<Url, String> {
    provider::base_url(text).map_err(|why| format!("must be {why}"))
}

fn eyes(text: &str) -> Result<Eyes, String> {
    match text {
        "true" => Ok(Eyes::Open),
        "false" => Ok(Eyes::Shut),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn tokens(text: &str) -> Result<u64, String> {
    let expected = "must be a whole number of tokens, at least 2000";
    let tokens = text.parse().ok();
    let tokens = tokens.filter(|tokens| *tokens >= limits::CONTEXT_TOKENS_MIN);
    tokens.ok_or_else(|| format!("{expected}; found {text}"))
}

pub(super) fn answer_tokens(text: &str) -> Result<u32, String> {
    let (least, most) = (limits::ANSWER_TOKENS_LEAST, limits::ANSWER_TOKENS_MOST);
    let tokens = text.parse::<u32>().ok();
    let tokens = tokens.filter(|tokens| (least..=most).contains(&u64::from(*tokens)));
    tokens.ok_or_else(|| {
        format!("must be a whole number of tokens from {least} to {most}; found {text}")
    })
}

pub(super) fn word(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("must not be empty".to_owned()),
        word => Ok(word.to_owned()),
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
