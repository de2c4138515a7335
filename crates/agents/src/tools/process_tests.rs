use super::*;

use std::sync::{Mutex, PoisonError};

use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, Notice, Watch};
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Recorded;
use angelia_process::environment::Environment;
use async_trait::async_trait;

use crate::events::{self, AgentEvent};

/// Counts what was asked of it.
#[derive(Debug)]
struct Counted {
    answer: Result<ProcessId, NotStarted>,
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl Background for Counted {
    async fn start(&self, wish: Wish) -> Result<ProcessId, NotStarted> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(wish.call);
        self.answer.clone()
    }
}

fn counted(answer: Result<ProcessId, NotStarted>) -> Counted {
    Counted {
        answer,
        calls: Mutex::default(),
    }
}

fn wish() -> Wish {
    Wish {
        call: "1".into(),
        command: "make".into(),
        workdir: None,
        environment: Environment::default(),
        mode: Mode::Pipe,
        watch: Watch::the_end(Notice::Wanted),
    }
}

/// Calls the tool over `steps`; tells its answer and the steps that it wrote down.
async fn called(steps: Vec<Step>, background: &Counted) -> (Result<String, Ended>, Vec<Step>) {
    let record = |(seq, step)| Recorded {
        seq,
        at: Timestamp::default(),
        step,
    };
    let journal: Vec<Recorded> = (1..).zip(steps).map(record).collect();
    let (events, mut told) = events::channel();
    let calling = async {
        let call = Call {
            name: "1",
            journal: &journal,
            events: &events,
        };
        let output = start(&call, background, wish()).await;
        drop(events);
        output
    };
    let hearing = async {
        let mut steps = Vec::new();
        while let Some(event) = told.recv().await {
            match event {
                AgentEvent::Text(text) => panic!("the tool itself says nothing: {text}"),
                AgentEvent::Step(step, durable) => {
                    steps.push(step);
                    durable.send(()).unwrap();
                }
            }
        }
        steps
    };
    tokio::join!(calling, hearing)
}

fn begun() -> Step {
    Step::ToolBegun {
        call: "1".into(),
        tool: "process".into(),
        arguments: serde_json::json!({ "action": "start", "command": "make" }),
        effect: EffectClass::Keyed,
    }
}

fn finished(output: &str) -> Step {
    Step::ToolFinished {
        call: "1".into(),
        output: output.into(),
    }
}

const ID: ProcessId = ProcessId::from_bits(7);

#[tokio::test]
async fn a_start_is_written_down_before_and_after_and_names_the_process() {
    let background = counted(Ok(ID));
    let (output, steps) = called(Vec::new(), &background).await;
    let output = output.unwrap();
    assert!(
        output.contains(&format!("angelia processes log {ID}")),
        "{output}"
    );
    assert_eq!(steps, [begun(), finished(&output)]);
    assert_eq!(*background.calls.lock().unwrap(), ["1"]);
}

#[tokio::test]
async fn a_start_that_was_cut_off_is_made_again_under_the_same_key() {
    let background = counted(Ok(ID));
    let (output, steps) = called(vec![begun()], &background).await;
    assert_eq!(steps, [finished(&output.unwrap())]);
    assert_eq!(*background.calls.lock().unwrap(), ["1"]);
}

#[tokio::test]
async fn a_finished_start_is_read_and_not_made_again() {
    let background = counted(Ok(ID));
    let (output, steps) = called(vec![begun(), finished("earlier")], &background).await;
    assert_eq!((output.unwrap().as_str(), steps.len()), ("earlier", 0));
    assert!(background.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_refusal_is_an_outcome_and_the_end_of_the_turn_is_none() {
    let refused = counted(Err(NotStarted::Refused("too many".into())));
    let (output, steps) = called(Vec::new(), &refused).await;
    assert_eq!(output.unwrap(), "too many");
    assert_eq!(steps, [begun(), finished("too many")]);
    let (output, steps) = called(Vec::new(), &counted(Err(NotStarted::Ended))).await;
    assert_eq!((output, steps.len()), (Err(Ended), 1));
}
