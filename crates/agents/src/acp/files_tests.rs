use std::os::unix::fs::symlink;

use angelia_core::time::Timestamp;
use tempfile::TempDir;

use super::*;
use crate::events::{self, AgentEvent};

fn workspace() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("work");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("f"), "one\ntwo\nthree").unwrap();
    fs::write(folder.path().join("secret"), "no").unwrap();
    (folder, root)
}

fn content(root: &Path, params: Value) -> Result<String, String> {
    let read = read(root, &params).map_err(|failure| failure.message)?;
    Ok(read["content"].as_str().unwrap().to_owned())
}

#[test]
fn a_file_is_read_whole_or_by_lines() {
    let (_folder, root) = workspace();
    let path = root.join("f");
    assert_eq!(
        content(&root, json!({ "path": path })).unwrap(),
        "one\ntwo\nthree"
    );
    assert_eq!(
        content(&root, json!({ "path": path, "line": 2, "limit": 1 })).unwrap(),
        "two\n"
    );
    assert_eq!(
        content(&root, json!({ "path": path, "line": 3 })).unwrap(),
        "three"
    );
    assert_eq!(
        content(&root, json!({ "path": path, "line": 9 })).unwrap(),
        ""
    );
}

#[test]
fn nothing_leads_out_of_the_workspace() {
    let (folder, root) = workspace();
    symlink(folder.path(), root.join("up")).unwrap();
    symlink(folder.path().join("nothing"), root.join("dangling")).unwrap();
    for path in [
        folder.path().join("secret"),
        root.join("../secret"),
        root.join("up/secret"),
        root.join("up/new"),
        root.join("no/../../secret"),
        "/etc/passwd".into(),
    ] {
        let why = content(&root, json!({ "path": path })).unwrap_err();
        assert!(why.contains("workspace"), "{}: {why}", path.display());
    }
    content(&root, json!({ "path": root.join("dangling") })).unwrap_err();
    content(&root, json!({ "path": "f" })).unwrap_err();
    content(&root, json!({})).unwrap_err();
}

fn journal(steps: Vec<Step>) -> Vec<Recorded> {
    let at = Timestamp::from_ms(1);
    let numbered = (1..).zip(steps);
    numbered
        .map(|(seq, step)| Recorded { seq, at, step })
        .collect()
}

/// Writes, and tells what was written down.
async fn write(root: &Path, before: Vec<Step>, params: Value) -> (Served, Vec<Step>) {
    let (events, mut told) = events::channel();
    let journal = journal(before);
    let writing = Writing {
        root,
        journal: &journal,
        events: &events,
    };
    let (mut steps, call) = (Vec::new(), "acp.1:7".to_owned());
    let writing = writing.write(call, &params);
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

#[tokio::test]
async fn a_writing_is_written_down_before_and_after_and_done_once() {
    let (_folder, root) = workspace();
    let params = json!({ "path": root.join("new"), "content": "x" });
    let (served, steps) = write(&root, Vec::new(), params.clone()).await;
    assert_eq!(served, Ok(json!({})));
    assert_eq!(fs::read_to_string(root.join("new")).unwrap(), "x");
    assert_eq!(
        steps.iter().map(Step::name).collect::<Vec<_>>(),
        ["tool_begun", "tool_finished"]
    );
    fs::write(root.join("new"), "changed since").unwrap();
    let (served, more) = write(&root, steps, params).await;
    assert_eq!((served, more.len()), (Ok(json!({})), 0));
    assert_eq!(
        fs::read_to_string(root.join("new")).unwrap(),
        "changed since"
    );
}

#[tokio::test]
async fn a_writing_outside_is_refused_and_leaves_no_trace() {
    let (folder, root) = workspace();
    let params = json!({ "path": root.join("../secret"), "content": "x" });
    let (served, steps) = write(&root, Vec::new(), params).await;
    assert!(served.is_err() && steps.is_empty());
    assert_eq!(
        fs::read_to_string(folder.path().join("secret")).unwrap(),
        "no"
    );
}
