//! The agent's tools, through the real binary: commands, and everything that can be done with a process.
//!
//! The demo agent calls any tool with JSON (`tool process {…}`), so what is tested here is what a model
//! would meet.

use std::fs;

use rustix::process::{Pid, Signal, test_kill_process};
use serde_json::{Value, json};

use crate::processes::{Held, end};
use crate::world::wait_for;

impl Held {
    /// Calls a tool in the usual conversation; its result.
    pub(crate) fn tool(&self, tool: &str, arguments: Value) -> Value {
        self.tool_in("terminal", tool, arguments)
    }

    /// Calls a tool in a conversation; its result.
    fn tool_in(&self, chat: &str, tool: &str, arguments: Value) -> Value {
        let said = format!("tool {tool} {arguments}");
        let said = self.world.ok(&["chat", "--chat", chat, &said]);
        serde_json::from_str(&said).unwrap_or_else(|why| panic!("{why}: {said}"))
    }

    /// Does something with a process.
    pub(crate) fn act(&self, action: &str, id: &str, more: Value) -> Value {
        let mut arguments = json!({ "action": action, "session_id": id });
        let entries = arguments.as_object_mut().unwrap();
        entries.extend(more.as_object().cloned().unwrap_or_default());
        self.tool("process", arguments)
    }

    /// Starts a command in the background; the process.
    pub(crate) fn background(&self, command: &str, more: Value) -> String {
        let mut arguments = json!({ "command": command, "background": true });
        let entries = arguments.as_object_mut().unwrap();
        entries.extend(more.as_object().cloned().unwrap_or_default());
        let result = self.tool("terminal", arguments);
        assert_eq!(result["exit_code"], 0, "{result}");
        result["session_id"].as_str().unwrap().to_owned()
    }

    /// Waits until the newest output of a process ends like this.
    fn says(&self, id: &str, words: &str) {
        wait_for(&format!("{id} to say {words:?}"), || {
            let looked = self.act("poll", id, json!({}));
            let said = looked["output_preview"].as_str()?;
            said.ends_with(words).then_some(())
        });
    }
}

#[test]
fn every_action_does_what_it_says() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let id = held.background(
        "echo ready; read x; echo \"got $x\"; exit 5",
        json!({ "stdin": "open" }),
    );
    held.says(&id, "ready\n");
    let looked = held.act("poll", &id, json!({}));
    assert_eq!(
        (&looked["status"], &looked["exit_code"]),
        (&json!("running"), &Value::Null)
    );
    let pid = i32::try_from(looked["pid"].as_i64().unwrap()).unwrap();
    assert_eq!(Pid::from_raw(pid), Some(held.pid(&id, "child")));
    let listed = held.tool("process", json!({ "action": "list" }));
    assert_eq!(listed["processes"][0]["session_id"], id.as_str());
    assert_eq!(listed["processes"][0]["output_preview"], "ready\n");

    let waited = held.act("wait", &id, json!({ "timeout": 0.1 }));
    assert_eq!(
        (&waited["status"], &waited["output"]),
        (&json!("timeout"), &json!("ready\n"))
    );
    let submitted = held.act("submit", &id, json!({ "data": "hé" }));
    assert_eq!(submitted, json!({ "status": "ok", "bytes_written": 4 }));
    let waited = held.act("wait", &id, json!({ "timeout": 1000 }));
    assert_eq!(
        (&waited["status"], &waited["exit_code"]),
        (&json!("exited"), &json!(5))
    );
    assert_eq!(waited["output"], "ready\ngot hé\n");
    assert!(
        waited["timeout_note"].as_str().unwrap().contains("180s"),
        "{waited}"
    );

    let log = held.act("log", &id, json!({ "limit": 1 }));
    assert_eq!(
        (&log["output"], &log["total_lines"]),
        (&json!("got hé"), &json!(2))
    );
    assert_eq!(log["showing"], "1 lines");
    let first = held.act("log", &id, json!({ "after": 0 }));
    assert_eq!(
        (&first["output"], &first["next"]),
        (&json!("ready\ngot hé\n"), &json!(14))
    );
    let rest = held.act("log", &id, json!({ "after": 6 }));
    assert_eq!(rest["output"], "got hé\n");

    let killed = held.act("kill", &id, json!({}));
    assert_eq!(
        (&killed["status"], &killed["exit_code"]),
        (&json!("already_exited"), &json!(5))
    );
    for action in ["write", "submit", "close"] {
        let refused = held.act(action, &id, json!({ "data": "x" }));
        assert_eq!(refused["status"], "already_exited", "{refused}");
    }
    let unknown = held.act("poll", "17", json!({}));
    assert_eq!(unknown["status"], "not_found");
}

