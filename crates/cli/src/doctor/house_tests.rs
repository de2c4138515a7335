use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::doctor::Verdict;

fn with_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn an_open_home_is_wrong_and_the_command_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    with_mode(folder.path(), 0o755);
    let found = house(folder.path());
    assert_eq!(found.verdict, Verdict::Wrong);
    assert!(found.mend.unwrap().starts_with("chmod 700 "));
    with_mode(folder.path(), 0o700);
    assert_eq!(house(folder.path()).verdict, Verdict::Fine);
}

#[test]
fn a_home_that_is_not_there_yet_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let found = house(&folder.path().join("later"));
    assert_eq!(found.verdict, Verdict::Note);
}

#[test]
fn a_token_that_others_may_read_is_wrong_and_none_is_no_finding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("api-token");
    assert_eq!(token(&path), None);
    fs::write(&path, "a word nobody may see").unwrap();
    with_mode(&path, 0o644);
    let found = token(&path).unwrap();
    assert_eq!(found.verdict, Verdict::Wrong);
    assert!(!found.says.contains("nobody"));
    assert_eq!(
        fs::metadata(&path).unwrap().mode() & 0o777,
        0o644,
        "nothing is changed"
    );
}

#[test]
fn a_database_that_is_none_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("angelia.db");
    assert_eq!(database(&path).verdict, Verdict::Fine);
    fs::write(
        &path,
        "words where a database should be, and enough of them to be looked at",
    )
    .unwrap();
    assert_eq!(database(&path).verdict, Verdict::Wrong);
}
