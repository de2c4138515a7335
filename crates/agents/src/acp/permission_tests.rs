use super::*;

fn asked(kinds: &[&str]) -> Asked {
    let options: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "optionId": format!("id of {kind}"), "kind": kind, "name": "Allow" }))
        .collect();
    let params = json!({
        "sessionId": "s",
        "toolCall": { "toolCallId": "c1", "title": "rm -r x", "kind": "execute",
                      "rawInput": { "command": "rm -r x" } },
        "options": options,
    });
    read(&params, None).unwrap()
}

fn picked(kinds: &[&str], answer: &Answer) -> Option<String> {
    let outcome = asked(kinds).outcome(answer);
    let id = outcome["outcome"]["optionId"].as_str()?;
    Some(id.trim_start_matches("id of ").to_owned())
}

const ALL: [&str; 4] = ["reject_always", "allow_always", "reject_once", "allow_once"];

#[test]
fn options_are_picked_by_kind_and_the_least_that_does() {
    let no = Answer::Refused("no".to_owned());
    for grant in [Grant::Once, Grant::Conversation, Grant::Always] {
        let yes = Answer::Granted(grant);
        assert_eq!(picked(&ALL, &yes).as_deref(), Some("allow_once"));
    }
    assert_eq!(picked(&ALL, &no).as_deref(), Some("reject_once"));
    assert_eq!(
        picked(&["reject_always", "allow_once"], &no).as_deref(),
        Some("reject_always")
    );
}

#[test]
fn nobody_agrees_to_more_than_was_asked() {
    let only_always = ["allow_always", "reject_once"];
    assert_eq!(picked(&only_always, &Answer::Granted(Grant::Once)), None);
    let longer = Answer::Granted(Grant::Conversation);
    assert_eq!(
        picked(&only_always, &longer).as_deref(),
        Some("allow_always")
    );
}

#[test]
fn without_a_fitting_option_the_answer_is_no() {
    let no = Answer::Refused("no".to_owned());
    for kinds in [&[] as &[&str], &["allow_once"], &["something_new"]] {
        assert_eq!(asked(kinds).outcome(&no), cancelled());
    }
}

#[test]
fn a_deed_is_told_in_words() {
    assert_eq!(asked(&ALL).words(), "rm -r x");
    let words = |call: Value| told(call, None).words();
    let argv = json!({ "toolCallId": "c", "kind": "execute",
        "rawInput": { "command": ["sh", "-c", "echo 'a b'"] } });
    assert_eq!(words(argv), r"sh -c 'echo '\''a b'\'''");
    let edit = json!({ "toolCallId": "c", "title": "Edit f", "rawInput": { "path": "/f" } });
    assert_eq!(words(edit), "Edit f\n{\"path\":\"/f\"}");
    let bare = json!({ "toolCallId": "c", "kind": "edit" });
    assert_eq!(words(bare), "edit");
    assert_eq!(read(&json!({ "options": [] }), None), None);
}

fn told(call: Value, known: Option<Call>) -> Asked {
    read(&json!({ "toolCall": call }), known).unwrap()
}

#[test]
fn a_command_with_anything_else_is_no_line_for_a_shell_and_told_whole() {
    let input = json!({ "command": "create", "path": "/f", "file_text": "x" });
    for (kind, input) in [("edit", json!({ "command": "create" })), ("execute", input)] {
        let call = json!({ "toolCallId": "c", "title": "Do it", "kind": kind, "rawInput": input });
        let asked = told(call, None);
        assert_eq!(
            (asked.command(), asked.line().as_deref()),
            (None, Some("create"))
        );
        assert_eq!(asked.words(), format!("Do it\n{input}"));
    }
    let beside = json!({ "command": "make", "description": "Makes it", "timeout": 7 });
    let call = json!({ "toolCallId": "c", "kind": "execute", "rawInput": beside });
    assert_eq!(told(call, None).command().as_deref(), Some("make"));
}

#[test]
fn what_was_told_of_a_call_before_counts_in_its_question() {
    let known = json!({ "toolCallId": "c", "title": "Edit f", "kind": "edit",
        "content": [{ "type": "diff", "path": "/f", "oldText": "a\nb", "newText": "c" }],
        "locations": [{ "path": "/f", "line": 3 }] });
    let known = update::call(&known).unwrap();
    let asked = told(json!({ "toolCallId": "c" }), Some(known));
    assert_eq!(asked.words(), "Edit f\nchanges /f:\n-a\n-b\n+c\nat /f:3");
}

#[test]
fn an_answer_is_bound_to_a_deed_only_if_something_is_told_of_it() {
    let scope = |call: Value| told(call, None).scope();
    let bare = json!({ "toolCallId": "c", "title": "Edit", "rawInput": {} });
    assert_eq!(scope(bare), Scope::Call);
    let edit = json!({ "toolCallId": "c", "title": "Edit", "rawInput": { "path": "/f" } });
    assert_eq!(scope(edit), Scope::Deed);
    let shown =
        json!({ "toolCallId": "c", "content": [{ "type": "diff", "path": "/f", "newText": "c" }] });
    assert_eq!(scope(shown), Scope::Deed);
    let placed = json!({ "toolCallId": "c", "title": "Edit", "locations": [{ "path": "/f" }] });
    assert_eq!(scope(placed.clone()), Scope::Call, "not what is done there");
    assert_eq!(told(placed, None).words(), "Edit\nat /f");
}

