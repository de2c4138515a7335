//! What a reference thought of commands, and what became of them.
//!
//! The reference matches patterns on text; ours reads the command. Where they differ, a case must belong
//! to a group whose law it keeps (hazards H-33 … H-36); no case is excused by its number.

mod detect;
mod gated;
mod queue;

use serde::Deserialize;

const FILE: &str = "processes/dangerous_commands.json";

/// A case of any kind, as far as its kind.
#[derive(Deserialize)]
struct Kind {
    op: String,
}

/// The cases of one kind.
fn of_kind<T: serde::de::DeserializeOwned>(op: &str) -> Vec<T> {
    let values = crate::cases::<serde_json::Value>(FILE);
    let of_kind = values.into_iter().filter(|value| {
        Kind::deserialize(value)
            .unwrap_or_else(|why| panic!("{value}: {why}"))
            .op
            == op
    });
    let read = |value| serde_json::from_value(value).unwrap_or_else(|why| panic!("{op}: {why}"));
    of_kind.map(read).collect()
}

/// The command with the reference's own names and files written as ours.
fn ours(command: &str) -> String {
    let files = command
        .replace("/.hermes/config.yaml", "/.local/share/angelia/angelia.toml")
        .replace("/.hermes/", "/.local/share/angelia/");
    files.replace("hermes", "angelia")
}

#[test]
fn every_case_is_of_a_kind_we_run() {
    for case in crate::cases::<Kind>(FILE) {
        assert!(
            matches!(case.op.as_str(), "detect" | "gate" | "queue"),
            "{}",
            case.op
        );
    }
}
