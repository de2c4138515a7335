use std::os::unix::fs::symlink;

use super::*;

/// A folder from which files may be sent, and one from which they may not.
struct World {
    _folder: tempfile::TempDir,
    open: PathBuf,
    closed: PathBuf,
    policy: Policy,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let within = |name: &str| folder.path().canonicalize().unwrap().join(name);
    let (open, closed) = (within("open"), within("closed"));
    for place in [&open, &closed] {
        std::fs::create_dir(place).unwrap();
        std::fs::write(place.join("words.txt"), "some words").unwrap();
    }
    let policy = Policy {
        roots: vec![open.clone()],
        own: vec![closed.clone()],
        ..Policy::default()
    };
    World {
        _folder: folder,
        open,
        closed,
        policy,
    }
}

impl World {
    fn opened(&self, path: &Path) -> Result<String, String> {
        let mut file = open(path, &self.policy, Timestamp::from_ms(0))?;
        let mut words = String::new();
        file.read_to_string(&mut words).unwrap();
        Ok(words)
    }
}

#[test]
fn a_file_that_lies_where_files_are_sent_from_is_opened() {
    let world = world();
    let opened = world.opened(&world.open.join("words.txt"));
    assert_eq!(opened, Ok("some words".to_owned()));
}

#[test]
fn a_link_leads_to_where_the_file_lies() {
    let world = world();
    let (inwards, outwards) = (world.closed.join("in"), world.open.join("out"));
    symlink(world.open.join("words.txt"), &inwards).unwrap();
    symlink(world.closed.join("words.txt"), &outwards).unwrap();
    assert_eq!(world.opened(&inwards), Ok("some words".to_owned()));
    assert_eq!(
        world.opened(&outwards),
        Err("it belongs to the gateway".to_owned())
    );
}

#[test]
fn a_folder_that_is_a_link_leads_to_where_the_file_lies() {
    let world = world();
    symlink(&world.closed, world.open.join("folder")).unwrap();
    let opened = world.opened(&world.open.join("folder/words.txt"));
    assert_eq!(opened, Err("it belongs to the gateway".to_owned()));
}

#[test]
fn what_is_no_file_is_not_opened() {
    let world = world();
    assert_eq!(world.opened(&world.open), Err("it is no file".to_owned()));
    let nothing = world.opened(&world.open.join("nothing"));
    assert_eq!(nothing, Err("there is no such file".to_owned()));
}
