use angelia_core::time::Timestamp;
use serde_json::json;

use super::*;
use crate::events::{self, AgentEvent};

fn told(id: &str, status: &str) -> Call {
    let told = json!({ "toolCallId": id, "status": status, "kind": "execute", "title": "ls",
        "rawOutput": "done" });
    super::super::update::call(&told).unwrap()
}

/// What is written down when these calls are told, over a journal, and then a plan.
async fn written(before: &[Step], calls: Vec<Call>) -> Vec<Step> {
    let telling = async |steps: &mut Steps<'_>| {
        for call in calls {
            steps.call(call).await.unwrap();
        }
        steps.plan(vec!["[ ] rest".to_owned()]).await.unwrap();
    };
    written_by(before, telling).await
}

/// What is written down when all these plans are told and the agent has answered.
async fn plans_written(before: &[Step], plans: Vec<Vec<String>>) -> Vec<Step> {
    let telling = async |steps: &mut Steps<'_>| {
        for plan in plans {
            steps.plan(plan).await.unwrap();
        }
        steps.end().await.unwrap();
    };
    written_by(before, telling).await
}

async fn written_by(before: &[Step], tell: impl AsyncFnOnce(&mut Steps<'_>)) -> Vec<Step> {
    let (events, mut heard) = events::channel();
    let at = Timestamp::from_ms(1);
    let numbered = (1..).zip(before.iter().cloned());
    let journal: Vec<Recorded> = numbered
        .map(|(seq, step)| Recorded { seq, at, step })
        .collect();
    let masker = Masker::default();
    let mut steps = Steps::new(&events, &journal, &masker, "acp.1".to_owned());
    let telling = tell(&mut steps);
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
        match step {
            Step::ToolBegun { call, .. } => ("begun", call),
            Step::ToolFinished { call, .. } => ("finished", call),
            Step::Planned { plan, .. } => ("planned", plan),
            other @ (Step::Answer { .. }
            | Step::Moved { .. }
            | Step::Compacted { .. }
            | Step::Emitted { .. }
            | Step::Steered { .. }
            | Step::Command { .. }) => panic!("{other:?}"),
        }
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
        ("planned", "acp.1:plan 1"),
    ];
    assert_eq!(names(&first), expected);
    assert!(
        written(&first, calls()).await.is_empty(),
        "all of it is there"
    );
    assert_eq!(names(&written(&first[..1], calls()).await), expected[1..]);
}

#[tokio::test]
async fn a_call_is_written_down_as_soon_as_its_input_is_known() {
    let pending = |input: serde_json::Value| {
        let told = json!({ "toolCallId": "c1", "status": "pending", "rawInput": input });
        super::super::update::call(&told).unwrap()
    };
    let steps = written(
        &[],
        vec![pending(json!({})), pending(json!({ "path": "/f" }))],
    )
    .await;
    assert_eq!(names(&steps[..1]), [("begun", "acp.1:c1")]);
    let Step::ToolBegun { arguments, .. } = &steps[0] else {
        panic!("{steps:?}")
    };
    assert_eq!(arguments["input"], json!({ "path": "/f" }));
    let steps = written(&[], vec![pending(json!({}))]).await;
    assert_eq!(
        names(&steps[..1]),
        [("planned", "acp.1:plan 1")],
        "it may be anything yet"
    );
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
async fn what_a_call_brought_is_let_go_once_its_end_is_written_down() {
    let call = |status: &str| {
        let content = json!([{ "type": "diff", "path": "/f", "oldText": "a", "newText": "b" },
            { "type": "content", "content": { "type": "text", "text": "done" } }]);
        let told = json!({ "toolCallId": "c1", "status": status, "content": content });
        super::super::update::call(&told).unwrap()
    };
    let brought = |steps: &Steps<'_>| {
        let known = steps.known("c1").unwrap();
        let all = [&known.output, &known.remarks, &known.changes, &known.edits];
        all.into_iter().flatten().count()
    };
    let telling = async |steps: &mut Steps<'_>| {
        steps.call(call("in_progress")).await.unwrap();
        assert_eq!(brought(steps), 4);
        for _ in 0..2 {
            steps.call(call("completed")).await.unwrap();
            assert_eq!(brought(steps), 0);
        }
    };
    let first = written_by(&[], telling).await;
    assert_eq!(first.len(), 2);
    assert_eq!(
        written_by(&first, telling).await,
        [],
        "also when it is heard again"
    );
}

