use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use angelia_core::mask::Masker;
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Recorded;
use angelia_process::held::Program;
use tempfile::TempDir;

use super::*;
use crate::background::NoBackground;
use crate::consent::NobodyAsked;
use crate::context::Context;
use crate::events::{self, AgentEvent};
use crate::past::NoPast;
use crate::tools::files::Workspace;
use crate::tools::terms::Terms;

/// A secret that only the house knows.
const TOKEN: &str = "the-house-token";

/// A workspace with a file, and one beside it that must not be reached.
struct World {
    folder: TempDir,
    root: PathBuf,
    setup: Setup,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("work");
    let workspace = Workspace::prepare(&workspace, &workspace, &[]).unwrap();
    let root = workspace.root().to_owned();
    fs::write(root.join("f"), "one\ntwo\nthree").unwrap();
    fs::write(folder.path().join("secret"), "no").unwrap();
    let setup = Setup {
        name: "peer".to_owned(),
        command: vec!["peer".to_owned()],
        variables: std::collections::BTreeMap::new(),
        workspace: Arc::new(workspace),
        sign_in: None,
        folder: folder.path().join("agents"),
        program: Program::at("/no/such/program"),
        pool: 1,
        silence: std::time::Duration::from_secs(1),
        servers: Vec::new(),
        key: crate::model::provider::Secret::new("key"),
    };
    World {
        folder,
        root,
        setup,
    }
}

fn input(before: Vec<Step>) -> Input {
    let at = Timestamp::from_ms(1);
    let numbered = (1..).zip(before);
    Input {
        messages: Vec::new(),
        journal: numbered
            .map(|(seq, step)| Recorded { seq, at, step })
            .collect(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: Arc::new(crate::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(crate::links::InMemory::default()),
        terms: Terms {
            masker: Arc::new(Masker::new([TOKEN.to_owned()])),
            ..Terms::default()
        },
        choice: Default::default(),
        spending: Arc::new(crate::spending::Unlimited),
    }
}

impl World {
    async fn content(&self, params: Value) -> Result<String, String> {
        let (events, _told) = events::channel();
        let input = input(Vec::new());
        let files = Files {
            setup: &self.setup,
            input: &input,
            events: &events,
        };
        let read = files.read(&params).await;
        let read = read.map_err(|failure| failure.message)?;
        Ok(read["content"].as_str().unwrap().to_owned())
    }

    /// Writes, and tells what was written down.
    async fn write(&self, before: Vec<Step>, params: Value) -> (Served, Vec<Step>) {
        let (events, mut told) = events::channel();
        let input = input(before);
        let files = Files {
            setup: &self.setup,
            input: &input,
            events: &events,
        };
        let mut steps = Vec::new();
        let writing = files.write("acp.1:7".to_owned(), &params);
        tokio::pin!(writing);
        loop {
            tokio::select! {
                biased;
                served = &mut writing => return (served.unwrap(), steps),
                Some(event) = told.recv() => if let AgentEvent::Step(step, durable) = event {
                    steps.push(step);
                    durable.send(()).unwrap();
                },
            }
        }
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap()
    }
}

#[tokio::test]
async fn a_file_is_read_whole_or_by_lines() {
    let world = world();
    let path = world.root.join("f");
    for (params, is) in [
        (json!({ "path": path }), "one\ntwo\nthree"),
        (json!({ "path": path, "line": 2, "limit": 1 }), "two\n"),
        (json!({ "path": path, "line": 3 }), "three"),
        (json!({ "path": path, "line": 9 }), ""),
    ] {
        assert_eq!(world.content(params).await.unwrap(), is);
    }
}

#[tokio::test]
async fn nothing_leads_out_of_the_workspace() {
    let world = world();
    let (out, root) = (world.folder.path(), &world.root);
    symlink(out, root.join("up")).unwrap();
    symlink(out.join("nothing"), root.join("dangling")).unwrap();
    for path in [
        out.join("secret"),
        root.join("../secret"),
        root.join("up/secret"),
        root.join("up/new"),
        root.join("no/../../secret"),
        "/etc/passwd".into(),
    ] {
        let why = world.content(json!({ "path": path })).await.unwrap_err();
        assert!(why.contains("workspace"), "{}: {why}", path.display());
    }
    for params in [
        json!({ "path": root.join("dangling") }),
        json!({ "path": "f" }),
        json!({}),
    ] {
        world.content(params).await.unwrap_err();
    }
}

#[tokio::test]
async fn a_writing_is_written_down_before_and_after_and_done_once() {
    let world = world();
    let params = json!({ "path": world.root.join("new"), "content": "x" });
    let (served, steps) = world.write(Vec::new(), params.clone()).await;
    assert_eq!(served, Ok(json!({})));
    assert_eq!(world.text("new"), "x");
    assert_eq!(
        steps.iter().map(Step::name).collect::<Vec<_>>(),
        ["tool_begun", "tool_finished"]
    );
    fs::write(world.root.join("new"), "changed since").unwrap();
    let (served, more) = world.write(steps, params).await;
    assert_eq!((served, more.len()), (Ok(json!({})), 0));
    assert_eq!(world.text("new"), "changed since");
}

#[tokio::test]
async fn a_writing_outside_is_refused_and_leaves_no_trace() {
    let world = world();
    let params = json!({ "path": world.root.join("../secret"), "content": "x" });
    let (served, steps) = world.write(Vec::new(), params).await;
    assert!(served.is_err() && steps.is_empty());
    let secret = world.folder.path().join("secret");
    assert_eq!(fs::read_to_string(secret).unwrap(), "no");
}

#[tokio::test]
async fn what_was_hidden_when_it_was_read_is_not_written_over_what_it_hides() {
    let world = world();
    let before = format!("key = {TOKEN}\nname = one\n");
    fs::write(world.root.join("f"), &before).unwrap();
    let path = world.root.join("f");
    let read = world.content(json!({ "path": path })).await.unwrap();
    assert!(!read.contains(TOKEN) && read.ends_with("name = one\n"));
    let changed = read.replace("one", "two");
    let (served, steps) = world
        .write(Vec::new(), json!({ "path": path, "content": changed }))
        .await;
    let why = served.unwrap_err().message;
    assert!(why.contains("hidden") && steps.is_empty(), "{why}");
    assert_eq!(world.text("f"), before);
    let fresh = json!({ "path": path, "content": "name = two\n" });
    assert!(world.write(Vec::new(), fresh).await.0.is_ok());
    assert_eq!(world.text("f"), "name = two\n");
}
