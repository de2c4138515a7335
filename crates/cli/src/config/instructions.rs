//! What the `[agent.instructions]` table means: what the agent is told in which place.

use std::collections::BTreeMap;

use angelia_core::address::{ChatKind, Platform};
use angelia_core::context::instructions::{Instructions, NoPlace};
use angelia_core::limits;

use super::keys::INSTRUCTIONS;
use super::problem::{Place, Problem};
use super::raw;
use super::resolve::{Effective, Layers};

impl Layers<'_> {
    /// What the operator wants in which place. What is wrong is noted.
    pub(super) fn instructions(&mut self) -> Option<Instructions> {
        let named: Vec<(String, String)> = self.raw.instructed.clone().into_iter().collect();
        let mut entries = BTreeMap::new();
        let before = self.raw.problems.len();
        for (name, full) in &named {
            if let Some(words) = self.instruction(full) {
                entries.insert(name.clone(), words);
            }
        }
        let platforms = Platform::ALL.map(Platform::name);
        match Instructions::read(entries, &platforms) {
            Ok(instructions) => (self.raw.problems.len() == before).then_some(instructions),
            Err(strange) => {
                let strange: Vec<Problem> = strange.iter().map(|one| self.nowhere(one)).collect();
                self.raw.problems.extend(strange);
                None
            }
        }
    }

    /// The words of one entry, if they are not too many.
    fn instruction(&mut self, full: &str) -> Option<String> {
        let written = self.raw.written.get(full)?.clone();
        self.effective.push(Effective {
            path: full.to_owned(),
            kind: INSTRUCTIONS.kind,
            text: Some(written.text.clone()),
            place: Some(Place::Line(written.line)),
        });
        if written.text.len() > limits::INSTRUCTION_BYTES_MAX {
            let says = format!(
                "`{full}` is longer than {} bytes; shorten it: it is sent with every call",
                limits::INSTRUCTION_BYTES_MAX
            );
            let place = Place::Line(written.line);
            self.raw.problems.push(Problem { place, says });
            return None;
        }
        Some(written.text)
    }

    fn nowhere(&self, NoPlace(name): &NoPlace) -> Problem {
        let full = self.raw.instructed.get(name).map_or("", String::as_str);
        let line = self.raw.written.get(full).map_or(1, |written| written.line);
        let kinds = ChatKind::ALL.map(ChatKind::name);
        let known = Platform::ALL.map(Platform::name).into_iter().chain(kinds);
        let near = raw::suggestion(name, known);
        Problem {
            place: Place::Line(line),
            says: format!(
                "`{full}` names no place; write a platform, a kind of chat ({}), both as in \"telegram.group\", or a \
                 chat as in \"telegram:-100200\"{near}",
                kinds.join(", ")
            ),
        }
    }
}

#[cfg(test)]
#[path = "instructions_tests.rs"]
mod tests;
