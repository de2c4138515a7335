//! What people may watch of an agent's work: calls of its own tools, and its plan, as steps of the journal.
//!
//! A call is written down when it begins to run, or when it is known what it is called with (many are never said to
//! run), and when it ends. What it says meanwhile is shown and kept nowhere. What an
//! earlier attempt at the turn wrote down is not written again: reading the agent's words from the same place
//! gives the same calls. There is a limit, because an agent may call more tools than a turn may have steps.
//!
//! A plan is written down whenever it is another. After very many only the last is, once the agent has answered;
//! those between are shown and kept nowhere.

use std::collections::BTreeMap;

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_core::recovery::EffectClass;
use angelia_core::text;
use angelia_core::turn::journal::{self, Progress, Recorded, Step};
use angelia_core::turn::shown::Shown;

use super::growth::Growth;
use super::update::{self, Call, Status};
use crate::events::{Ended, Events};

/// Calls of one turn that are written down: half of its steps at most.
const CALLS_MAX: usize = 250;

/// What the last plan is called, if the turn had very many.
const LAST: &str = "last";

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
    /// Calls that said more than people have seen.
    growth: Growth,
    /// How many plans there were.
    plans: usize,
    /// The entries of the last.
    planned: Vec<String>,
    /// The last, if it is not to be written down yet.
    unwritten: Option<Planned>,
}

/// A plan, as people may see it.
struct Planned {
    standing: String,
    words: String,
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
            growth: Growth::default(),
            plans: 0,
            planned: Vec::new(),
            unwritten: None,
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
        let says_more = told.output.is_some() && told.output != known.call.output;
        known.call.learn(told);
        if known.written == Written::Nothing && has_begun(&known.call) {
            let step = Step::ToolBegun {
                call: name.clone(),
                tool: known.call.tool(),
                arguments: known.call.arguments(self.masker),
                effect: EffectClass::Unknown,
            };
            self.events.record(step).await?;
            known.written = Written::Beginning;
        }
        match (known.written, known.call.status) {
            (Written::Beginning, Some(Status::Completed | Status::Failed)) => {
                self.growth.is_whole(&name);
                let output = known.call.result(self.masker);
                self.events.record(Step::finished(name, output)).await?;
                known.written = Written::End;
            }
            (Written::Beginning, Some(Status::Running)) if says_more => {
                self.growth.grew(&name);
            }
            (Written::Nothing | Written::Beginning | Written::End, _) => (),
        }
        if known.written == Written::End && known.call.is_over() {
            known.call.let_go();
        }
        Ok(())
    }

    /// Waits until running calls have said more, and people may see it.
    pub(super) async fn growth_is_due(&self) {
        self.growth.is_due().await;
    }

    /// Shows what running calls have said.
    pub(super) fn show_growth(&mut self) {
        for name in self.growth.take() {
            let Some(known) = self.calls.get(&name) else {
                continue;
            };
            let said = known.call.growing(self.masker);
            self.events.show(Shown::saying(name, said));
        }
    }

    /// Learns what the agent means to do now.
    pub(super) async fn plan(&mut self, entries: Vec<String>) -> Result<(), Ended> {
        if entries.is_empty() || entries == self.planned {
            return Ok(());
        }
        self.planned = entries;
        self.plans += 1;
        let (plan, number) = (self.seen(&self.planned), self.plans.to_string());
        if self.plans <= limits::AGENT_PLANS_MAX {
            return self.write(plan, &number).await;
        }
        let (standing, words) = (plan.standing.clone(), plan.words.clone());
        self.events.show(Shown::planned(standing, words));
        self.unwritten = Some(plan);
        Ok(())
    }

    /// The agent has answered: what was not written down yet is now.
    pub(super) async fn end(&mut self) -> Result<(), Ended> {
        match self.unwritten.take() {
            Some(plan) => self.write(plan, LAST).await,
            None => Ok(()),
        }
    }

    fn seen(&self, entries: &[String]) -> Planned {
        let shown = |text: &str| self.masker.shown(text, Surface::Log).into_owned();
        let standing = shown(&update::standing(entries));
        Planned {
            standing: text::preview(&standing, limits::STEP_TITLE_CHARS),
            words: shown(&entries.join("\n")),
        }
    }

    async fn write(&self, plan: Planned, number: &str) -> Result<(), Ended> {
        let name = self.name("plan ", number);
        if journal::is_planned(self.journal, &name) {
            return Ok(());
        }
        let Planned { standing, words } = plan;
        let step = Step::Planned {
            plan: name,
            standing,
            words,
        };
        self.events.record(step).await
    }
}

/// Whether enough is known of a call to show it.
fn has_begun(call: &Call) -> bool {
    match call.status {
        Some(Status::Pending) | None => call.given().is_some(),
        Some(Status::Running | Status::Completed | Status::Failed) => true,
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