#[test]
fn an_input_can_be_written_closed_or_absent() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let id = held.background("cat; echo end", json!({}));
    held.act("write", &id, json!({ "data": "no line" }));
    let closed = held.act("close", &id, json!({}));
    assert_eq!(closed, json!({ "status": "ok", "message": "stdin closed" }));
    let waited = held.act("wait", &id, json!({}));
    assert_eq!(
        (&waited["output"], &waited["exit_code"]),
        (&json!("no lineend\n"), &json!(0))
    );

    let deaf = held.background("sleep 1000", json!({ "stdin": "closed" }));
    for action in ["write", "close"] {
        let refused = held.act(action, &deaf, json!({ "data": "x" }));
        assert_eq!(refused["status"], "error", "{refused}");
        assert!(
            refused["error"].as_str().unwrap().contains("no open input"),
            "{refused}"
        );
    }
    held.act("kill", &deaf, json!({}));
}

#[test]
fn a_person_s_program_can_be_talked_to_on_a_terminal() {
    let held = Held::new();
    // Somebody would be asked about a shell that can be typed into.
    held.world.configure("[approvals]\nmode = \"off\"\n");
    let _gateway = held.world.serve();
    let id = held.background("PS1='ready> ' exec sh -i", json!({ "pty": true }));
    held.says(&id, "ready> ");
    let submitted = held.act(
        "submit",
        &id,
        json!({ "data": "echo $((6 * 7)); tty; stty size" }),
    );
    assert_eq!(
        submitted["bytes_written"], 32,
        "with the key that ends a line"
    );
    wait_for("an answer", || {
        let log = held.act("log", &id, json!({}));
        let said = log["output"].as_str()?;
        (said.contains("\n42") && said.contains("/dev/pts/") && said.contains("30 120"))
            .then_some(())
    });
    held.says(&id, "ready> ");
    let closed = held.act("close", &id, json!({}));
    assert_eq!(closed, json!({ "status": "ok", "message": "EOF sent" }));
    let waited = held.act("wait", &id, json!({}));
    assert_eq!(
        (&waited["status"], &waited["exit_code"]),
        (&json!("exited"), &json!(0))
    );

    let python = held.tool("terminal", json!({ "command": "python3 -V" }));
    if python["exit_code"] != 0 {
        return;
    }
    let python = held.background("python3 -q", json!({ "pty": true }));
    held.says(&python, ">>> ");
    held.act("submit", &python, json!({ "data": "print('a' * 3)" }));
    wait_for("python to answer", || {
        let log = held.act("log", &python, json!({}));
        log["output"].as_str()?.contains("\naaa").then_some(())
    });
    let killed = held.act("kill", &python, json!({}));
    assert_eq!(killed["status"], "killed", "{killed}");
}

#[test]
fn a_message_ends_the_waiting_and_not_the_process() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let id = held.background(&format!("echo on; {}", held.until("never", "")), json!({}));
    wait_for("its first words", || {
        let log = held.act("log", &id, json!({}));
        log["output"].as_str()?.contains("on").then_some(())
    });
    let wait = json!({ "action": "wait", "session_id": id });
    let waiting = held.world.start(&["chat", &format!("tool process {wait}")]);
    held.world.turns_running(1);
    let other = held.world.start(&["chat", "echo", "are you there?"]);
    let waited: Value = serde_json::from_str(&waiting.end().stdout).unwrap();
    assert_eq!(
        (&waited["status"], &waited["output"]),
        (&json!("interrupted"), &json!("on\n"))
    );
    assert!(waited["note"].as_str().unwrap().contains("new message"));
    assert_eq!(other.end().stdout, "are you there?\n");
    assert_eq!(held.act("poll", &id, json!({}))["status"], "running");
    held.act("kill", &id, json!({}));
}

