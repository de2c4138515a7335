//! What a server has read it reads again byte by byte, so that it can reuse what it made of it.

use std::sync::Arc;

use angelia_agents::events::Ended;
use angelia_agents::past::{Counted, Find, Found, NoPast, Past, Row, Story};
use angelia_agents::tools::files::Workspace;
use angelia_agents::{AgentError, Input};
use angelia_core::context::day::Day;
use angelia_core::time::Timestamp;
use angelia_core::todo::Task;
use angelia_core::toolset::{Choice, Rule};
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::turn::journal::{self, Recorded};
use angelia_core::zone::Zone;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, WIRES, input, model, place, turn};

/// When everything is said: 2026-11-16.
const SAID_AT: Timestamp = Timestamp::from_ms(1_794_830_400_000);

/// What earlier turns left in the transcript.
#[derive(Debug, Clone, Default)]
struct Transcript(Vec<Row>);

#[async_trait]
impl Past for Transcript {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(Story {
            rows: self.0.clone(),
            counted: Some(Counted {
                tokens: 100,
                until: u64::MAX,
            }),
        })
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        NoPast.search(find).await
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        NoPast.tasks().await
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        NoPast.keep_tasks(tasks).await
    }
}

impl Transcript {
    /// What a turn leaves when it is settled.
    fn add(&mut self, words: &str, heard: &Heard) {
        let recorded = (1..).zip(&heard.steps).map(|(seq, step)| Recorded {
            seq,
            at: Timestamp::default(),
            step: step.clone(),
        });
        let journal: Vec<Recorded> = recorded.collect();
        let asked = Entry {
            at: Some(SAID_AT),
            ..Entry::new(Role::User, words)
        };
        let rows = [asked].into_iter().chain(journal::rows(&journal));
        for entry in rows {
            let number = self.0.len() as u64 + 1;
            self.0.push(Row { number, entry });
        }
    }
}

/// The body without the marks for the cache, which move.
fn bare(mut body: Value) -> Value {
    let messages = body["messages"].as_array_mut().unwrap();
    for message in messages {
        for block in message["content"].as_array_mut().into_iter().flatten() {
            block.as_object_mut().unwrap().remove("cache_control");
        }
    }
    body
}

fn marks(body: &Value) -> usize {
    body.to_string().matches("cache_control").count()
}

#[tokio::test]
async fn the_next_turn_begins_with_the_very_bytes_of_the_last() {
    for wire in WIRES {
        let call = |id: &str, words: &str| Piece::Call {
            id: id.to_owned(),
            name: "terminal".to_owned(),
            arguments: json!({ "command": format!("echo {words}") }),
        };
        let script = Script::steps(vec![
            Reply::of([
                Piece::Think("two things".to_owned()),
                Piece::Say("Let me see.".to_owned()),
                call("a", "one"),
                call("b", "two"),
            ]),
            Reply::says(["Both are there."]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let model = model(vec![place(&fake, wire)]);
        let mut past = Transcript::default();
        for words in ["first", "second", "third"] {
            let mut asked = Input {
                past: Arc::new(past.clone()),
                ..input(words, Vec::new())
            };
            asked.context.day = Some(Day {
                zone: Zone::utc(),
                at: SAID_AT,
            });
            let heard = turn(&model, asked, CancellationToken::new()).await;
            assert_eq!((heard.ended.clone(), heard.outputs().len()), (Ok(()), 2));
            past.add(words, &heard);
        }
        let bodies: Vec<Value> = fake.heard().into_iter().map(|asked| asked.body).collect();
        assert_eq!(bodies.len(), 6);
        let thoughts = bodies[5]["messages"]
            .to_string()
            .matches("two things")
            .count();
        assert_eq!(thoughts, 3, "thoughts go back with the calls they led to");
        let last = bodies[5]["messages"].to_string();
        let days = last.matches("Date: Monday, 2026-11-16 (UTC)").count();
        assert_eq!(days, 3, "each message stands below its day");
        for pair in bodies.windows(2) {
            let (before, after) = (bare(pair[0].clone()), bare(pair[1].clone()));
            assert_eq!(before["system"], after["system"]);
            assert_eq!(before["tools"], after["tools"]);
            let (before, after) = (
                before["messages"].to_string(),
                after["messages"].to_string(),
            );
            let before = before.strip_suffix(']').unwrap();
            assert!(after.starts_with(before), "{before}\n{after}");
            assert!(marks(&pair[1]) <= 4);
        }
    }
}

/// A workspace, and what a model is told before all messages by a turn with these tools.
async fn told_first(workspace: &Arc<Workspace>, disabled: &[&str]) -> String {
    let fake = FakeModel::start(Script::steps(vec![Reply::says(["Yes."])]));
    let fake = fake.await.unwrap();
    let model = model(vec![place(&fake, WIRES[0])]);
    let place = Rule {
        disable: disabled.iter().map(|name| (*name).to_owned()).collect(),
        ..Rule::default()
    };
    let choice = Choice {
        place,
        ..Choice::default()
    };
    let mut asked = input("Hello", Vec::new());
    asked.terms.workspace = Some(workspace.clone());
    asked.terms.tools = asked.terms.shelf.set(&choice);
    turn(&model, asked, CancellationToken::new()).await;
    let heard = fake.heard();
    heard[0].body["messages"][0]["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_model_is_told_its_workspace_if_its_tools_reach_it() {
    let world = tempfile::tempdir().unwrap();
    let root = world.path().join("w");
    let workspace = Arc::new(Workspace::prepare(&root, &root, &[]).unwrap());
    let line = format!("`{}`", workspace.root().display());
    let all = told_first(&workspace, &[]).await;
    assert!(
        all.contains(&line) && all.ends_with("You are in a chat."),
        "{all}"
    );
    let files = told_first(&workspace, &["terminal"]).await;
    assert!(
        files.contains(&line) && !files.contains("first command"),
        "{files}"
    );
    let neither = told_first(&workspace, &["terminal", "files"]).await;
    assert!(!neither.contains(&line), "{neither}");
}

/// Both results stand behind the answer that asked for them, in its order, and each call is made once.
#[tokio::test]
async fn calls_that_are_asked_for_together_are_answered_together() {
    for wire in WIRES {
        let call = |id: &str| Piece::Call {
            id: id.to_owned(),
            name: "terminal".to_owned(),
            arguments: json!({ "command": format!("echo made {id}") }),
        };
        let script = Script::steps(vec![
            Reply::of(["x", "y", "z"].map(call)),
            Reply::says(["Done."]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let model = model(vec![place(&fake, wire)]);
        let heard = turn(&model, input("go", Vec::new()), CancellationToken::new()).await;
        let made: Vec<bool> = heard
            .outputs()
            .iter()
            .zip(["x", "y", "z"])
            .map(|(output, id)| output.contains(&format!("made {id}")))
            .collect();
        assert_eq!(
            (heard.reply.as_str(), made),
            ("Done.", vec![true, true, true])
        );
        let last = fake.heard().pop().unwrap().body["messages"].to_string();
        let places: Vec<usize> = ["made x", "made y", "made z"]
            .iter()
            .map(|words| last.rfind(words).unwrap())
            .collect();
        assert!(places.is_sorted(), "{last}");
    }
}
