//! What is unfinished stays known through every summary of a long conversation.

use std::sync::{Arc, Mutex};

use angelia_agents::background::act::{Act, Acted, Looked};
use angelia_agents::background::{Background, NoBackground, NotStarted, Started, Wish};
use angelia_agents::events::Ended;
use angelia_agents::past::{Find, Found, NoPast, Past, Row, Story};
use angelia_agents::{AgentError, Input};
use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, Notice, State, Watch};
use angelia_core::time::{Span, Timestamp};
use angelia_core::todo::Task;
use angelia_core::transcript::compaction;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::turn::journal::{self, Step};
use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use async_trait::async_trait;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, input, model_reading, place, shorten, turn};

/// What a small model can read, in tokens.
const WINDOW: u64 = 10_000;

const TASK: &str = "paint the fence blue";
const COMMAND: &str = "watch-the-paint-dry";

/// A conversation that keeps its list of tasks.
#[derive(Debug, Default)]
struct Kept {
    rows: Mutex<Vec<Entry>>,
    tasks: Mutex<Vec<Task>>,
}

impl Kept {
    fn say(&self, rows: impl IntoIterator<Item = Entry>) {
        self.rows.lock().unwrap().extend(rows);
    }

    /// A summary stands for everything so far, and then much more is said.
    fn go_on_from(&self, summary: &str) {
        let mut rows = self.rows.lock().unwrap();
        *rows = vec![compaction::summary(summary)];
        rows.extend(much());
    }
}

#[async_trait]
impl Past for Kept {
    async fn story(&self) -> Result<Story, AgentError> {
        let rows = (1..).zip(self.rows.lock().unwrap().clone());
        Ok(Story {
            rows: rows.map(|(number, entry)| Row { number, entry }).collect(),
            counted: None,
        })
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        NoPast.search(find).await
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        Ok(self.tasks.lock().unwrap().clone())
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        *self.tasks.lock().unwrap() = tasks;
        Ok(())
    }
}

/// A process that runs for ever.
#[derive(Debug)]
struct Running;

#[async_trait]
impl Background for Running {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        NoBackground.start(wish).await
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let Act::List = act else {
            return NoBackground.act(act).await;
        };
        Ok(Acted::Listed(vec![Looked {
            id: ProcessId::from_bits(7),
            command: COMMAND.to_owned(),
            workdir: None,
            mode: Mode::Pipe,
            pid: None,
            started_at: Timestamp::default(),
            age: Span::default(),
            state: State::Running,
            watch: Watch::the_end(Notice::Unwanted),
            output: String::new(),
            output_bytes: 0,
        }]))
    }
}

/// What a turn leaves in the conversation.
fn rows(told: &Heard) -> Vec<Entry> {
    let mut rows = vec![Entry::new(Role::User, "begin")];
    for step in &told.steps {
        if let Step::Answer { row, .. } = step {
            rows.push((**row).clone());
            let output = told.outputs()[0].to_owned();
            let result = |call| journal::result(call, output.clone(), Vec::new());
            rows.extend(row.tool_calls.iter().map(result));
        }
    }
    rows
}

/// Four thousand tokens about something else.
fn much() -> Vec<Entry> {
    let long = "word".repeat(1_000);
    let turn = |number: usize| {
        [
            Entry::new(Role::User, format!("question {number} {long}")),
            Entry::new(Role::Assistant, format!("answer {number}")),
        ]
    };
    (1..=4).flat_map(turn).collect()
}

fn here(past: &Arc<Kept>, words: &str) -> Input {
    Input {
        past: past.clone(),
        background: Arc::new(Running),
        ..input(words, Vec::new())
    }
}

/// Its notes say nothing of what is unfinished; that must not depend on them.
fn script() -> Script {
    let todo = json!({ "todos": [{ "id": "1", "content": TASK, "status": "in_progress" }] });
    Script::new(move |asked, number| {
        let is_for_notes = asked.body.to_string().contains("You keep the notes");
        match (is_for_notes, number) {
            (true, _) => Reply::says(["THE NOTES"]).uncounted(),
            (false, 1) => Reply::calls("c", "todo", todo.clone()).uncounted(),
            (false, _) => Reply::says(["Here."]).uncounted(),
        }
    })
}

fn summary_in(steps: &[Step]) -> String {
    match steps {
        [Step::Compacted { summary, .. }] => summary.clone(),
        others => panic!("{others:?}"),
    }
}

#[tokio::test]
async fn tasks_and_processes_are_named_behind_the_second_summary_as_behind_the_first() {
    for wire in WIRES {
        let fake = FakeModel::start(script()).await.unwrap();
        let model = model_reading(vec![place(&fake, wire)], WINDOW);
        let past = Arc::new(Kept::default());
        let told = turn(&model, here(&past, "begin"), CancellationToken::new()).await;
        assert_eq!((&told.ended, told.reply.as_str()), (&Ok(()), "Here."));
        past.say(rows(&told));
        past.say(much());
        for time in ["first", "second"] {
            let short = shorten(&model, here(&past, ""), None).await;
            past.go_on_from(&summary_in(&short.steps));
            let stop = CancellationToken::new();
            turn(&model, here(&past, "and now?"), stop).await;
            let asked = fake.heard().pop().unwrap().body.to_string();
            assert!(asked.contains(TASK) && asked.contains(COMMAND), "{time}");
        }
    }
}
