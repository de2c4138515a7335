use super::*;

fn told(update: Value) -> Update {
    read(&json!({ "sessionId": "s1", "update": update }), "s1")
}

#[test]
fn a_plan_says_how_far_it_is() {
    let entries = ["[x] look", "[>] mend", "[ ] rest"].map(str::to_owned);
    assert_eq!(standing(&entries), "1 of 3 done, now: mend");
    assert_eq!(standing(&entries[..1]), "1 of 1 done");
}

#[test]
fn words_thoughts_and_plans_are_told_apart() {
    let words = json!({ "type": "text", "text": "\n\nHello" });
    let said = told(json!({ "sessionUpdate": "agent_message_chunk", "content": words }));
    assert_eq!(said, Update::Said("\n\nHello".to_owned()));
    let thought = told(json!({ "sessionUpdate": "agent_thought_chunk", "content": words }));
    assert_eq!(thought, Update::Thought("\n\nHello".to_owned()));
    let plan = told(json!({ "sessionUpdate": "plan", "entries": [
        { "content": "look", "status": "completed", "priority": "high" },
        { "content": "write", "status": "in_progress" },
        { "content": "rest" },
        { "status": "pending" },
    ] }));
    assert_eq!(
        plan,
        Update::Plan(vec![
            "[x] look".into(),
            "[>] write".into(),
            "[ ] rest".into()
        ])
    );
}

#[test]
fn what_is_not_known_is_passed_over() {
    for update in [
        json!({ "sessionUpdate": "something_new", "content": [] }),
        json!({ "sessionUpdate": "user_message_chunk", "content": { "type": "text", "text": "x" } }),
        json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "hologram" } }),
        json!({ "sessionUpdate": "agent_message_chunk" }),
        json!({ "sessionUpdate": "tool_call" }),
        json!({ "sessionUpdate": 7 }),
        json!("words"),
        Value::Null,
    ] {
        assert_eq!(told(update.clone()), Update::Other, "{update}");
    }
}

#[test]
fn what_is_said_in_another_conversation_is_not_ours() {
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "x" } });
    assert_eq!(
        read(&json!({ "sessionId": "s2", "update": update }), "s1"),
        Update::Other
    );
    let unnamed = read(&json!({ "update": update }), "s1");
    assert_eq!(unnamed, Update::Said("x".to_owned()));
}

#[test]
fn a_call_is_learnt_in_pieces() {
    let first = told(
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "bash",
        "kind": "execute", "status": "pending", "rawInput": { "cwd": "/w" } }),
    );
    let then = told(
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1",
        "status": "completed", "rawInput": { "command": "ls", "cwd": "/w" },
        "content": [{ "type": "content", "content": { "type": "text", "text": "f.txt\n" } },
                    { "type": "diff", "path": "/w/f.txt", "oldText": "a\nb\nc\n", "newText": "a\nB\nbb\nc\n" },
                    { "type": "terminal", "terminalId": "t" }],
        "rawOutput": { "exit": 0 } }),
    );
    let (Update::Call(mut call), Update::Call(then)) = (first, then) else {
        panic!("both are about a call")
    };
    call.learn(*then);
    assert_eq!(
        (call.tool().as_str(), call.status),
        ("execute", Some(Status::Completed))
    );
    let masker = Masker::default();
    assert_eq!(
        call.arguments(&masker),
        json!({ "title": "bash", "input": { "command": "ls", "cwd": "/w" } })
    );
    let result: Value = serde_json::from_str(&call.result(&masker)).unwrap();
    assert_eq!(
        result,
        json!({ "status": "completed", "output": "f.txt\n\nchanged /w/f.txt:\n-b\n+B\n+bb" })
    );
}

#[test]
fn a_call_that_failed_says_so_where_all_results_do() {
    let result = |output: Option<&str>| -> Value {
        let call = Call {
            status: Some(Status::Failed),
            output: output.map(str::to_owned),
            ..Call::default()
        };
        serde_json::from_str(&call.result(&Masker::default())).unwrap()
    };
    let refused = json!({ "status": "failed", "output": "refused", "error": "refused" });
    assert_eq!(result(Some("refused")), refused);
    assert!(result(None)["error"].is_string());
}

