//! The journal of a turn: what it did, written before anyone is shown the effect.
//!
//! A turn found without its owner is run again over its journal. A finished call is read from it, a
//! call that began and did not end is decided by its effect class (`recovery::call`). The stored
//! form is JSON tagged by `kind`.
//!
//! What a turn did becomes part of the conversation when it is settled: [`rows`] makes rows of it.

use serde::{Deserialize, Serialize};

use crate::command::Plan;
use crate::id::InboxId;
use crate::limits;
use crate::media::Picture;
use crate::recovery::EffectClass;
use crate::text;
use crate::time::Timestamp;
use crate::transcript::compaction::{self, Since};
use crate::transcript::entry::{Attention, Content, Entry, Role, ToolCall, Visibility};
use crate::transcript::usage::Usage;

/// What ends an entry that was cut at its limit.
const CUT: &str = "\n[… cut: the journal keeps no more of one step]";

/// Where these tools write down, among the arguments of a call, what it will do: a call that is made again
/// reads it there.
pub const PLAN_OF_A_CALL: &str = "planned";
const TOOLS_WITH_A_PLAN: [&str; 2] = ["write_file", "edit_file"];

/// What a tool was asked with, of the arguments that were written down.
pub fn asked(tool: &str, arguments: &serde_json::Value) -> serde_json::Value {
    let mut asked = arguments.clone();
    if let Some(asked) = asked.as_object_mut()
        && TOOLS_WITH_A_PLAN.contains(&tool)
    {
        asked.remove(PLAN_OF_A_CALL);
    }
    asked
}

/// One thing a turn did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// The agent's model answered; calls that it asks for follow.
    Answer {
        /// What it said and asks for, as a row of the conversation.
        row: Box<Entry>,
        /// What it used, if that was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<Box<Usage>>,
    },
    /// A tool call is about to be made.
    ToolBegun {
        /// The call's name within the turn.
        call: String,
        /// The tool.
        tool: String,
        /// What it is called with.
        arguments: serde_json::Value,
        /// What may be done if it does not end.
        effect: EffectClass,
    },
    /// A tool call ended.
    ToolFinished {
        /// The call's name within the turn.
        call: String,
        /// What came of it.
        output: String,
        /// Pictures that came with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pictures: Vec<Picture>,
    },
    /// The agent says what it means to do now, in place of what it said before.
    Planned {
        /// Which of the turn's plans: no other has this name.
        plan: String,
        /// How far it is, in one line.
        standing: String,
        /// Its entries, one on a line.
        words: String,
    },
    /// The conversation's commands run in another directory from now on, also in later turns.
    Moved {
        /// Its path.
        directory: String,
    },
    /// What was said before goes on in fewer words.
    Compacted {
        /// The words.
        summary: String,
        /// From where on everything stays as it is.
        since: Since,
        /// What it used, if that was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<Box<Usage>>,
    },
    /// Words that people may have seen on a platform while the turn ran.
    Emitted {
        /// The words.
        text: String,
    },
    /// Words came while the turn ran, and are taken along from here on.
    Steered {
        /// The messages, in the order in which they came; never none.
        said: Vec<Steered>,
    },
    /// The gateway is about to follow a command.
    Command {
        /// What it will do.
        plan: Plan,
    },
}

/// A message that a running turn took along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steered {
    /// Its row.
    pub inbox: InboxId,
    /// Its words, as the agent reads them.
    pub text: String,
}

impl Step {
    /// An answer of nothing but words.
    pub fn words(text: impl Into<String>) -> Self {
        Self::Answer {
            row: Box::new(Entry::new(Role::Assistant, text.into())),
            spent: None,
        }
    }

    /// The end of a call that brought words alone.
    pub fn finished(call: impl Into<String>, output: impl Into<String>) -> Self {
        Self::ToolFinished {
            call: call.into(),
            output: output.into(),
            pictures: Vec::new(),
        }
    }

    /// The name used in rows, traces and the HTTP interface.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Answer { .. } => "answer",
            Self::ToolBegun { .. } => "tool_begun",
            Self::ToolFinished { .. } => "tool_finished",
            Self::Planned { .. } => "planned",
            Self::Moved { .. } => "moved",
            Self::Compacted { .. } => "compacted",
            Self::Emitted { .. } => "emitted",
            Self::Steered { .. } => "steered",
            Self::Command { .. } => "command",
        }
    }
}

