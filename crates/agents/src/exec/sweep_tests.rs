use std::fs::{File, FileTimes};

use super::*;

fn run(folder: &Path, name: &str, age: Duration, now: SystemTime) -> std::path::PathBuf {
    let run = folder.join(name);
    fs::create_dir(&run).unwrap();
    let times = FileTimes::new().set_modified(now - age);
    File::open(&run).unwrap().set_times(times).unwrap();
    run
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
    sweep(folder.path(), &message).await;
    assert!(young.exists() && !old.exists());
}
