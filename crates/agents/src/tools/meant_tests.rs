use super::*;

use serde_json::json;

use crate::tools::form::Form;
use crate::tools::{files, process, terminal, todo};

/// What a call is taken for, which must be what another one is that says it as it should be said.
fn assert_meant(form: &Form, said: Value, meant: Value) {
    let read = form.read(said.clone());
    assert_eq!(read, form.read(meant), "{said}");
    assert!(read.is_ok(), "{said}: {read:?}");
}

#[test]
fn numbers_and_flags_may_stand_in_quotes() {
    for (said, meant) in [
        (json!("30"), json!(30)),
        (json!(" 30 "), json!(30)),
        (json!("30.0"), json!(30.0)),
        (json!(""), json!(null)),
        (json!("null"), json!(null)),
        (json!("None"), json!(null)),
    ] {
        assert_meant(
            &terminal::FORM,
            json!({ "command": "ls", "timeout": said }),
            json!({ "command": "ls", "timeout": meant }),
        );
    }
    for (said, meant) in [
        (json!("true"), true),
        (json!("True"), true),
        (json!("false"), false),
        (json!(1), true),
        (json!("0"), false),
    ] {
        assert_meant(
            &terminal::FORM,
            json!({ "command": "ls", "background": said }),
            json!({ "command": "ls", "background": meant }),
        );
    }
    assert_meant(
        &process::FORM,
        json!({ "action": "wait", "session_id": "p", "timeout": "2.5" }),
        json!({ "action": "wait", "session_id": "p", "timeout": 2.5 }),
    );
}

#[test]
fn words_are_known_however_they_are_written_and_numbers_may_be_texts() {
    assert_meant(
        &process::FORM,
        json!({ "action": "Submit", "session_id": 17, "data": 1 }),
        json!({ "action": "submit", "session_id": 17, "data": "1" }),
    );
    assert_meant(
        &terminal::FORM,
        json!({ "command": "ls", "background": true, "stdin": "" }),
        json!({ "command": "ls", "background": true }),
    );
    assert_meant(
        &files::EDIT,
        json!({ "path": "x", "old_text": 1, "new_text": 2 }),
        json!({ "path": "x", "old_text": "1", "new_text": "2" }),
    );
}

#[test]
fn lists_may_stand_in_quotes() {
    assert_meant(
        &terminal::FORM,
        json!({ "command": "ls", "watch_patterns": "[\"ready\", 404]" }),
        json!({ "command": "ls", "watch_patterns": ["ready", "404"] }),
    );
    let tasks = json!([{ "id": "1", "content": "x", "status": "in_progress" }, { "content": "y" }]);
    for said in [
        json!(tasks.to_string()),
        json!([{ "id": 1, "content": "x", "status": "In Progress" }, { "id": null, "content": "y" }]),
        json!([{ "id": "1", "content": "x", "status": "in-progress" }, { "content": "y", "status": "" }]),
    ] {
        assert_meant(
            &todo::FORM,
            json!({ "todos": said }),
            json!({ "todos": tasks }),
        );
    }
    assert_meant(
        &todo::FORM,
        json!({ "todos": [{ "id": "1", "status": "canceled" }], "merge": "true" }),
        json!({ "todos": [{ "id": "1", "status": "cancelled" }], "merge": true }),
    );
}

#[test]
fn what_may_mean_several_things_is_not_guessed() {
    for (form, said) in [
        (
            &terminal::FORM,
            json!({ "command": "ls", "timeout": "a while" }),
        ),
        (&terminal::FORM, json!({ "command": "ls", "timeout": "-1" })),
        (&terminal::FORM, json!({ "command": "ls", "timeout": 1.5 })),
        (
            &terminal::FORM,
            json!({ "command": "ls", "background": "yes, please" }),
        ),
        (&terminal::FORM, json!({ "command": "ls", "background": 2 })),
        (
            &terminal::FORM,
            json!({ "command": "ls", "watch_patterns": "one, two" }),
        ),
        (&files::WRITE, json!({ "path": "x", "content": { "a": 1 } })),
        (&files::WRITE, json!({ "path": "x", "content": 1.50 })),
        (&files::WRITE, json!({ "path": null, "content": "" })),
        (&process::FORM, json!({ "action": "", "session_id": "p" })),
        (&todo::FORM, json!({ "todos": { "content": "x" } })),
        (&todo::FORM, json!({ "todos": "milk" })),
    ] {
        assert!(form.read(said.clone()).is_err(), "{said}");
    }
}
