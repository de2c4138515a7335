use super::*;

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;

/// A directory with a file beside it that must not be reached, and ways that lead there.
fn world() -> tempfile::TempDir {
    let world = tempfile::tempdir().unwrap();
    let at = |path: &str| world.path().join(path);
    fs::create_dir_all(at("root/a/b")).unwrap();
    fs::write(at("root/a/b/in.txt"), "inside").unwrap();
    fs::write(at("secret.txt"), "outside").unwrap();
    symlink("../secret.txt", at("root/up")).unwrap();
    symlink(at("secret.txt"), at("root/straight")).unwrap();
    symlink("..", at("root/a/out")).unwrap();
    symlink("../..", at("root/a/far")).unwrap();
    symlink("a/b", at("root/stays")).unwrap();
    symlink("loop", at("root/loop")).unwrap();
    symlink("/proc/self/root/etc", at("root/magic")).unwrap();
    world
}

fn text(opened: Result<OwnedFd, Errno>) -> Result<String, Errno> {
    let mut text = String::new();
    let mut file = fs::File::from(opened?);
    file.read_to_string(&mut text).map_err(|_| Errno::ISDIR)?;
    Ok(text)
}

const OUT: [&str; 7] = [
    "up",
    "straight",
    "a/far/secret.txt",
    "loop",
    "magic/passwd",
    "../secret.txt",
    "a/../../secret.txt",
];

#[test]
fn nothing_outside_is_opened_by_any_way() {
    let world = world();
    let root = fs::File::open(world.path().join("root")).unwrap();
    for path in OUT {
        let opened = open(&root, Path::new(path), OFlags::RDONLY, Mode::empty());
        assert!(text(opened).is_err(), "{path}");
        let flags = (OFlags::RDONLY, Mode::empty());
        let opened = by_name(root.as_fd(), Path::new(path), flags);
        let is_climbing = path.starts_with("..") || path.contains("/../");
        assert!(is_climbing || text(opened).is_err(), "{path}, name by name");
    }
}

#[test]
fn what_is_inside_is_opened_also_by_a_link_that_stays() {
    let world = world();
    let root = fs::File::open(world.path().join("root")).unwrap();
    let open = |path: &str| open(&root, Path::new(path), OFlags::RDONLY, Mode::empty());
    assert_eq!(text(open("a/b/in.txt")), Ok("inside".to_owned()));
    assert_eq!(text(open("stays/in.txt")), Ok("inside".to_owned()));
    assert_eq!(text(open("a/out/a/b/in.txt")), Ok("inside".to_owned()));
    assert!(open("").is_ok());
    assert_eq!(open("nothing").unwrap_err(), Errno::NOENT);
}

#[test]
fn without_the_kernels_help_no_link_is_followed() {
    let world = world();
    let root = fs::File::open(world.path().join("root")).unwrap();
    let open = |path: &str| {
        let flags = (OFlags::RDONLY, Mode::empty());
        by_name(root.as_fd(), Path::new(path), flags)
    };
    assert_eq!(text(open("a/b/in.txt")), Ok("inside".to_owned()));
    assert!(open("stays/in.txt").is_err());
    assert!(open("a/out/a/b/in.txt").is_err());
}
