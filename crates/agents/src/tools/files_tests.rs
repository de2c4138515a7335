use tokio::sync::mpsc;

use super::*;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use angelia_core::mask::Masker;
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Recorded;
use angelia_core::turn::shown::Shown;

use crate::Input;
use crate::background::NoBackground;
use crate::consent::NobodyAsked;
use crate::context::Context;
use crate::events::{self, AgentEvent};
use crate::past::NoPast;
use crate::tools::terms::Terms;

struct Place {
    world: tempfile::TempDir,
    input: Input,
}

fn place() -> Place {
    let world = tempfile::tempdir().unwrap();
    let root = world.path().join("w");
    let workspace = Workspace::prepare(&root, &root, &[]).unwrap();
    let terms = Terms {
        masker: Arc::new(Masker::new(["the-house-token".to_owned()])),
        workspace: Some(Arc::new(workspace)),
        ..Terms::default()
    };
    let input = Input {
        messages: Vec::new(),
        journal: Vec::new(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(crate::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(crate::links::InMemory::default()),
        terms,
        choice: Default::default(),
        spending: std::sync::Arc::new(crate::spending::Unlimited),
    };
    Place { world, input }
}

impl Place {
    fn root(&self) -> std::path::PathBuf {
        self.world.path().join("w")
    }

    fn put(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.called(tool, arguments).await.0
    }

    async fn called(&self, tool: &str, arguments: Value) -> (Value, Vec<Step>) {
        let (events, mut told) = events::channel();
        let calling = async {
            let toolbox = Toolbox::new(&self.input, &events);
            let result = toolbox.call("1", tool, arguments).await;
            drop(events);
            result.unwrap()
        };
        tokio::join!(calling, steps(&mut told))
    }

    /// What a turn that was cut off left in its journal.
    fn remember(&mut self, steps: &[Step]) {
        let record = |(seq, step): (u32, &Step)| Recorded {
            seq,
            at: Timestamp::default(),
            step: step.clone(),
        };
        self.input.journal = (1..).zip(steps).map(record).collect();
    }
}

/// What is written down until nobody speaks any more.
async fn steps(told: &mut mpsc::Receiver<AgentEvent>) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(event) = told.recv().await {
        let AgentEvent::Step(step, durable) = event else {
            continue;
        };
        steps.push(step);
        durable.send(()).unwrap();
    }
    steps
}

#[tokio::test]
async fn a_file_is_written_read_edited_listed_and_found() {
    let place = place();
    let text = "one\ntwo\nthree\n";
    let made = place
        .call("write_file", json!({ "path": "a/b.txt", "content": text }))
        .await;
    assert_eq!(made["status"], "created", "{made}");
    let read = place
        .call(
            "read_file",
            json!({ "path": "a/b.txt", "offset": 2, "limit": 1 }),
        )
        .await;
    assert_eq!(
        (&read["output"], &read["next_offset"]),
        (&json!("2\ttwo\n"), &json!(3)),
        "{read}"
    );
    let edit = json!({ "path": "a/b.txt", "old_text": "two", "new_text": "2" });
    assert_eq!(place.call("edit_file", edit).await["replaced"], 1);
    assert_eq!(place.text("a/b.txt"), "one\n2\nthree\n");
    let listed = place.call("list_files", json!({ "depth": 2 })).await;
    assert_eq!(listed["output"], "a/\na/b.txt  12\n", "{listed}");
    let found = place.call("search_files", json!({ "content": "^t" })).await;
    assert_eq!(found["output"], "a/b.txt:3:three\n", "{found}");
}

#[tokio::test]
async fn no_way_leads_out_of_the_workspace() {
    let place = place();
    fs::write(place.world.path().join("theirs"), "theirs").unwrap();
    symlink("../theirs", place.root().join("link")).unwrap();
    symlink("..", place.root().join("up")).unwrap();
    let outside = place.world.path().join("theirs").display().to_string();
    for path in ["../theirs", "link", "up/theirs", "a/../../theirs", &outside] {
        for (tool, arguments) in [
            ("read_file", json!({ "path": path })),
            ("write_file", json!({ "path": path, "content": "mine" })),
            (
                "edit_file",
                json!({ "path": path, "old_text": "theirs", "new_text": "mine" }),
            ),
            ("list_files", json!({ "path": path })),
            ("search_files", json!({ "path": path, "name": "*" })),
        ] {
            let told = place.call(tool, arguments).await;
            assert!(told["error"].is_string(), "{tool} {path}: {told}");
        }
    }
    let all = place
        .call("search_files", json!({ "content": "theirs" }))
        .await;
    assert_eq!(all["found"], 0);
    let text = fs::read_to_string(place.world.path().join("theirs")).unwrap();
    assert_eq!(text, "theirs");
}

#[tokio::test]
async fn secrets_are_hidden_also_where_lines_are_cut_out_of_them() {
    let place = place();
    place.put("env", "token the-house-token\n");
    place.put(
        "key",
        "-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB\n-----END PRIVATE KEY-----\nend\n",
    );
    for (tool, arguments) in [
        ("read_file", json!({ "path": "env" })),
        ("search_files", json!({ "content": "token" })),
        ("read_file", json!({ "path": "key", "offset": 1 })),
        ("search_files", json!({ "content": "BBBB" })),
    ] {
        let told = place.call(tool, arguments).await.to_string();
        assert!(
            !told.contains("the-house-token") && !told.contains("BBBB"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn what_is_no_text_is_refused_with_words() {
    let place = place();
    place.put("bin", "a\0b");
    fs::create_dir(place.root().join("dir")).unwrap();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        place.root().join("pipe"),
        rustix::fs::Mode::from_raw_mode(0o600),
    )
    .unwrap();
    for (path, part) in [
        ("bin", "binary"),
        ("dir", "is a directory"),
        ("pipe", "neither a file"),
        ("nothing", "there is no `nothing`"),
        ("bin/x", "as if it were a directory"),
    ] {
        let told = place.call("read_file", json!({ "path": path })).await;
        let why = told["error"].as_str().unwrap();
        assert!(why.contains(part), "{why}");
    }
}

#[tokio::test]
async fn an_edit_that_was_cut_off_is_found_made_and_not_made_twice() {
    let mut place = place();
    place.put("x", "a line\n");
    let arguments = json!({ "path": "x", "old_text": "line", "new_text": "line, line" });
    let (_, steps) = place.called("edit_file", arguments.clone()).await;
    // The gateway dies between the edit and its end.
    place.remember(&steps[..1]);
    let told = place.call("edit_file", arguments.clone()).await;
    assert_eq!(told["status"], "edited", "{told}");
    assert_eq!(place.text("x"), "a line, line\n");
    // It died before the edit.
    place.put("x", "a line\n");
    assert_eq!(
        place.call("edit_file", arguments.clone()).await["replaced"],
        1
    );
    assert_eq!(place.text("x"), "a line, line\n");
    // Somebody changed the file meanwhile.
    place.put("x", "another line\n");
    let told = place.call("edit_file", arguments).await;
    assert!(
        told["error"].as_str().unwrap().contains("not known"),
        "{told}"
    );
    assert_eq!(place.text("x"), "another line\n");
}

#[tokio::test]
async fn a_write_that_was_cut_off_is_told_as_if_it_had_not_been() {
    let mut place = place();
    let arguments = json!({ "path": "new/x", "content": "mine\n" });
    let (first, steps) = place.called("write_file", arguments.clone()).await;
    assert_eq!(first["status"], "created", "{first}");
    // The gateway dies between the write and its end: the file is there, and it is the call's own.
    place.remember(&steps[..1]);
    assert_eq!(place.call("write_file", arguments.clone()).await, first);
    // It died before the write.
    fs::remove_file(place.root().join("new/x")).unwrap();
    assert_eq!(place.call("write_file", arguments.clone()).await, first);
    assert_eq!(place.text("new/x"), "mine\n");
    // Another call finds a file.
    place.remember(&[]);
    assert_eq!(
        place.call("write_file", arguments).await["status"],
        "replaced"
    );
}

#[tokio::test]
async fn what_a_change_will_do_is_written_down_and_not_shown_as_what_it_was_asked_with() {
    let place = place();
    for (tool, asked) in [
        ("write_file", json!({ "path": "x", "content": "a" })),
        (
            "edit_file",
            json!({ "path": "x", "old_text": "a", "new_text": "b" }),
        ),
    ] {
        let (_, steps) = place.called(tool, asked.clone()).await;
        let Some(Step::ToolBegun { arguments, .. }) = steps.first() else {
            panic!("{steps:?}");
        };
        assert!(arguments[PLAN_OF_A_CALL].is_object(), "{arguments}");
        let recorded = Recorded {
            seq: 1,
            at: Timestamp::default(),
            step: steps[0].clone(),
        };
        let shown = Shown::of(&recorded).and_then(|shown| shown.input);
        assert_eq!(shown, Some(asked), "{tool}");
    }
}

#[tokio::test]
async fn looking_is_pure_and_changing_is_keyed() {
    let place = place();
    place.put("x", "a");
    for (tool, arguments, is) in [
        ("read_file", json!({ "path": "x" }), EffectClass::Pure),
        ("list_files", json!({}), EffectClass::Pure),
        ("search_files", json!({ "name": "*" }), EffectClass::Pure),
        (
            "write_file",
            json!({ "path": "x", "content": "a" }),
            EffectClass::Keyed,
        ),
        (
            "edit_file",
            json!({ "path": "x", "old_text": "a", "new_text": "b" }),
            EffectClass::Keyed,
        ),
    ] {
        let (_, steps) = place.called(tool, arguments).await;
        let Some(Step::ToolBegun { effect, .. }) = steps.first() else {
            panic!("{steps:?}");
        };
        assert_eq!(*effect, is, "{tool}");
    }
}

#[tokio::test]
async fn without_a_workspace_there_are_no_files() {
    let mut place = place();
    place.input.terms.workspace = None;
    let told = place.call("read_file", json!({ "path": "x" })).await;
    assert!(
        told["error"].as_str().unwrap().contains("no workspace"),
        "{told}"
    );
    assert!(!Path::new("x").exists());
}

/// A file with a secret, and what of it is shown.
async fn keyed(place: &Place) -> String {
    place.put("app.env", "TOKEN=the-house-token\nPORT=1\n");
    let read = place.call("read_file", json!({ "path": "app.env" })).await;
    let shown = read["output"].as_str().unwrap().to_owned();
    let lines = shown.lines().map(|line| line.split_once('\t').unwrap().1);
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn a_secret_that_was_hidden_is_not_written_over_by_what_stands_for_it() {
    let place = place();
    let shown = keyed(&place).await;
    let content = shown.replace("PORT=1", "PORT=2");
    let arguments = json!({ "path": "app.env", "content": content });
    let refused = place.call("write_file", arguments).await;
    let why = refused["error"].as_str().unwrap();
    assert!(
        why.contains("`app.env`") && why.contains("edit_file"),
        "{why}"
    );
    let around = json!({ "path": "app.env", "old_text": "PORT=1", "new_text": "PORT=2" });
    let edited = place.call("edit_file", around).await;
    assert_eq!(edited["status"], "edited", "{edited}");
    assert_eq!(place.text("app.env"), "TOKEN=the-house-token\nPORT=2\n");
    let whole = json!({ "path": "app.env", "content": "PORT=3\n" });
    let replaced = place.call("write_file", whole).await;
    assert_eq!(replaced["status"], "replaced", "without the line it may");
}

#[tokio::test]
async fn an_edit_puts_no_line_in_that_only_stands_for_a_secret() {
    let place = place();
    let shown = keyed(&place).await;
    let line = shown.lines().next().unwrap();
    for new in [line.to_owned(), format!("PORT=1\n{line}")] {
        let arguments = json!({ "path": "app.env", "old_text": "PORT=1", "new_text": new });
        let refused = place.call("edit_file", arguments).await;
        let why = refused["error"].as_str().unwrap();
        assert!(why.contains("`app.env`"), "{why}");
    }
    assert_eq!(place.text("app.env"), "TOKEN=the-house-token\nPORT=1\n");
}

#[tokio::test]
async fn what_stands_beside_a_secret_is_changed_without_it() {
    let place = place();
    let text = "{\"token\":\"sk-abcdef1234567890\",\"port\":1}\n";
    place.put("a.json", text);
    let read = place.call("read_file", json!({ "path": "a.json" })).await;
    let shown = read["output"].as_str().unwrap();
    let line = shown.split_once('\t').unwrap().1.trim_end();
    let content = line.replace(":1", ":2");
    let whole = json!({ "path": "a.json", "content": content });
    let refused = place.call("write_file", whole).await;
    let why = refused["error"].as_str().unwrap();
    assert!(why.contains("edit_file"), "{why}");
    let copied = json!({ "path": "a.json", "old_text": line, "new_text": content });
    let refused = place.call("edit_file", copied).await;
    let why = refused["error"].as_str().unwrap();
    assert!(why.contains("a part of the line"), "{why}");
    assert_eq!(place.text("a.json"), text);
    let around = json!({ "path": "a.json", "old_text": "\"port\":1", "new_text": "\"port\":2" });
    let edited = place.call("edit_file", around).await;
    assert_eq!(edited["status"], "edited", "{edited}");
    assert_eq!(place.text("a.json"), text.replace(":1", ":2"));
}