impl Step {
    /// The step within the limit of a journal entry: what a tool or an agent said beyond it is cut,
    /// and the cut is said. Arguments are never cut; a call whose arguments are too long is not made.
    pub fn bounded(mut self) -> Self {
        match &mut self {
            Self::Answer { row, .. } => {
                if let Content::Text(text) = &mut row.content {
                    cut(text);
                }
            }
            Self::Emitted { text } | Self::Compacted { summary: text, .. } => cut(text),
            Self::Planned {
                standing, words, ..
            } => {
                *standing = text::preview(standing, limits::STEP_TITLE_CHARS);
                cut(words);
            }
            Self::ToolFinished { output, .. } => cut(output),
            // A plan is bounded by what it was made of: one message; a path by the system. What is taken
            // along is bounded before, and never cut: nobody would be told the rest.
            Self::ToolBegun { .. }
            | Self::Moved { .. }
            | Self::Steered { .. }
            | Self::Command { .. } => (),
        }
        self
    }

    /// Whether a call's arguments are more than a journal entry may hold.
    pub fn is_too_long(&self) -> bool {
        match self {
            Self::ToolBegun { arguments, .. } => {
                arguments.to_string().len() > limits::STEP_BYTES_MAX
            }
            Self::Answer { .. }
            | Self::ToolFinished { .. }
            | Self::Planned { .. }
            | Self::Moved { .. }
            | Self::Compacted { .. }
            | Self::Emitted { .. }
            | Self::Steered { .. }
            | Self::Command { .. } => false,
        }
    }
}

fn cut(text: &mut String) {
    if text.len() > limits::STEP_BYTES_MAX {
        text.truncate(text.floor_char_boundary(limits::STEP_BYTES_MAX - CUT.len()));
        text.push_str(CUT);
    }
}

/// A step as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its place, from 1.
    pub seq: u32,
    /// When it was written.
    pub at: Timestamp,
    /// What was done.
    pub step: Step,
}

/// How far a call got in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It is not there.
    Unbegun,
    /// It began and did not end.
    Begun(EffectClass),
    /// It ended with this output.
    Finished(String),
}

/// Looks up how far `call` got.
pub fn progress(journal: &[Recorded], call: &str) -> Progress {
    let mut found = Progress::Unbegun;
    for recorded in journal {
        match &recorded.step {
            Step::ToolBegun {
                call: name, effect, ..
            } if name == call => {
                found = Progress::Begun(*effect);
            }
            Step::ToolFinished {
                call: name, output, ..
            } if name == call => {
                return Progress::Finished(output.clone());
            }
            Step::Answer { .. }
            | Step::ToolBegun { .. }
            | Step::ToolFinished { .. }
            | Step::Planned { .. }
            | Step::Moved { .. }
            | Step::Compacted { .. }
            | Step::Emitted { .. }
            | Step::Steered { .. }
            | Step::Command { .. } => (),
        }
    }
    found
}

/// Whether the plan of that name is there.
pub fn is_planned(journal: &[Recorded], name: &str) -> bool {
    let is_it = |step: &Step| matches!(step, Step::Planned { plan, .. } if plan == name);
    journal.iter().any(|recorded| is_it(&recorded.step))
}

/// The pictures that came with the end of `call`.
pub fn pictures(journal: &[Recorded], call: &str) -> Vec<Picture> {
    let of_this = |recorded: &Recorded| match &recorded.step {
        Step::ToolFinished {
            call: name,
            pictures,
            ..
        } if name == call => Some(pictures.clone()),
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. }
        | Step::Command { .. } => None,
    };
    journal.iter().find_map(of_this).unwrap_or_default()
}

/// The name of a call within its turn: which answer asked for it, and the how-manieth of that answer it is.
/// The same whenever the turn is run again, and no other call's; a model's own ids may repeat.
pub fn call_name(answer: usize, call: usize) -> String {
    format!("{answer}.{call}")
}

/// What was thought about the last answer, if its model tells that.
pub fn thoughts(journal: &[Recorded]) -> Option<&str> {
    let mut answers = journal
        .iter()
        .rev()
        .filter_map(|recorded| match &recorded.step {
            Step::Answer { row, .. } => Some(row),
            Step::ToolBegun { .. }
            | Step::ToolFinished { .. }
            | Step::Planned { .. }
            | Step::Moved { .. }
            | Step::Emitted { .. }
            | Step::Command { .. }
            | Step::Compacted { .. }
            | Step::Steered { .. } => None,
        });
    answers.next()?.reasoning.get("text")?.as_str()
}

