use std::collections::BTreeMap;
use std::fs::{File, FileTimes};

use angelia_core::time::Span;
use angelia_process::held::Program;

use super::*;
use crate::exec::message::Form;

fn run(folder: &Path, name: &str, age: Duration, now: SystemTime) -> std::path::PathBuf {
    let run = folder.join(name);
    fs::create_dir(&run).unwrap();
    let times = FileTimes::new().set_modified(now - age);
    File::open(&run).unwrap().set_times(times).unwrap();
    run
}

fn setup(folder: &Path) -> Setup {
    Setup {
        command: vec!["true".to_owned()],
        workdir: folder.to_owned(),
        form: Form::Text,
        variables: BTreeMap::new(),
        silence: Span::minutes(10),
        folder: folder.to_owned(),
        home: String::new(),
        program: Program::this().unwrap(),
    }
}

#[test]
fn a_run_may_be_asked_for_as_long_as_any_agents_turns_may_work() {
    assert!(longest() > limits::TURN_TIME_MAX.to_std() * limits::TURN_ATTEMPTS);
    assert!(longest() < KEPT, "what is left is forgotten later");
}

#[tokio::test]
async fn only_what_nobody_can_ask_for_again_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let message = folder.path().join("message");
    fs::write(&message, "now").unwrap();
    let now = written_at(&message).unwrap();
    let (day, second) = (Duration::from_secs(24 * 3600), Duration::from_secs(1));
    let young = run(folder.path(), "young", day, now);
    let old = run(folder.path(), "old", KEPT + second, now);
    sweep(&setup(folder.path()), &message).await;
    assert!(young.exists() && !old.exists());
}
