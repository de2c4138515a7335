//! What `agent.command` and the keys beside it mean: the words of a program that is the agent, or that speaks for one,
//! what it is told and what it sees.
//!
//! Only agents that are programs have one. For all others it is an error, because whoever wrote it expects that it
//! runs. Whether the program exists is found out when it is started.

use std::collections::BTreeMap;

use angelia_agents::exec::message::Form;
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;

use super::keys::{self, COMMAND_BACKENDS};
use super::problem::{Place, Problem};
use super::raw::{self, PATTERNS_APART};
use super::resolve::{Effective, Layers};
use super::secret::Source;

/// The shortest and the longest time in which a command may say nothing. No turn works longer.
const SILENCE_MIN: Span = Span::seconds(1);
const SILENCE_MAX: Span = limits::TURN_TIME_MAX;

/// A command that is the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exec {
    /// A program and its words.
    pub(crate) command: Vec<String>,
    /// How it is told the message.
    pub(crate) form: Form,
    /// How long it may say nothing.
    pub(crate) silence: Span,
    /// Variables for it alone, and where their values are.
    pub(crate) variables: BTreeMap<String, Source>,
}

impl Layers<'_> {
    /// The words of `agent.command`, which the agent that was chosen needs. What is wrong is noted.
    pub(super) fn needed_command(&mut self, words: Option<Vec<String>>) -> Option<Vec<String>> {
        if self.wrote(&keys::COMMAND).is_none() {
            let written = self.wrote(&keys::BACKEND);
            let (text, line) = written.map_or(("", 1), |written| (&*written.text, written.line));
            let table = &self.table;
            let says = format!(
                "`{table}.backend` is \"{text}\", which needs `{table}.command`, the words of a program such as \
                 command = [\"sh\", \"agent.sh\"]"
            );
            let place = Place::Line(line);
            self.raw.problems.push(Problem { place, says });
        }
        words
    }

    /// All about a command but its words and its variables.
    pub(super) fn exec(&mut self) -> Option<Exec> {
        let form = self.pick(&keys::INPUT, form);
        let silence = self.pick(&keys::SILENCE, silence);
        Some(Exec {
            command: Vec::new(),
            form: form?,
            silence: silence?,
            variables: BTreeMap::new(),
        })
    }

    /// The variables for the command. One that holds a secret must not be let through to others.
    pub(super) fn variables(&mut self) -> BTreeMap<String, Source> {
        let above = self.path(&keys::ENV);
        let above = above.trim_end_matches('*');
        let sources = self.raw.secrets.iter();
        let named = sources.filter_map(|(path, source)| {
            let name = path.strip_prefix(above)?;
            Some((name.to_owned(), source.clone()))
        });
        let variables: BTreeMap<String, Source> = named.collect();
        for (name, source) in &variables {
            let path = format!("{above}{name}");
            self.keep_from_commands(&path, Some(source));
            let written = self.raw.written.get(&path);
            self.effective.push(Effective {
                kind: keys::ENV.kind,
                text: written.map(|written| written.text.clone()),
                place: written.map(|written| Place::Line(written.line)),
                path,
            });
        }
        variables
    }

    /// Notes a command that the chosen agent would not run.
    pub(super) fn check_command(&mut self) {
        let Some(command) = self.wrote(&keys::COMMAND) else {
            return;
        };
        let chosen = self.wrote(&keys::BACKEND);
        let backend = chosen.map_or("demo", |chosen| &*chosen.text);
        if COMMAND_BACKENDS.contains(&backend) {
            return;
        }
        let [one, other] = COMMAND_BACKENDS;
        let table = &self.table;
        let says = format!(
            "`{table}.command` is for \"{one}\" and \"{other}\", and `{table}.backend` is \"{backend}\"; choose one of \
             these, or remove the command"
        );
        let place = Place::Line(command.line);
        self.raw.problems.push(Problem { place, says });
    }
}

/// A program and its words, each as it is: there is no shell between.
pub(super) fn program(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = text.split(PATTERNS_APART).map(str::to_owned).collect();
    match words.first().map(|first| first.trim()) {
        None | Some("") => Err("must begin with a program; found none".to_owned()),
        Some(_) => Ok(words),
    }
}

fn form(text: &str) -> Result<Form, String> {
    match text {
        "text" => Ok(Form::Text),
        "json" => Ok(Form::Json),
        _ => {
            let near = raw::suggestion(text, ["text", "json"]);
            Err(format!(
                "must be \"text\" or \"json\"; found \"{text}\"{near}"
            ))
        }
    }
}

fn silence(text: &str) -> Result<Span, String> {
    let length = length::read(text).filter(|length| (SILENCE_MIN..=SILENCE_MAX).contains(length));
    length.ok_or_else(|| {
        format!("must be a length of time from \"1s\" to \"24h\" such as \"10m\"; found \"{text}\"")
    })
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
