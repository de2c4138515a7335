use std::process::Command;

use super::{printed, run_silently, words};

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
