use super::*;
use crate::media::attached::{Attached, Sort};

/// A message as its row has it, with what came along.
fn message(attached: Vec<Attached>) -> Inbound {
    let mut inbound: Inbound = serde_json::from_value(serde_json::json!({
        "address": { "platform": "telegram", "account": "telegram", "chat": { "id": "7", "kind": "dm" }, "thread": null },
        "person": { "id": "7", "name": null },
        "event_key": "u:1", "message_id": "1", "text": "look",
    }))
    .unwrap();
    inbound.attached = attached;
    inbound
}

#[test]
fn only_words_steer_and_what_waits_is_not_written_down() {
    let plain = message(Vec::new());
    let voice = message(vec![Attached::new(Sort::Voice, "v")]);
    assert_eq!(of(Mode::Queue, &plain), None);
    assert_eq!(of(Mode::Steer, &plain), Some(Mode::Steer));
    assert_eq!(of(Mode::Steer, &voice), None, "D-9");
    assert_eq!(of(Mode::Interrupt, &voice), Some(Mode::Interrupt));
}
