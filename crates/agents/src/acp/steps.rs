//! What people may watch of an agent's work: calls of its own tools, and its plan, as steps of the journal.
//!
//! A call is written down when it begins to run, with what is known of it by then, and when it ends. What an
//! earlier attempt at the turn wrote down is not written again: reading the agent's words from the same place
//! gives the same calls. There is a limit, because an agent may call more tools than a turn may have steps.

use std::collections::BTreeMap;

use angelia_core::mask::{Masker, Surface};
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Recorded, Step};
use serde_json::json;

use super::update::{self, Call, Status};
use crate::events::{Ended, Events};

/// Calls of one turn that are written down: half of its steps at most.
const CALLS_MAX: usize = 250;

/// Letters that are kept of a name that the agent gave.
const NAME_CHARS_MAX: usize = 100;

/// The calls of one turn, as far as they are known.
pub(super) struct Steps<'a> {
    events: &'a Events,
    journal: &'a [Recorded],
    masker: &'a Masker,
    /// What distinguishes the names of this process of the agent from those of others.
    prefix: String,
    calls: BTreeMap<String, Known>,
    plans: usize,
}

struct Known {
    call: Call,
    written: Written,
}

/// How much of a call is in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Nothing,
    Beginning,
    End,
}

impl<'a> Steps<'a> {
    /// For the process of an agent whose names begin with `prefix`.
    pub(super) fn new(
        events: &'a Events,
        journal: &'a [Recorded],
        masker: &'a Masker,
        prefix: String,
    ) -> Self {
        Self {
            events,
            journal,
            masker,
            prefix,
            calls: BTreeMap::new(),
            plans: 0,
        }
    }

    /// A name within the turn.
    pub(super) fn name(&self, kind: &str, own: &str) -> String {
        let own: String = own.chars().take(NAME_CHARS_MAX).collect();
        format!("{}:{kind}{own}", self.prefix)
    }

    /// What was told of a call, by the agent's own name for it.
    pub(super) fn known(&self, own: &str) -> Option<&Call> {
        let known = self.calls.get(&self.name("", own));
        known.map(|known| &known.call)
    }

    /// Learns more of a call, and writes down what there is to write.
    pub(super) async fn call(&mut self, told: Call) -> Result<(), Ended> {
        let name = self.name("", &told.id);
        if !self.calls.contains_key(&name) && self.calls.len() >= CALLS_MAX {
            return Ok(());
        }
        let unwritten = || match journal::progress(self.journal, &name) {
            Progress::Unbegun => Written::Nothing,
            Progress::Begun(_) => Written::Beginning,
            Progress::Finished(_) => Written::End,
        };
        let known = self.calls.entry(name.clone()).or_insert_with(|| Known {
            call: Call::default(),
            written: unwritten(),
        });
        known.call.learn(told);
        let status = known.call.status;
        if known.written == Written::Nothing && status != Some(Status::Pending) && status.is_some()
        {
            let step = Step::ToolBegun {
                call: name.clone(),
                tool: known.call.tool(),
                arguments: known.call.arguments(self.masker),
                effect: EffectClass::Unknown,
            };
            self.events.record(step).await?;
            known.written = Written::Beginning;
        }
        let is_over = matches!(status, Some(Status::Completed | Status::Failed));
        if known.written == Written::Beginning && is_over {
            let output = known.call.result(self.masker);
            self.events.record(Step::finished(name, output)).await?;
            known.written = Written::End;
        }
        Ok(())
    }

    /// Writes down what the agent means to do now.
    pub(super) async fn plan(&mut self, entries: Vec<String>) -> Result<(), Ended> {
        self.plans += 1;
        let name = self.name("plan ", &self.plans.to_string());
        let is_written = journal::progress(self.journal, &name) != Progress::Unbegun;
        if is_written || self.plans + self.calls.len() > CALLS_MAX || entries.is_empty() {
            return Ok(());
        }
        let title = update::standing(&entries);
        let title = self.masker.shown(&title, Surface::Log).into_owned();
        let entries = entries.join("\n");
        let shown = self.masker.shown(&entries, Surface::Log);
        let begun = Step::ToolBegun {
            call: name.clone(),
            tool: "plan".to_owned(),
            arguments: json!({ "title": title }),
            effect: EffectClass::Pure,
        };
        self.events.record(begun).await?;
        let output = shown.into_owned();
        self.events.record(Step::finished(name, output)).await
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
