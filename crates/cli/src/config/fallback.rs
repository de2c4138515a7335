//! What the tables of `[[agent.fallback]]` and `[[agents.NAME.fallback]]` mean: other models, asked when the first does
//! not answer.
//!
//! All of them are read whole, so that every mistake is told at once. An agent has those of its own table and no
//! others: nobody is given another's servers and keys.

use angelia_agents::model::provider::Url;
use angelia_agents::model::wire::Wire;
use serde_json::{Map, Value};

use super::agent::{address, answer_tokens, word};
use super::keys::{FALLBACK, WIRES};
use super::problem::{Place, Problem};
use super::raw::{self, Written};
use super::resolve::{Effective, Layers};
use super::secret::Source;

/// Another model, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fallback {
    /// How its server speaks.
    pub(crate) wire: Wire,
    /// Where its server is.
    pub(crate) base_url: Url,
    /// Its name there.
    pub(crate) model: String,
    /// Where the key is, if there is one.
    pub(crate) api_key: Option<Source>,
    /// The most tokens of one answer, if somebody said so.
    pub(crate) answer_tokens: Option<u32>,
    /// What its server is asked besides.
    pub(crate) request: Map<String, Value>,
}

impl Layers<'_> {
    /// The models behind the first. What is wrong is noted.
    pub(super) fn fallback(&mut self) -> Option<Vec<Fallback>> {
        let tables = self.raw.tables_of(&self.list_of_fallbacks()).into_iter();
        let read: Vec<Option<Fallback>> = tables.map(|table| self.one_fallback(table)).collect();
        read.into_iter().collect()
    }

    fn one_fallback(&mut self, (number, line): (usize, usize)) -> Option<Fallback> {
        self.show_fallback(number);
        let wire = self.of_fallback((number, line), "backend", wire);
        let model = self.of_fallback((number, line), "model", word);
        let base_url = match (self.in_fallback(number, "base_url"), wire) {
            (Some(_), _) => self.of_fallback((number, line), "base_url", address),
            (None, Some(wire)) => address(wire.usual_base()).ok(),
            (None, None) => None,
        };
        let key = self.path_of_fallback(number, "api_key");
        let api_key = self.raw.secrets.get(&key).cloned();
        self.keep_from_commands(&key, api_key.as_ref());
        let answer_tokens = self
            .in_fallback(number, "answer_tokens")
            .is_some()
            .then(|| self.of_fallback((number, line), "answer_tokens", answer_tokens));
        let table = format!("{}.{number}", self.list_of_fallbacks());
        let request = self.request(&table);
        self.leave_room(&table, answer_tokens.flatten(), &request);
        Some(Fallback {
            wire: wire?,
            base_url: base_url?,
            model: model?,
            api_key,
            answer_tokens: answer_tokens.flatten(),
            request,
        })
    }

    /// What was written in the table; the rest has no value that could be shown.
    fn show_fallback(&mut self, number: usize) {
        let shown = FALLBACK.iter().filter_map(|key| {
            let written = self.in_fallback(number, key.name())?;
            Some(Effective {
                path: self.path_of_fallback(number, key.name()),
                kind: key.kind,
                text: Some(written.text.clone()),
                place: Some(Place::Line(written.line)),
            })
        });
        let shown: Vec<Effective> = shown.collect();
        self.effective.extend(shown);
    }

    /// A value that must be there and must be right.
    fn of_fallback<T>(
        &mut self,
        (number, line): (usize, usize),
        name: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let full = self.path_of_fallback(number, name);
        let (line, read) = match self.in_fallback(number, name) {
            Some(written) => (written.line, read(&written.text)),
            None => (line, Err("is missing; each table needs it".to_owned())),
        };
        match read {
            Ok(value) => Some(value),
            Err(says) => {
                let (place, says) = (Place::Line(line), format!("`{full}` {says}"));
                self.raw.problems.push(Problem { place, says });
                None
            }
        }
    }

    fn in_fallback(&self, number: usize, name: &str) -> Option<&Written> {
        let path = self.path_of_fallback(number, name);
        self.raw.written.get(&path)
    }

    /// The list of the agent that is being read.
    fn list_of_fallbacks(&self) -> String {
        format!("{}.fallback", self.table)
    }

    fn path_of_fallback(&self, number: usize, name: &str) -> String {
        format!("{}.{number}.{name}", self.list_of_fallbacks())
    }
}

fn wire(text: &str) -> Result<Wire, String> {
    let [openai, anthropic] = WIRES;
    text.parse().map_err(|_| {
        let near = raw::suggestion(text, WIRES);
        format!("must be \"{openai}\" or \"{anthropic}\"; found \"{text}\"{near}")
    })
}

#[cfg(test)]
#[path = "fallback_tests.rs"]
mod tests;