#[test]
fn a_waiting_sees_the_end_when_it_comes_and_the_end_is_not_told_again() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let command = format!("{} echo done; exit 4", held.until("go", ""));
    let id = held.background(&command, json!({ "notify_on_complete": true }));
    let wait = json!({ "action": "wait", "session_id": id });
    let waiting = held.world.start(&["chat", &format!("tool process {wait}")]);
    held.world.turns_running(1);
    held.raise("go");
    let waited: Value = serde_json::from_str(&waiting.end().stdout).unwrap();
    assert_eq!(
        (&waited["exit_code"], &waited["output"]),
        (&json!(4), &json!("done\n"))
    );
    assert!(held.notices().is_empty(), "who waited was told");
}

#[test]
fn a_process_of_another_conversation_is_not_found() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let id = held.background("cat", json!({ "stdin": "open" }));
    for action in ["poll", "log", "wait", "kill", "write", "submit", "close"] {
        let call = json!({ "action": action, "session_id": id, "data": "x", "timeout": 1 });
        let call = if action == "wait" {
            call
        } else {
            json!({ "action": action, "session_id": id })
        };
        let refused = held.tool_in("other", "process", call);
        assert_eq!(refused["status"], "not_found", "{action}: {refused}");
    }
    let listed = held.tool_in("other", "process", json!({ "action": "list" }));
    assert_eq!(listed, json!({ "processes": [] }));
    assert_eq!(held.act("poll", &id, json!({}))["status"], "running");
    held.world.ok(&["chat", "/new"]);
    let listed = held.tool("process", json!({ "action": "list" }));
    assert_eq!(
        listed["processes"][0]["session_id"],
        id.as_str(),
        "the place is the same"
    );
    let killed = held.act("kill", &id, json!({}));
    assert_eq!(
        (&killed["status"], &killed["signal"]),
        (&json!("killed"), &json!(15))
    );
}

#[test]
fn a_kill_tells_the_truth() {
    let held = Held::new();
    let _gateway = held.world.serve();
    // One that does not heed the first signal.
    let deaf = held.background(
        "trap '' TERM; echo on; while :; do sleep 0.05; done",
        json!({}),
    );
    held.says(&deaf, "on\n");
    let child = held.pid(&deaf, "child");
    let killed = held.act("kill", &deaf, json!({}));
    assert_eq!(
        (&killed["status"], &killed["signal"]),
        (&json!("killed"), &json!(9)),
        "{killed}"
    );
    assert_eq!(killed["exit_code"], -9);
    assert!(test_kill_process(child).is_err(), "it is gone");
    // One that tidies up, with a code of its own.
    let tidy = held.background(
        "trap 'echo bye; exit 3' TERM; echo on; while :; do sleep 0.05; done",
        json!({}),
    );
    held.says(&tidy, "on\n");
    let killed = held.act("kill", &tidy, json!({}));
    assert_eq!(
        (&killed["status"], &killed["exit_code"]),
        (&json!("killed"), &json!(3))
    );
    let said = killed["output"].as_str().unwrap();
    assert!(
        said.starts_with("on\n") && said.ends_with("bye\n"),
        "{said}"
    );
    // One whose name is made to mislead whoever reads the list of processes.
    let file = held.flag("a) R 1 (b)");
    let misnamed = format!(
        "cp \"$(command -v sleep)\" '{0}'; echo on; exec '{0}' 1000",
        file.display()
    );
    let named = held.background(&misnamed, json!({}));
    held.says(&named, "on\n");
    let child = held.pid(&named, "child");
    wait_for("another name", || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.as_raw_pid()));
        stat.ok()?.contains("(a) R 1 (b))").then_some(())
    });
    let killed = held.act("kill", &named, json!({}));
    assert_eq!(
        (&killed["status"], &killed["signal"]),
        (&json!("killed"), &json!(15)),
        "{killed}"
    );
    assert!(test_kill_process(child).is_err(), "it is gone");
}

