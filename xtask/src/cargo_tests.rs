use std::ffi::OsStr;
use std::process::Command;

use super::{describes_us, printed, run_silently, words};

#[test]
fn a_command_is_shown_as_one_would_type_it() {
    let mut command = Command::new("/opt/rust/bin/cargo");
    command.args(["build", "--workspace"]);
    assert_eq!(words(&command), "cargo build --workspace");
}

#[test]
fn a_program_that_fails_is_an_error_that_names_the_command() {
    let error = run_silently(Command::new("sh").args(["-c", "exit 3"]))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`sh -c exit 3` ended with exit status: 3"),
        "{error}"
    );
}

#[test]
fn a_program_that_is_missing_is_an_error_that_asks_for_it() {
    let error = printed(&mut Command::new("no-such-program-here"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("is the program installed?"), "{error}");
}

#[test]
fn what_a_program_printed_is_kept_together_with_how_it_ended() {
    let printed = printed(Command::new("sh").args(["-c", "echo out; exit 1"])).unwrap();
    assert_eq!((printed.text.as_str(), printed.success), ("out\n", false));
}

#[test]
fn variables_about_the_workbench_are_not_passed_on_but_the_target_directory_is() {
    assert!(describes_us(OsStr::new("CARGO_PKG_NAME")));
    assert!(describes_us(OsStr::new("CARGO_MANIFEST_DIR")));
    assert!(!describes_us(OsStr::new("CARGO_TARGET_DIR")));
}
