use super::*;

fn journal(steps: Vec<Step>) -> Vec<Recorded> {
    let numbered = steps.into_iter().zip(1..);
    numbered
        .map(|(step, seq)| Recorded {
            seq,
            at: Timestamp::from_ms(0),
            step,
        })
        .collect()
}

fn begun(call: &str) -> Step {
    Step::ToolBegun {
        call: call.into(),
        tool: "terminal".into(),
        arguments: serde_json::json!({"command": "true"}),
        effect: EffectClass::Unknown,
    }
}

fn finished(call: &str) -> Step {
    Step::ToolFinished {
        call: call.into(),
        output: "done".into(),
    }
}

#[test]
fn a_calls_progress_is_read_from_the_journal() {
    let journal = journal(vec![begun("1"), finished("1"), begun("2")]);
    assert_eq!(progress(&journal, "1"), Progress::Finished("done".into()));
    assert_eq!(
        progress(&journal, "2"),
        Progress::Begun(EffectClass::Unknown)
    );
    assert_eq!(progress(&journal, "3"), Progress::Unbegun);
}

#[test]
fn stored_steps_keep_their_shape() {
    let steps = [
        Step::Answer { text: "hi".into() },
        begun("1"),
        finished("1"),
        Step::Moved {
            directory: "/srv".into(),
        },
        Step::Emitted {
            text: "so far".into(),
        },
    ];
    let stored = steps
        .iter()
        .map(|step| serde_json::to_string(step).unwrap())
        .collect::<Vec<_>>();
    assert_eq!(
        stored,
        [
            r#"{"kind":"answer","text":"hi"}"#,
            r#"{"kind":"tool_begun","call":"1","tool":"terminal","arguments":{"command":"true"},"effect":"unknown"}"#,
            r#"{"kind":"tool_finished","call":"1","output":"done"}"#,
            r#"{"kind":"moved","directory":"/srv"}"#,
            r#"{"kind":"emitted","text":"so far"}"#,
        ]
    );
}

#[test]
fn a_step_is_cut_at_its_limit_and_a_call_with_endless_arguments_is_told() {
    let long = "é".repeat(limits::STEP_BYTES_MAX);
    let finished = Step::ToolFinished {
        call: "1".into(),
        output: long.clone(),
    }
    .bounded();
    let Step::ToolFinished { output, .. } = finished else {
        panic!("it stays what it is")
    };
    assert!(output.len() <= limits::STEP_BYTES_MAX && output.ends_with(CUT));
    assert!(!begun("1").is_too_long());
    let endless = Step::ToolBegun {
        call: "1".into(),
        tool: "terminal".into(),
        arguments: serde_json::json!({ "command": long }),
        effect: EffectClass::Pure,
    };
    assert!(endless.is_too_long());
}
