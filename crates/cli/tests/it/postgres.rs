//! A gateway whose rows are on a PostgreSQL server.

use angelia_testkit::server::Schema;
use angelia_testkit::server::cluster::{self, Cluster};

use crate::world::{World, ended};

/// A word in the address that nobody may read anywhere. The server of the tests asks for none.
const PASSWORD: &str = "hush-hush";

/// The address with a password in it.
fn with_password(schema: &Schema) -> String {
    schema.address.replacen('@', &format!(":{PASSWORD}@"), 1)
}

#[test]
fn a_gateway_on_a_server_answers_and_remembers_across_a_kill() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let address = with_password(&schema);
    let variables = [("ANGELIA_DATABASE", address.as_str())];
    let world = World::new();
    let gateway = world.serve_seeing(&[], &variables);
    assert_eq!(world.ok(&["chat", "echo one"]), "one\n");
    schema.cut();
    assert_eq!(world.ok(&["chat", "echo two"]), "two\n");
    drop(gateway);
    let _gateway = world.serve_seeing(&[], &variables);
    let sessions = world.json(&["sessions", "list", "--json"]);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
    assert_eq!(world.ok(&["chat", "echo three"]), "three\n");
    assert!(world.ok(&["status"]).contains("all well"));
    assert!(!world.home().join("angelia.db").exists());
    assert!(!world.log().contains(PASSWORD));
}

#[test]
fn the_doctor_looks_at_the_server_and_says_no_password() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let world = World::new();
    let mut command = world.command(&["doctor", "--json"]);
    command.env("ANGELIA_DATABASE", with_password(&schema));
    let told = ended(command);
    assert!(
        told.stdout.contains("; the first start makes the tables"),
        "{told:?}"
    );
    assert!(!format!("{told:?}").contains(PASSWORD));
}

#[test]
fn a_server_that_cannot_be_reached_is_named_without_its_password() {
    let world = World::new();
    let mut command = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env(
        "ANGELIA_DATABASE",
        format!("postgres://anna:{PASSWORD}@127.0.0.1:1/house"),
    );
    let refused = ended(command);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("127.0.0.1:1/house"),
        "{}",
        refused.stderr
    );
    assert!(!refused.stderr.contains(PASSWORD), "{}", refused.stderr);
}

#[test]
fn the_shown_settings_hide_the_password() {
    let world = World::new();
    let mut command = world.command(&["config", "show"]);
    command.env(
        "ANGELIA_DATABASE",
        format!("postgres://anna:{PASSWORD}@db/house"),
    );
    let shown = ended(command);
    assert!(
        shown.stdout.contains("postgres://anna:…@db/house"),
        "{}",
        shown.stdout
    );
    assert!(!shown.stdout.contains(PASSWORD), "{}", shown.stdout);
}

#[test]
fn the_doctor_says_whether_the_server_is_spoken_to_in_the_open() {
    let Some(server) = Cluster::encrypted() else {
        return;
    };
    let port = server.port;
    let authority = server.certificates()[0].display().to_string();
    let checked = format!("?sslmode=verify-full&sslrootcert={authority}");
    for (words, told) in [
        ("?sslmode=disable", "answers, not encrypted"),
        ("", "encrypted, but its certificate is not checked"),
        (
            checked.as_str(),
            "encrypted, and its certificate is for its name",
        ),
    ] {
        let world = World::new();
        let mut command = world.command(&["doctor", "--json"]);
        let address = format!(
            "postgres://anna:{}@localhost:{port}/postgres{words}",
            cluster::PASSWORD
        );
        command.env("ANGELIA_DATABASE", address);
        let doctor = ended(command);
        assert!(doctor.stdout.contains(told), "{doctor:?}");
        assert!(
            !format!("{doctor:?}").contains(cluster::PASSWORD),
            "{doctor:?}"
        );
    }
}
