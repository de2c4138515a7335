//! The tools beside commands and processes, through the real binary: files, tasks, searches and questions, and which
//! of them there are.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::processes::{Held, end};
use crate::world::{mode, wait_for};

#[test]
fn files_are_worked_with_in_a_workspace_that_nothing_leads_out_of() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let root = held.world.home().join("workspace");
    assert_eq!(mode(&root), 0o700);
    let text = json!({ "path": "notes/a.txt", "content": "one\ntwo\n" });
    assert_eq!(held.tool("write_file", text)["status"], "created");
    let edit = json!({ "path": "notes/a.txt", "old_text": "two", "new_text": "2" });
    assert_eq!(held.tool("edit_file", edit)["replaced"], 1);
    assert_eq!(
        fs::read_to_string(root.join("notes/a.txt")).unwrap(),
        "one\n2\n"
    );
    let shown = held.tool("terminal", json!({ "command": "cat notes/a.txt" }));
    assert_eq!(shown["output"], "one\n2", "{shown}");
    let found = held.tool("search_files", json!({ "content": "^2$" }));
    assert_eq!(found["output"], "notes/a.txt:2:2\n", "{found}");
    std::os::unix::fs::symlink("../api-token", root.join("token")).unwrap();
    for path in ["token", "../api-token", "../angelia.db"] {
        let told = held.tool("read_file", json!({ "path": path }));
        assert!(told["error"].is_string(), "{path}: {told}");
    }
}

#[test]
fn a_home_is_no_workspace() {
    let held = Held::new();
    held.world.configure("[tools.files]\nroot = \"..\"\n");
    let refused = held.world.run(&["serve"]);
    assert_ne!(refused.code, Some(0));
    let said = refused.stderr;
    assert!(
        said.contains("no tool may reach") && said.contains("tools.files.root"),
        "{said}"
    );
}

#[test]
fn a_tool_that_is_disabled_is_not_there() {
    let held = Held::new();
    held.world
        .configure("[tools]\ndisable = [\"terminal\", \"files\"]\n");
    let _gateway = held.world.serve();
    for (tool, arguments) in [
        ("terminal", json!({ "command": "echo hi" })),
        ("read_file", json!({ "path": "x" })),
    ] {
        let told = held.tool(tool, arguments);
        let why = told["error"].as_str().unwrap();
        assert!(why.contains(&format!("there is no tool `{tool}`")), "{why}");
    }
    assert!(held.tool("process", json!({ "action": "list" }))["processes"].is_array());
}

#[test]
fn tasks_outlive_the_gateway_and_not_the_conversation() {
    let held = Held::new();
    let gateway = held.world.serve();
    let list = json!({ "todos": [{ "id": "a", "content": "look", "status": "in_progress" }] });
    let told = held.tool("todo", list);
    assert_eq!(told["summary"]["in_progress"], 1, "{told}");
    end(gateway, Signal::KILL);
    let _gateway = held.world.serve();
    let told = held.tool("todo", json!({}));
    assert_eq!(told["todos"][0]["content"], "look", "{told}");
    held.world.ok(&["chat", "--chat", "terminal", "/new"]);
    assert_eq!(held.tool("todo", json!({}))["summary"]["total"], 0);
}

#[test]
fn what_was_said_earlier_is_found() {
    let held = Held::new();
    let _gateway = held.world.serve();
    held.world
        .ok(&["chat", "--chat", "terminal", "echo whales live in oceans"]);
    held.world.ok(&["chat", "--chat", "terminal", "/new"]);
    let found = wait_for("the words to be indexed", || {
        let told = held.tool("session_search", json!({ "query": "oceans" }));
        (told["found"] != 0).then_some(told)
    });
    let snippet = found["results"][0]["snippet"].as_str().unwrap();
    assert!(snippet.contains("oceans"), "{found}");
}

#[test]
fn a_question_outlives_the_gateway_and_the_next_words_answer_it() {
    let held = Held::new();
    let gateway = held.world.serve();
    let question = json!({ "question": "Which one?", "choices": ["red", "blue"] });
    let said = format!("tool ask_user {question}");
    let asking = held.world.start(&["chat", "--chat", "terminal", &said]);
    let open = |held: &Held| -> Option<Value> {
        let listed = held.world.json(&["approvals", "list", "--json"]);
        listed["items"].as_array()?.first().cloned()
    };
    let asked = wait_for("the question", || open(&held));
    assert_eq!(asked["command"], "Which one?", "{asked}");
    assert_eq!(asked["choices"], json!(["red", "blue"]));
    end(gateway, Signal::KILL);
    drop(asking);
    let _gateway = held.world.serve();
    let told = held.world.ok(&["chat", "--chat", "terminal", "2"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told, json!({ "status": "answered", "answer": "blue" }));
}
