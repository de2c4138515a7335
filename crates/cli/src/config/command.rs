//! What `agent.command` means: the words of a program that is the agent, or that speaks for one.
//!
//! Only agents that are programs have one. For all others it is an error, because whoever wrote it expects that it
//! runs. Whether the program exists is found out when it is started.

use super::keys::{self, COMMAND_BACKENDS};
use super::problem::{Place, Problem};
use super::raw::PATTERNS_APART;
use super::resolve::Layers;

impl Layers<'_> {
    /// The words of `agent.command`, which the agent that was chosen needs. What is wrong is noted.
    #[expect(dead_code, reason = "the agents that are programs arrive one by one")]
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

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
