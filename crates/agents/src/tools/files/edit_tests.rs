use super::*;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use angelia_core::mask::Masker;

fn edit(old: &str, new: &str, places: Places) -> Edit {
    Edit {
        path: Inner::read("x", Path::new("/nowhere")).unwrap(),
        old: old.to_owned(),
        new: new.to_owned(),
        places,
    }
}

fn workspace(text: &str) -> (tempfile::TempDir, Arc<Workspace>) {
    let world = tempfile::tempdir().unwrap();
    let workspace = Workspace::prepare(world.path(), world.path(), &[]).unwrap();
    fs::write(workspace.root().join("x"), text).unwrap();
    (world, Arc::new(workspace))
}

fn now(workspace: &Arc<Workspace>) -> String {
    fs::read_to_string(workspace.root().join("x")).unwrap()
}

/// What is reached there, with nothing that would have to be hidden.
fn reach(workspace: &Arc<Workspace>) -> Reach {
    Reach {
        workspace: workspace.clone(),
        masker: Arc::new(Masker::default()),
    }
}

#[test]
fn a_text_that_stands_once_is_replaced_and_one_that_stands_often_only_on_demand() {
    let one = edit("b", "x", Places::One);
    assert_eq!(one.applied("abc"), Ok(("axc".into(), 1)));
    assert!(one.applied("abcb").unwrap_err().contains("2 places"));
    assert!(one.applied("acc").unwrap_err().contains("does not stand"));
    let all = edit("b", "", Places::All);
    assert_eq!(all.applied("abcb"), Ok(("ac".into(), 2)));
}

#[test]
fn the_line_ends_of_the_file_stay() {
    let edit = edit("a\nb", "a\nc\nb", Places::One);
    assert_eq!(
        edit.applied("a\r\nb\r\n"),
        Ok(("a\r\nc\r\nb\r\n".into(), 1))
    );
}

#[test]
fn lines_that_an_edit_brings_along_end_as_those_of_the_file() {
    let brings = edit("a", "a\nc", Places::One);
    assert_eq!(
        brings.applied("a\r\nb\r\n"),
        Ok(("a\r\nc\r\nb\r\n".into(), 1))
    );
    assert_eq!(brings.applied("a\nb\r\n"), Ok(("a\nc\nb\r\n".into(), 1)));
    let plain = edit("\r\n", "\n", Places::All);
    assert_eq!(plain.applied("a\r\nb\r\n"), Ok(("a\nb\n".into(), 2)));
    let said = edit("a", "a\r\nc", Places::One);
    assert_eq!(said.applied("a\r\nb"), Ok(("a\r\nc\r\nb".into(), 1)));
}

#[test]
fn the_last_line_is_found_also_if_it_has_no_end() {
    let last = edit("b\n", "c\n", Places::One);
    assert_eq!(last.applied("a\nb"), Ok(("a\nc".into(), 1)));
    assert_eq!(last.applied("a\r\nb"), Ok(("a\r\nc".into(), 1)));
    assert_eq!(last.applied("a\nb\n"), Ok(("a\nc\n".into(), 1)));
    assert!(last.applied("b, b").is_err(), "which of them is not known");
    let out = edit("b\n", "", Places::One);
    assert_eq!(out.applied("a\nb"), Ok(("a\n".into(), 1)));
    let all = edit("b\n", "c\n", Places::All);
    assert!(
        all.applied("ab\nxb")
            .is_ok_and(|(text, _)| text == "ac\nxb")
    );
    assert!(edit("\n", "x", Places::One).applied("a").is_err());
}

#[test]
fn an_edit_that_was_made_is_not_made_again() {
    // The new text holds the old one: made twice it would stand there twice.
    let edit = edit("line", "line and line", Places::One);
    let (_world, workspace) = workspace("a line\n");
    let change = plan(&reach(&workspace), &edit).unwrap();
    let change = Change::of(&change.noted()).unwrap();
    for _ in 0..3 {
        let told = make(&workspace, &edit, (&change, "k")).unwrap();
        assert_eq!(told["replaced"], 1);
        assert_eq!(now(&workspace), "a line and line\n");
    }
}

#[test]
fn a_file_that_somebody_else_changed_meanwhile_is_left_alone() {
    let edit = edit("a", "b", Places::One);
    let (_world, workspace) = workspace("a\n");
    let change = plan(&reach(&workspace), &edit).unwrap();
    fs::write(workspace.root().join("x"), "a, and theirs\n").unwrap();
    let why = make(&workspace, &edit, (&change, "k")).unwrap_err();
    assert!(why.contains("is not known"), "{why}");
    assert_eq!(now(&workspace), "a, and theirs\n");
}

#[test]
fn what_is_no_text_is_not_edited() {
    let edit = edit("a", "b", Places::One);
    let (_world, workspace) = workspace("");
    for bytes in [&b"a\0"[..], &b"a\xff"[..]] {
        fs::write(workspace.root().join("x"), bytes).unwrap();
        assert!(plan(&reach(&workspace), &edit).is_err());
    }
}
