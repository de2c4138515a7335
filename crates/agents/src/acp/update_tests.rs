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
                    { "type": "diff", "path": "/w/f.txt", "newText": "x" },
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
        json!({ "status": "completed", "output": "f.txt\n\nchanged /w/f.txt" })
    );
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
