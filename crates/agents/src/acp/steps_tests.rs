use angelia_core::time::Timestamp;

use super::*;
use crate::events::{self, AgentEvent};

fn told(id: &str, status: &str) -> Call {
    let told = json!({ "toolCallId": id, "status": status, "kind": "execute", "title": "ls",
        "rawOutput": "done" });
    super::super::update::call(&told).unwrap()
}

/// What is written down when these calls are told, over a journal.
async fn written(before: &[Step], calls: Vec<Call>) -> Vec<Step> {
    let (events, mut heard) = events::channel();
    let at = Timestamp::from_ms(1);
    let numbered = (1..).zip(before.iter().cloned());
    let journal: Vec<Recorded> = numbered
        .map(|(seq, step)| Recorded { seq, at, step })
        .collect();
    let masker = Masker::default();
    let mut steps = Steps::new(&events, &journal, &masker, "acp.1".to_owned());
    let telling = async {
        for call in calls {
            steps.call(call).await.unwrap();
        }
        steps.plan(vec!["[ ] rest".to_owned()]).await.unwrap();
    };
    tokio::pin!(telling);
    let mut all = Vec::new();
    loop {
        tokio::select! {
            biased;
            () = &mut telling => return all,
            Some(event) = heard.recv() => if let AgentEvent::Step(step, durable) = event {
                all.push(step);
                durable.send(()).unwrap();
            },
        }
    }
}

fn names(steps: &[Step]) -> Vec<(&str, &str)> {
    fn name(step: &Step) -> (&str, &str) {
        if let Step::ToolBegun { call, .. } = step {
            return ("begun", call.as_str());
        }
        let Step::ToolFinished { call, .. } = step else {
            panic!("{step:?}")
        };
        ("finished", call.as_str())
    }
    steps.iter().map(name).collect()
}

#[tokio::test]
async fn a_call_is_written_down_when_it_runs_and_when_it_ends_and_never_twice() {
    let calls = || {
        [
            "pending",
            "in_progress",
            "in_progress",
            "completed",
            "completed",
        ]
        .map(|status| told("c1", status))
        .to_vec()
    };
    let first = written(&[], calls()).await;
    let expected = [
        ("begun", "acp.1:c1"),
        ("finished", "acp.1:c1"),
        ("begun", "acp.1:plan 1"),
        ("finished", "acp.1:plan 1"),
    ];
    assert_eq!(names(&first), expected);
    assert!(
        written(&first, calls()).await.is_empty(),
        "all of it is there"
    );
    assert_eq!(names(&written(&first[..1], calls()).await), expected[1..]);
}

#[tokio::test]
async fn a_call_that_is_only_told_when_it_is_over_has_both_steps() {
    let steps = written(&[], vec![told("c1", "failed")]).await;
    assert_eq!(
        names(&steps[..2]),
        [("begun", "acp.1:c1"), ("finished", "acp.1:c1")]
    );
}

#[tokio::test]
async fn more_calls_than_a_turn_has_room_for_are_not_written_down() {
    let calls = (0..600).map(|number| told(&format!("c{number}"), "completed"));
    let steps = written(&[], calls.collect()).await;
    assert_eq!(steps.len(), 2 * CALLS_MAX);
}
