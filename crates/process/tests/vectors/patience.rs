//! How long one may wait for a process, and what is said about it.
//!
//! What else stands in a result (status, code, output) is the tool's, and not looked at here.

use angelia_process::text::{Patience, limit_in_s};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(rename = "TERMINAL_TIMEOUT")]
    limit: Option<String>,
    requested: Option<f64>,
    unknown_id: bool,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    result: Value,
    waited_s: f64,
}

#[test]
fn clamps_and_notes_are_the_same() {
    for case in super::cases::<Case>("processes/wait_clamp.json") {
        let patience = Patience::of(case.requested, limit_in_s(case.limit.as_deref()));
        let result = &case.expect.result;
        if case.unknown_id {
            continue;
        }
        let note = if result["status"] == "timeout" {
            assert_eq!(
                patience.seconds.max(0.0),
                case.expect.waited_s,
                "{}",
                case.id
            );
            Some(patience.note())
        } else {
            patience.clamped
        };
        assert_eq!(
            note.as_deref(),
            result["timeout_note"].as_str(),
            "{}",
            case.id
        );
    }
}