/// What the last answer used, if that was told.
pub fn spent(journal: &[Recorded]) -> Option<&Usage> {
    journal.iter().rev().find_map(|recorded| {
        if let Step::Answer { spent, .. } = &recorded.step {
            spent.as_deref()
        } else {
            None
        }
    })
}

/// The directory that the turn has moved its conversation to, if it has.
pub fn moved_to(journal: &[Recorded]) -> Option<&str> {
    journal.iter().rev().find_map(|recorded| {
        if let Step::Moved { directory } = &recorded.step {
            Some(directory.as_str())
        } else {
            None
        }
    })
}

/// What was said in a turn after its messages, as rows of the conversation: each answer, and behind it the
/// results of its calls in the order in which they were asked for; a summary where the conversation was
/// compacted; words that were taken along where they were. A call without a result has no row. What the last summary stands for is marked so.
pub fn rows(journal: &[Recorded]) -> Vec<Entry> {
    let (mut rows, mut answers) = (Vec::new(), 0);
    for recorded in journal {
        match &recorded.step {
            Step::Answer { row, .. } => {
                answers += 1;
                rows.push(said(row, recorded.at));
                rows.extend(results(journal, answers, &row.tool_calls));
            }
            Step::Compacted { summary, .. } => {
                rows.push(said(&compaction::summary(summary.as_str()), recorded.at));
            }
            Step::Steered { said: along } => {
                rows.extend(along.iter().map(|one| said(&steered(one), recorded.at)));
            }
            Step::ToolBegun { .. }
            | Step::ToolFinished { .. }
            | Step::Planned { .. }
            | Step::Moved { .. }
            | Step::Emitted { .. }
            | Step::Command { .. } => (),
        }
    }
    if let Some(since) = compacted(journal) {
        set_aside(&mut rows, since);
    }
    rows
}

/// From where on the last compaction of the turn leaves everything as it is.
pub fn compacted(journal: &[Recorded]) -> Option<Since> {
    journal
        .iter()
        .rev()
        .find_map(|recorded| match &recorded.step {
            Step::Compacted { since, .. } => Some(*since),
            Step::Answer { .. }
            | Step::ToolBegun { .. }
            | Step::ToolFinished { .. }
            | Step::Planned { .. }
            | Step::Moved { .. }
            | Step::Emitted { .. }
            | Step::Steered { .. }
            | Step::Command { .. } => None,
        })
}

/// The messages that the turn took along, in the order of their rows in [`rows`].
pub fn along(journal: &[Recorded]) -> Vec<InboxId> {
    let along = |recorded: &Recorded| match &recorded.step {
        Step::Steered { said } => said.iter().map(|one| one.inbox).collect(),
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Command { .. } => Vec::new(),
    };
    journal.iter().flat_map(along).collect()
}

/// The row of a message that was taken along, as the agent reads it.
pub fn steered(one: &Steered) -> Entry {
    Entry {
        attention: Attention::Along,
        ..Entry::new(Role::User, one.text.as_str())
    }
}

fn said(row: &Entry, at: Timestamp) -> Entry {
    Entry {
        at: Some(at),
        ..row.clone()
    }
}

fn results(journal: &[Recorded], answer: usize, calls: &[ToolCall]) -> Vec<Entry> {
    let calls = (1..).zip(calls);
    let result = |(place, call)| {
        let name = call_name(answer, place);
        match progress(journal, &name) {
            Progress::Finished(output) => Some(result(call, output, pictures(journal, &name))),
            Progress::Unbegun | Progress::Begun(_) => None,
        }
    };
    calls.filter_map(result).collect()
}

/// Marks the turn's rows that the last summary stands for, and the summaries before it.
fn set_aside(rows: &mut [Entry], since: Since) {
    let last = rows.iter().rposition(|row| row.role == Role::Summary);
    // The messages of the turn, which count as one, are not among these rows.
    let (mut own, aside) = (0, since.own.saturating_sub(1));
    for (place, row) in rows.iter_mut().enumerate() {
        let is_replaced = match row.role {
            Role::Summary => Some(place) != last,
            Role::System | Role::User | Role::Assistant | Role::Tool | Role::Other(_) => {
                own += 1;
                own <= aside
            }
        };
        if is_replaced {
            row.visibility = Visibility::Compacted;
        }
    }
}

/// The row of a call's result.
pub fn result(call: &ToolCall, output: String, pictures: Vec<Picture>) -> Entry {
    Entry {
        pictures,
        tool_call_id: call.id().map(str::to_owned),
        tool_name: call.name().map(str::to_owned),
        ..Entry::new(Role::Tool, output)
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
