use super::*;
use serde_json::json;

fn message(state: &str, deliveries: &[&str]) -> Message {
    let id = |prefix: &str| format!("{prefix}_00000000000000000000000001");
    let at = "2026-01-01T00:00:00.000Z";
    let delivery = |state: &&str| {
        json!({
            "id": id("dlv"), "platform": "local", "chat": "terminal", "thread": null, "text": "hi",
            "inbox_ids": [id("inb")], "turn": id("trn"), "session_id": id("ses"), "at": at,
            "part": 1, "parts": 1, "state": state, "attempts": 1, "due_at": at, "why": null,
            "repeat": "none"
        })
    };
    let deliveries: Vec<_> = deliveries.iter().map(delivery).collect();
    serde_json::from_value(json!({
        "inbox_id": id("inb"), "state": state, "platform": "local", "chat": "terminal",
        "thread": null, "user": {"id": "u", "name": null}, "text": "echo hi", "message_id": "m",
        "session_id": id("ses"), "session_key": "k", "received_at": at, "turn": null,
        "deliveries": deliveries
    }))
    .unwrap()
}

#[test]
fn a_message_is_over_when_its_turn_ended_and_its_reply_can_be_read() {
    assert!(!is_over(&message("waiting", &[])));
    assert!(!is_over(&message("running", &[])));
    assert!(!is_over(&message("answered", &["sent", "due"])));
    assert!(!is_over(&message("answered", &["sending"])));
    assert!(is_over(&message("answered", &["sent", "sent"])));
    assert!(is_over(&message("failed", &["sent"])));
    assert!(is_over(&message("answered", &["wedged"])));
}
