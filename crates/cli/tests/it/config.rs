//! The configuration, without a running gateway.

use std::fs;

use serde_json::Value;

use crate::world::{World, ended};

#[test]
fn the_path_is_that_of_the_flag_the_variable_or_the_home() {
    let world = World::new();
    let usual = world.home().join("angelia.toml");
    assert_eq!(
        world.ok(&["config", "path"]).trim_end(),
        usual.to_str().unwrap()
    );
    assert_eq!(
        world.ok(&["config", "path", "--config", "/x.toml"]),
        "/x.toml\n"
    );
    let mut command = world.command(&["config", "path"]);
    command.env("ANGELIA_CONFIG", "/y.toml");
    assert_eq!(ended(command).stdout, "/y.toml\n");
}

#[test]
fn show_says_where_each_value_comes_from() {
    let world = World::new();
    world.configure("\n[busy]\nmode = \"interrupt\"\n");
    let mut command = world.command(&["config", "show"]);
    command.env("ANGELIA_DATABASE", "sqlite");
    let shown = ended(command).stdout;
    let line = |begin: &str| {
        shown
            .lines()
            .find(|line| line.starts_with(begin))
            .unwrap_or_default()
    };
    let mode = line("mode = \"interrupt\"");
    assert!(mode.ends_with("# angelia.toml:3"), "{shown}");
    assert!(line("database").ends_with("# ANGELIA_DATABASE"), "{shown}");
    assert!(line("listen").ends_with("# default"), "{shown}");
}

#[test]
fn check_lists_every_error_and_fails() {
    let world = World::new();
    world.configure("listn = 1\n[busy]\nmode = \"qeue\"\n");
    let refused = world.run(&["config", "check"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused
            .stderr
            .contains("line 1: unknown key `listn`; did you mean `listen`?")
    );
    assert!(
        refused.stderr.contains("line 3: `busy.mode` must be"),
        "{}",
        refused.stderr
    );
    world.configure("listen = \"127.0.0.1:1\"\n");
    assert!(world.ok(&["config", "check"]).ends_with("no errors\n"));
}

#[test]
fn a_named_file_must_be_there() {
    let world = World::new();
    let refused = world.run(&["config", "check", "--config", "/nowhere.toml"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("/nowhere.toml cannot be read"),
        "{}",
        refused.stderr
    );
    assert_eq!(
        world.run(&["config", "check"]).code,
        Some(0),
        "the usual one need not"
    );
}

#[test]
fn a_database_in_the_environment_is_checked_too() {
    let world = World::new();
    let mut command = world.command(&["config", "check"]);
    command.env("ANGELIA_DATABASE", "postgres://anna:secret@db:port/x");
    let refused = ended(command);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused
            .stderr
            .contains("ANGELIA_DATABASE: `database` cannot be read")
    );
    assert!(!refused.stderr.contains("secret"), "{}", refused.stderr);
}

#[test]
fn the_schema_is_json() {
    let world = World::new();
    let schema: Value = serde_json::from_str(&world.ok(&["config", "schema"])).unwrap();
    assert_eq!(
        schema["properties"]["busy"]["properties"]["mode"]["default"],
        "queue"
    );
}

#[test]
fn a_configuration_elsewhere_is_obeyed() {
    let world = World::new();
    let path = world.beside("other.toml");
    fs::write(&path, "[agent]\nbackend = \"demo\"\n").unwrap();
    let _gateway = world.serve_with(&["--config", path.to_str().unwrap()]);
    assert_eq!(
        world.json(&["status", "--json"])["agent"]["configured"],
        true
    );
}