#[test]
fn a_change_shows_what_goes_and_what_comes_and_is_bounded() {
    let edited = |old: Option<&str>, new: &str, status: &str| {
        let content = json!([{ "type": "diff", "path": "/f", "oldText": old, "newText": new }]);
        let told = json!({ "toolCallId": "c1", "status": status, "content": content });
        let result = call(&told).unwrap().result(&Masker::default());
        serde_json::from_str::<Value>(&result).unwrap()
    };
    let output = |old, new| edited(old, new, "completed")["output"].clone();
    assert_eq!(output(None, "a\nb"), "changed /f:\n+a\n+b", "a new file");
    assert_eq!(output(Some("a\na\n"), "a\n"), "changed /f:\n-a");
    assert_eq!(output(Some("a"), "a"), "changed /f:");
    let long = edited(None, &"x".repeat(SHOWN_BYTES_MAX * 2), "completed");
    assert!(long.to_string().len() < SHOWN_BYTES_MAX + 100);
    let failed = edited(None, "a", "failed");
    assert_eq!(failed["error"], FAILED, "nothing was changed: {failed}");
}

#[test]
fn what_a_running_call_says_is_its_newest_part_without_secrets_or_their_beginnings() {
    let masker = Masker::new(["hunter2-hunter2".to_owned()]);
    let saying = |output: String| {
        let output = Some(output);
        Call {
            output,
            ..Call::default()
        }
        .growing(&masker)
    };
    assert_eq!(saying("one\ntwo".to_owned()), "one\ntwo");
    assert_eq!(saying("one hunter2-hun".to_owned()), "one ");
    assert!(!saying("one hunter2-hunter2\n".to_owned()).contains("hunter2"));
    let long = saying(format!("{}last", "line\n".repeat(SHOWN_BYTES_MAX)));
    assert!(long.ends_with("last") && long.len() <= SHOWN_BYTES_MAX + 10);
}

#[test]
fn steps_hold_no_secrets_and_not_too_much() {
    let masker = Masker::new(["hunter2-hunter2".to_owned()]);
    let call = Call {
        id: "c1".to_owned(),
        title: Some("use hunter2-hunter2".to_owned()),
        input: Some(json!({ "args": ["hunter2-hunter2", 7] })),
        output: Some(format!("hunter2-hunter2 {}", "x".repeat(SHOWN_BYTES_MAX))),
        ..Call::default()
    };
    let shown = format!("{} {}", call.arguments(&masker), call.result(&masker));
    assert!(!shown.contains("hunter2-hunter2"));
    assert!(shown.len() < SHOWN_BYTES_MAX + 1_000);
    let long = Call {
        input: Some(json!({ "text": "x".repeat(SHOWN_BYTES_MAX) })),
        ..call
    };
    assert!(long.arguments(&masker).to_string().len() < 1_000);
}

#[test]
fn no_half_of_a_secret_is_seen_where_a_text_is_cut() {
    let masker = Masker::new(["hunter2 hunter2-hunter2".to_owned()]);
    let known = "hunter2 hunter2-hunter2".to_owned();
    let named = format!(
        "{{\"password\": \"{}\"}}",
        "hunter2".repeat(SHOWN_BYTES_MAX)
    );
    for secret in [known, named] {
        for beside in SHOWN_BYTES_MAX - 30..SHOWN_BYTES_MAX {
            let beside = "word ".repeat(beside / 5) + &"x".repeat(beside % 5);
            let call = |output: String| Call {
                title: Some(format!(
                    "{}{secret}",
                    "x ".repeat(limits::APPROVAL_LINE_CHARS / 2 - 5)
                )),
                output: Some(output),
                ..Call::default()
            };
            let ended = call(format!("{beside} {secret} more"));
            let grows = call(format!("one {secret}\n {beside} "));
            for seen in [
                ended.result(&masker),
                grows.growing(&masker),
                ended.arguments(&masker).to_string(),
            ] {
                assert!(
                    !seen.contains("hunter2"),
                    "{}",
                    &seen[..seen.len().min(100)]
                );
            }
        }
    }
}

#[test]
fn an_agent_tells_which_commands_it_has() {
    let told = json!({ "sessionId": "s1", "update": {
        "sessionUpdate": "available_commands_update",
        "availableCommands": [{ "name": "compact", "description": "x" }, { "name": 7 }, "y", { "name": "init" }],
    } });
    let advertised = commands(&told).unwrap();
    assert_eq!(
        (&*advertised.conversation, advertised.names),
        ("s1", vec!["compact".into(), "init".into()])
    );
    let other = json!({ "sessionId": "s1", "update": { "sessionUpdate": "plan", "availableCommands": [] } });
    assert_eq!(commands(&other), None);
    assert_eq!(read(&told, "s1"), Update::Other);
}