#[tokio::test]
async fn more_calls_than_a_turn_has_room_for_are_not_written_down() {
    let calls = (0..600).map(|number| told(&format!("c{number}"), "completed"));
    let steps = written(&[], calls.collect()).await;
    assert_eq!(steps.len(), 2 * CALLS_MAX + 1, "and the plan all the same");
}

#[tokio::test]
async fn a_plan_is_written_down_when_it_is_another_and_never_twice() {
    let plan = |words: &str| vec![words.to_owned()];
    let plans = || vec![plan("[ ] a"), plan("[ ] a"), vec![], plan("[x] a")];
    let first = plans_written(&[], plans()).await;
    let expected = [("planned", "acp.1:plan 1"), ("planned", "acp.1:plan 2")];
    assert_eq!(names(&first), expected);
    assert_eq!(plans_written(&first, plans()).await, []);
    assert_eq!(
        names(&plans_written(&first[..1], plans()).await),
        expected[1..]
    );
}

#[tokio::test]
async fn of_very_many_plans_the_last_is_written_down_once() {
    let plans = || (0..1_000).map(|number| vec![format!("[ ] {number}")]);
    let steps = plans_written(&[], plans().collect()).await;
    assert_eq!(steps.len(), limits::AGENT_PLANS_MAX + 1);
    let Some(Step::Planned { words, .. }) = steps.last() else {
        panic!("{steps:?}")
    };
    assert_eq!(words, "[ ] 999");
    assert_eq!(plans_written(&steps, plans().collect()).await, []);
}

#[tokio::test]
async fn how_far_a_plan_is_takes_one_line_of_few_letters() {
    let long = || vec![format!("[>] {}\nmore", "mend ".repeat(100_000))];
    let steps = plans_written(&[], vec![long()]).await;
    let Some(Step::Planned { standing, .. }) = steps.last() else {
        panic!("{steps:?}")
    };
    assert!(standing.starts_with("0 of 1 done, now: mend mend"));
    assert!(standing.chars().count() <= limits::STEP_TITLE_CHARS);
}

#[tokio::test(start_paused = true)]
async fn what_running_calls_say_is_shown_and_not_what_they_said_when_they_ended() {
    let (events, mut heard) = events::channel();
    let masker = Masker::default();
    let begun = Step::ToolBegun {
        call: "acp.1:c1".to_owned(),
        tool: "execute".to_owned(),
        arguments: json!({}),
        effect: EffectClass::Unknown,
    };
    let at = Timestamp::from_ms(1);
    let journal = [Recorded {
        seq: 1,
        at,
        step: begun,
    }];
    let mut steps = Steps::new(&events, &journal, &masker, "acp.1".to_owned());
    let says = |words: &str| {
        let told = json!({ "toolCallId": "c1", "status": "in_progress", "rawOutput": words });
        super::super::update::call(&told).unwrap()
    };
    for words in ["one", "one\ntwo", "one\ntwo"] {
        steps.call(says(words)).await.unwrap();
        let due = tokio::time::timeout(std::time::Duration::from_secs(60), steps.growth_is_due());
        if due.await.is_ok() {
            steps.show_growth();
        }
    }
    drop(steps);
    drop(events);
    let mut seen = Vec::new();
    while let Some(event) = heard.recv().await {
        let AgentEvent::Shown(shown) = event else {
            panic!("{event:?}")
        };
        let shown = *shown;
        assert_eq!((&*shown.id, &shown.input), ("acp.1:c1", &None));
        seen.push(shown.output.unwrap()["output"].clone());
    }
    assert_eq!(seen, ["one", "one\ntwo"]);
}
