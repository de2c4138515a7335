use super::*;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::Arc;

use angelia_core::mask::Masker;

fn workspace() -> (tempfile::TempDir, Arc<Workspace>) {
    let world = tempfile::tempdir().unwrap();
    let root = world.path().join("w");
    let workspace = Workspace::prepare(&root, &root, &[]).unwrap();
    (world, Arc::new(workspace))
}

fn inner(text: &str) -> Inner {
    Inner::read(text, Path::new("/nowhere")).unwrap()
}

/// What is reached there, with nothing that would have to be hidden.
fn reach(workspace: &Arc<Workspace>) -> Reach {
    Reach {
        workspace: workspace.clone(),
        masker: Arc::new(Masker::default()),
    }
}

/// Plans and makes a write in one go.
fn put_whole(
    workspace: &Arc<Workspace>,
    path: &Inner,
    (content, key): (&str, &str),
) -> Result<Value, String> {
    let turnout = plan(&reach(workspace), path, content)?;
    whole(workspace, path, (content, turnout, key))
}

#[test]
fn a_file_is_made_with_its_directories_and_replaced_with_its_rights() {
    let (_world, workspace) = workspace();
    let path = inner("a/b/c.sh");
    let made = put_whole(&workspace, &path, ("one\n", "k")).unwrap();
    assert_eq!(made["status"], "created");
    let real = workspace.root().join("a/b/c.sh");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o750)).unwrap();
    let again = put_whole(&workspace, &path, ("two\nthree", "k")).unwrap();
    assert_eq!(
        (&again["status"], &again["lines"]),
        (&json!("replaced"), &json!(2))
    );
    assert_eq!(fs::read_to_string(&real).unwrap(), "two\nthree");
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o750
    );
    let names = fs::read_dir(workspace.root().join("a/b")).unwrap();
    assert_eq!(names.count(), 1, "nothing is left behind");
}

#[test]
fn what_a_cut_off_write_left_behind_is_taken_away_by_the_same_call() {
    let (_world, workspace) = workspace();
    let beside = format!(".{}.angelia-new", &digest(b"the call")[..16]);
    fs::write(workspace.root().join(&beside), "half").unwrap();
    put_whole(&workspace, &inner("x"), ("whole", "the call")).unwrap();
    let names = fs::read_dir(workspace.root()).unwrap();
    let names: Vec<_> = names.map(|one| one.unwrap().file_name()).collect();
    assert_eq!(names, ["x"]);
}

#[test]
fn nothing_is_written_outside_or_over_what_is_no_file() {
    let (world, workspace) = workspace();
    let outside = world.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x"), "theirs").unwrap();
    symlink(&outside, workspace.root().join("door")).unwrap();
    symlink("../outside/x", workspace.root().join("link")).unwrap();
    fs::create_dir(workspace.root().join("dir")).unwrap();
    for path in ["door/x", "door/new/y", "link", "dir"] {
        let why = put_whole(&workspace, &inner(path), ("mine", "k")).unwrap_err();
        assert!(why.contains(path.split('/').next().unwrap()), "{why}");
    }
    assert_eq!(fs::read_to_string(outside.join("x")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn a_file_has_an_end() {
    let (_world, workspace) = workspace();
    let much = "x".repeat(limits::FILE_BYTES_MAX + 1);
    assert!(put_whole(&workspace, &inner("x"), (&much, "k")).is_err());
}

#[test]
fn a_write_that_is_made_again_tells_what_it_told_first() {
    let (_world, workspace) = workspace();
    let path = inner("new/x");
    for wanted in [Turnout::Created, Turnout::Replaced] {
        let planned = plan(&reach(&workspace), &path, "same").unwrap();
        assert_eq!(planned, wanted);
        let planned = Turnout::of(&planned.noted()).unwrap();
        let told = || whole(&workspace, &path, ("same", planned, "k")).unwrap();
        assert_eq!(told(), told());
        assert_eq!(told()["status"], wanted.name());
    }
}

#[test]
fn planning_a_write_makes_nothing() {
    let (_world, workspace) = workspace();
    plan(&reach(&workspace), &inner("a/b/c"), "new").unwrap();
    assert_eq!(fs::read_dir(workspace.root()).unwrap().count(), 0);
}
