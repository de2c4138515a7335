use super::*;

use std::os::unix::fs::{PermissionsExt as _, symlink};

#[test]
fn it_is_made_for_its_owner_alone_and_made_again() {
    let world = tempfile::tempdir().unwrap();
    let home = world.path().join("home");
    let root = home.join("workspace");
    let made = Workspace::prepare(&root, &root, std::slice::from_ref(&home)).unwrap();
    let mode = fs::metadata(&root).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    fs::remove_dir(&root).unwrap();
    assert!(made.directory().is_ok());
    assert!(root.is_dir());
}

#[test]
fn what_holds_our_own_files_is_no_workspace_and_neither_is_a_place_among_them() {
    let world = tempfile::tempdir().unwrap();
    let home = world.path().join("home");
    let usual = home.join("workspace");
    fs::create_dir_all(home.join("processes")).unwrap();
    symlink(&home, world.path().join("alias")).unwrap();
    let own = [home.clone(), world.path().join("angelia.toml")];
    let of = |root: &Path| Workspace::prepare(root, &usual, &own);
    assert!(matches!(of(world.path()), Err(Unfit::Holds(_))));
    assert!(matches!(of(&home), Err(Unfit::Holds(_))));
    assert!(matches!(
        of(&world.path().join("alias")),
        Err(Unfit::Holds(_))
    ));
    assert!(matches!(of(&home.join("processes")), Err(Unfit::Within(_))));
    assert!(of(&usual).is_ok());
    assert!(of(&usual.join("deeper")).is_ok());
    assert!(of(&world.path().join("elsewhere")).is_ok());
}

#[test]
fn whoever_only_looks_makes_nothing_and_judges_the_same() {
    let world = tempfile::tempdir().unwrap();
    let home = world.path().join("home");
    let usual = home.join("workspace");
    let own = [home.clone()];
    let seen = Workspace::at(&usual, &usual, &own).unwrap();
    assert!(!home.exists());
    let made = Workspace::prepare(&usual, &usual, &own).unwrap();
    assert_eq!(seen, made);
    assert!(matches!(
        Workspace::at(&home.join("other/deep"), &usual, &own),
        Err(Unfit::Within(_))
    ));
}