#[test]
fn a_call_that_was_cut_off_is_answered_after_the_restart() {
    let held = Held::new();
    let gateway = held.world.serve();
    let command = format!("{} echo done", held.until("go", ""));
    let id = held.background(&command, json!({}));
    let wait = json!({ "action": "wait", "session_id": id });
    let waiting = held.world.start(&["chat", &format!("tool process {wait}")]);
    held.world.turns_running(1);
    end(gateway, Signal::KILL);
    held.raise("go");
    let _gateway = held.world.serve();
    let waited: Value = serde_json::from_str(&waiting.end().stdout).unwrap();
    assert_eq!(
        (&waited["exit_code"], &waited["output"]),
        (&json!(0), &json!("done\n"))
    );
}

#[test]
fn commands_in_the_foreground_are_told_as_they_were() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let ran = |command: &str| held.tool("terminal", json!({ "command": command }));
    assert_eq!(
        ran("printf '\\033[1mhi\\033[0m\\n'"),
        json!({ "output": "hi", "exit_code": 0, "error": null })
    );
    let place = held.world.beside("flags").canonicalize().unwrap();
    ran(&format!("cd {}", place.display()));
    assert_eq!(
        ran("pwd")["output"],
        place.display().to_string(),
        "also in the next turn"
    );
    assert_eq!(
        held.world.ok(&["chat", "run", "pwd"]),
        format!("{}\n", place.display())
    );
    held.world.ok(&["chat", "/new"]);
    assert_ne!(
        ran("pwd")["output"],
        place.display().to_string(),
        "but not in another conversation"
    );
    let secret = ran("echo ghp_AbCdEfGhIjKlMnOpQrStUvWx");
    assert_eq!(secret["output"], "ghp_Ab...UvWx");
    let refused = held.tool("terminal", json!({ "command": "true", "timeout": 601 }));
    assert!(
        refused["error"].as_str().unwrap().contains("600"),
        "{refused}"
    );
}

#[test]
fn commands_see_what_the_operator_lets_pass_and_take_as_long_as_that_says() {
    let held = Held::new();
    let settings = "[terminal]\ntimeout = \"1s\"\npass_env = [\"MY_TOKEN\"]\n";
    held.world.configure(settings);
    let variables = [
        ("MY_TOKEN", "seen"),
        ("OTHER", "hidden"),
        ("GH_TOKEN", "hidden"),
    ];
    let _gateway = held.world.serve_seeing(&[], &variables);
    let ran = |command: &str, more: Value| {
        let mut call = json!({ "command": command });
        call.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        held.tool("terminal", call)
    };
    let seen = ran(
        "echo \"$MY_TOKEN, ${OTHER:-nothing}, ${GH_TOKEN:-nothing}\"",
        json!({ "timeout": 60 }),
    );
    assert_eq!(seen["output"], "seen, nothing, nothing", "{seen}");
    assert_eq!(ran("sleep 1000", json!({}))["exit_code"], 124);
}

#[test]
fn no_secret_is_shown_by_any_action() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let command = "echo key sk-proj-AbCdEfGhIjKlMnOpQrStUvWx; read x";
    let id = held.background(command, json!({ "stdin": "open" }));
    wait_for("its words", || {
        let looked = held.act("poll", &id, json!({}));
        (!looked["output_preview"].as_str()?.is_empty()).then_some(())
    });
    let mut told = vec![
        held.tool("process", json!({ "action": "list" })),
        held.act("poll", &id, json!({})),
        held.act("log", &id, json!({})),
        held.act("log", &id, json!({ "after": 0 })),
        held.act("wait", &id, json!({ "timeout": 0.01 })),
    ];
    held.act("submit", &id, json!({}));
    told.push(held.act("wait", &id, json!({})));
    told.push(held.act("kill", &id, json!({})));
    for result in told {
        let text = result.to_string();
        assert!(text.contains("sk-pro...UvWx"), "{text}");
        assert!(!text.contains("AbCdEf"), "{text}");
    }
}
