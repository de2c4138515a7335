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
    Step::finished(call, "done")
}

fn compacting(summary: &str, own: usize) -> Step {
    Step::Compacted {
        summary: summary.into(),
        since: Since { row: 7, own },
        spent: None,
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
        Step::words("hi"),
        begun("1"),
        finished("1"),
        Step::Moved {
            directory: "/srv".into(),
        },
        Step::Emitted {
            text: "so far".into(),
        },
        compacting("in short", 2),
    ];
    let stored = steps
        .iter()
        .map(|step| serde_json::to_string(step).unwrap())
        .collect::<Vec<_>>();
    assert_eq!(
        stored,
        [
            r#"{"kind":"answer","row":{"role":"assistant","content":"hi"}}"#,
            r#"{"kind":"tool_begun","call":"1","tool":"terminal","arguments":{"command":"true"},"effect":"unknown"}"#,
            r#"{"kind":"tool_finished","call":"1","output":"done"}"#,
            r#"{"kind":"moved","directory":"/srv"}"#,
            r#"{"kind":"emitted","text":"so far"}"#,
            r#"{"kind":"compacted","summary":"in short","since":{"row":7,"own":2}}"#,
        ]
    );
}

#[test]
fn a_step_is_cut_at_its_limit_and_a_call_with_endless_arguments_is_told() {
    let long = "é".repeat(limits::STEP_BYTES_MAX);
    let finished = Step::finished("1", long.as_str()).bounded();
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

#[test]
fn a_plan_is_cut_at_its_limits_in_all_its_parts() {
    let long = "é ".repeat(limits::STEP_BYTES_MAX);
    let planned = Step::Planned {
        plan: "1".to_owned(),
        standing: long.clone(),
        words: long,
    };
    let Step::Planned {
        standing, words, ..
    } = planned.bounded()
    else {
        panic!("it stays what it is")
    };
    assert_eq!(standing.chars().count(), limits::STEP_TITLE_CHARS);
    assert!(words.len() <= limits::STEP_BYTES_MAX && words.ends_with(CUT));
}

fn asking(ids: &[&str]) -> Step {
    let call = |id: &&str| {
        ToolCall::new(
            serde_json::json!({ "id": id, "function": { "name": "files", "arguments": "{}" } }),
        )
    };
    let row = Entry {
        tool_calls: ids.iter().map(call).collect(),
        ..Entry::new(Role::Assistant, "let me look")
    };
    Step::Answer {
        row: Box::new(row),
        spent: None,
    }
}

fn written(steps: Vec<Step>) -> Vec<Recorded> {
    let place = |(at, step): (usize, Step)| Recorded {
        seq: u32::try_from(at).expect("few") + 1,
        at: Timestamp::from_ms(1),
        step,
    };
    steps.into_iter().enumerate().map(place).collect()
}

#[test]
fn results_stand_behind_their_answer_in_the_order_of_the_calls() {
    let journal = written(vec![
        asking(&["a", "b"]),
        begun("1.1"),
        begun("1.2"),
        finished("1.2"),
        finished("1.1"),
        // A model may use an id again.
        asking(&["a"]),
        begun("2.1"),
    ]);
    let rows = rows(&journal);
    let said: Vec<_> = rows
        .iter()
        .map(|row| (row.role.as_str(), row.tool_call_id.as_deref()))
        .collect();
    let tool = |id| ("tool", Some(id));
    let answer = ("assistant", None);
    assert_eq!(
        said,
        [answer, tool("a"), tool("b"), answer],
        "an open call has no result"
    );
}

#[test]
fn what_the_last_summary_stands_for_is_marked_and_so_is_the_summary_before() {
    let journal = written(vec![
        asking(&["a"]),
        begun("1.1"),
        finished("1.1"),
        compacting("first", 1),
        Step::words("one"),
        compacting("second", 3),
        Step::words("two"),
    ]);
    assert_eq!(compacted(&journal), Some(Since { row: 7, own: 3 }));
    let rows = rows(&journal);
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.content.plain_text(), row.is_visible()))
        .collect();
    let seen: Vec<_> = seen
        .iter()
        .map(|(text, seen)| (text.as_str(), *seen))
        .collect();
    assert_eq!(
        seen,
        [
            ("let me look", false),
            ("done", false),
            ("first", false),
            ("one", true),
            ("second", true),
            ("two", true),
        ]
    );
}

#[test]
fn a_turn_that_keeps_all_of_its_own_marks_none_of_it() {
    let journal = written(vec![compacting("short", 0), Step::words("one")]);
    assert!(rows(&journal).iter().all(Entry::is_visible));
}

#[test]
fn what_a_tool_was_asked_with_is_told_without_the_plan_that_stands_beside_it() {
    let written = serde_json::json!({ "path": "x", "planned": { "status": "created" } });
    assert_eq!(
        asked("write_file", &written),
        serde_json::json!({ "path": "x" })
    );
    assert_eq!(asked("elsewhere__write_file", &written), written);
    assert_eq!(
        asked("write_file", &serde_json::json!(null)),
        serde_json::json!(null)
    );
}
