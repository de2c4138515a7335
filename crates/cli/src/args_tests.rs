use clap::CommandFactory as _;

use super::*;

#[test]
fn the_command_line_is_sound() {
    CommandLine::command().debug_assert();
}

#[test]
fn the_help_is_the_one_that_was_reviewed() {
    for (name, help) in crate::commands::docs::helps() {
        insta::assert_snapshot!(name.replace(' ', "_"), help);
    }
}

#[test]
fn an_id_of_another_kind_is_wrong_usage() {
    let id = "ses_01k9zq3m5t8v2c4d6f7g8h9jkm";
    let refused = CommandLine::try_parse_from(["angelia", "trace", id]).unwrap_err();
    assert_eq!(refused.exit_code(), 2);
    assert!(refused.to_string().contains("expected `inb_`"), "{refused}");
}
