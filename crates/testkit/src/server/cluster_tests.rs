use std::fs;

use super::newest;

#[test]
fn of_two_versions_the_greater_number_is_newer() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for (version, program) in [
        ("9", "initdb"),
        ("10", "initdb"),
        ("11", "psql"),
        ("new", "initdb"),
    ] {
        let programs = folder.path().join(version).join("bin");
        fs::create_dir_all(&programs).expect("there is room for a folder");
        fs::write(programs.join(program), "").expect("there is room for a file");
    }
    let ten = folder.path().join("10").join("bin");
    assert_eq!(newest(folder.path()), Some(ten));
}