/// An execution with `input` and what else is told of it, by an agent that works in `/work`.
fn execution(input: Value, more: Value) -> Asked {
    let mut call = more;
    call["toolCallId"] = json!("c");
    call["kind"] = json!("execute");
    call["rawInput"] = input;
    let options = json!([{ "optionId": "y", "kind": "allow_once" }]);
    let params = json!({ "toolCall": call, "options": options });
    read(&params, None).unwrap().within(Path::new("/work"))
}

fn said(text: &str) -> Value {
    json!([{ "type": "content", "content": { "type": "text", "text": text } }])
}

#[test]
fn what_is_said_about_a_command_makes_no_other_deed_of_it() {
    let input = json!({ "command": "make", "description": "Makes it" });
    let asked = execution(input, json!({ "content": said("Makes it") }));
    assert_eq!(asked.command().as_deref(), Some("make"));
    assert_eq!(
        (asked.words().as_str(), asked.remark()),
        ("make", Some("Makes it"))
    );
    for more in [
        json!({ "locations": [{ "path": "/f" }] }),
        json!({ "content": [{ "type": "diff", "path": "/f", "newText": "c" }] }),
    ] {
        assert_eq!(
            execution(json!({ "command": "make" }), more).command(),
            None
        );
    }
}

#[test]
fn the_names_of_a_question_are_no_part_of_what_is_done() {
    let event = json!({
        "call_id": "c", "turn_id": "7", "approval_id": "c7", "started_at_ms": 7, "cwd": "/work",
        "command": ["make", "all"], "reason": "it is old", "parsed_cmd": [{ "cmd": "make all" }],
        "available_decisions": ["approved"], "proposed_execpolicy_amendment": ["make"],
        "network_approval_context": null,
    });
    let asked = execution(event.clone(), json!({}));
    assert_eq!(asked.command().as_deref(), Some("make all"));
    assert_eq!(asked.remark(), Some("it is old"));
    for (name, value) in [
        ("cwd", json!("/elsewhere")),
        ("network_approval_context", json!({ "host": "h" })),
        ("something_new", json!(1)),
    ] {
        let mut other = event.clone();
        other[name] = value.clone();
        let asked = execution(other, json!({ "title": "Run it" }));
        assert_eq!(asked.command(), None, "{name}");
        let shown = format!(
            "Run it\n{}",
            json!({ "command": ["make", "all"], name: value })
        );
        assert_eq!(asked.words(), shown);
    }
}

#[test]
fn an_id_that_names_no_question_belongs_to_the_deed() {
    let asked = execution(json!({ "command": "hang-up", "call_id": "c" }), json!({}));
    assert_eq!(asked.command(), None);
    assert!(asked.words().contains("call_id"));
    let call = json!({ "toolCallId": "c", "kind": "other", "rawInput": {
        "command": "x", "call_id": "1", "turn_id": "2" } });
    let asked = told(call, None).within(Path::new("/work"));
    assert!(asked.words().contains("turn_id"), "it is no execution");
}

#[test]
fn what_would_be_allowed_for_longer_counts_where_no_answer_is_for_once() {
    let call = json!({ "toolCallId": "c", "kind": "execute", "rawInput": {
        "command": "make", "call_id": "c", "turn_id": "7",
        "proposed_execpolicy_amendment": ["make"] } });
    let options = json!([{ "optionId": "y", "kind": "allow_always" }]);
    let asked = read(&json!({ "toolCall": call, "options": options }), None);
    let asked = asked.unwrap().within(Path::new("/work"));
    assert_eq!(asked.command(), None);
    assert!(asked.words().contains("proposed_execpolicy_amendment"));
}

#[test]
fn an_empty_input_takes_nothing_back_of_what_was_told() {
    let known = json!({ "toolCallId": "c", "title": "rm -r x", "kind": "execute",
        "rawInput": { "command": "rm -r x" } });
    for empty in [json!({}), json!(""), json!([]), Value::Null] {
        let known = update::call(&known);
        let again = json!({ "toolCallId": "c", "title": "bash", "rawInput": empty });
        assert_eq!(told(again, known).command().as_deref(), Some("rm -r x"));
    }
}

#[test]
fn a_deed_is_called_what_it_is_unless_a_command_is_among_it() {
    let sort = |kind: Option<&str>, input: Value| {
        let told = json!({ "toolCallId": "c1", "kind": kind, "rawInput": input });
        let params = json!({ "toolCall": told, "options": [] });
        read(&params, None).unwrap().sort()
    };
    assert_eq!(sort(Some("edit"), json!({ "path": "/f" })), Sort::Edit);
    assert_eq!(sort(Some("fetch"), json!({ "url": "x" })), Sort::Fetch);
    assert_eq!(sort(None, json!({})), Sort::Other);
    assert_eq!(
        sort(Some("read"), json!({ "command": "rm f" })),
        Sort::Command
    );
}
