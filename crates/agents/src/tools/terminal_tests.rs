use super::*;

use std::fs;
use std::path::Path;

use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Recorded;

use crate::events::{self, AgentEvent};

/// A command that leaves a line in `runs` each time it is run.
const COUNTED: &str = "echo run >>runs; echo hi";

fn counted(dir: &Path) -> Command {
    Command {
        workdir: Some(dir.to_owned()),
        ..Command::new(COUNTED)
    }
}

fn runs(dir: &Path) -> usize {
    fs::read_to_string(dir.join("runs")).map_or(0, |lines| lines.lines().count())
}

fn recorded(steps: Vec<Step>) -> Vec<Recorded> {
    let record = |(seq, step)| Recorded {
        seq,
        at: Timestamp::default(),
        step,
    };
    (1..).zip(steps).map(record).collect()
}

fn begun(effect: EffectClass) -> Step {
    let arguments = serde_json::json!({ "command": COUNTED });
    Step::ToolBegun {
        call: "1".into(),
        tool: "terminal".into(),
        arguments,
        effect,
    }
}

fn finished(output: &str) -> Step {
    Step::ToolFinished {
        call: "1".into(),
        output: output.into(),
    }
}

/// Calls the tool over `journal`; tells its answer and the steps that it wrote down.
async fn called(journal: &[Recorded], command: &Command) -> (String, Vec<Step>) {
    let (events, mut told) = events::channel();
    let calling = async {
        let call = Call {
            name: "1",
            journal,
            events: &events,
        };
        let output = run(&call, command).await.unwrap();
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

async fn output_of(text: &str) -> String {
    called(&[], &Command::new(text)).await.0
}

#[tokio::test]
async fn a_new_call_is_run_once_and_written_down_before_and_after() {
    let dir = tempfile::tempdir().unwrap();
    let (output, steps) = called(&[], &counted(dir.path())).await;
    assert_eq!(output, "hi");
    assert_eq!(steps, [begun(EffectClass::Unknown), finished("hi")]);
    assert_eq!(runs(dir.path()), 1);
}

#[tokio::test]
async fn a_call_that_cannot_be_written_down_is_not_made() {
    let dir = tempfile::tempdir().unwrap();
    let (events, told) = events::channel();
    drop(told);
    let call = Call {
        name: "1",
        journal: &[],
        events: &events,
    };
    assert_eq!(run(&call, &counted(dir.path())).await, Err(Ended));
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn a_finished_call_is_read_and_not_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let journal = recorded(vec![begun(EffectClass::Unknown), finished("hi, earlier")]);
    let (output, steps) = called(&journal, &counted(dir.path())).await;
    assert_eq!(output, "hi, earlier");
    assert!(steps.is_empty());
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_not_run_again_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let journal = recorded(vec![begun(EffectClass::Unknown)]);
    let (output, steps) = called(&journal, &counted(dir.path())).await;
    assert_eq!(output, UNKNOWN);
    assert_eq!(steps, [finished(UNKNOWN)]);
    assert_eq!(runs(dir.path()), 0);
}

#[tokio::test]
async fn another_call_of_the_turn_does_not_count() {
    let dir = tempfile::tempdir().unwrap();
    let other = Step::ToolFinished {
        call: "2".into(),
        output: "other".into(),
    };
    let (output, _) = called(&recorded(vec![other]), &counted(dir.path())).await;
    assert_eq!(output, "hi");
    assert_eq!(runs(dir.path()), 1);
}

#[tokio::test]
async fn how_a_command_ended_is_said_when_it_did_not_end_well() {
    assert_eq!(output_of("printf 'a\\n\\n'").await, "a");
    assert_eq!(output_of("true").await, "(no output)");
    assert_eq!(output_of("echo a; exit 3").await, "a\n[exit 3]");
    assert_eq!(output_of("exit 3").await, "[exit 3]");
    assert_eq!(output_of("kill -9 $$").await, "[ended by signal 9]");
}

#[tokio::test]
async fn a_command_whose_time_is_up_says_so() {
    let command = Command {
        time: Span::ms(100),
        ..Command::new("sleep 1000")
    };
    assert_eq!(called(&[], &command).await.0, "[timed out after 0.1 s]");
    assert_eq!(
        ending(Status::TimedOut, Span::seconds(180)).unwrap(),
        "[timed out after 180 s]"
    );
}

#[tokio::test]
async fn a_command_that_cannot_start_is_an_outcome() {
    let dir = tempfile::tempdir().unwrap();
    let command = Command {
        workdir: Some(dir.path().join("absent")),
        ..Command::new("true")
    };
    let (output, steps) = called(&[], &command).await;
    assert!(output.contains("could not be started"), "{output}");
    assert_eq!(steps.len(), 2);
}

#[tokio::test]
async fn an_output_of_any_length_fits_an_entry_of_the_journal() {
    let noise = "head -c 10000000 /dev/zero | tr '\\0' '\\377'";
    let (output, _) = called(&[], &Command::new(noise)).await;
    assert!(output.contains("bytes left out here"), "{}", output.len());
    assert!(output.len() > limits::TOOL_OUTPUT_BYTES_MAX && output.len() <= limits::STEP_BYTES_MAX);
}
