use super::*;
use crate::outbound::Dedupe;
use crate::text::{Limit, Unit};

fn capabilities(max: usize) -> Capabilities {
    Capabilities {
        text: Limit {
            max,
            unit: Unit::Chars,
        },
        dedupe: Dedupe::None,
    }
}

#[test]
fn a_short_reply_is_one_part_and_a_long_one_several() {
    assert_eq!(plan("hello", &capabilities(100)), ["hello"]);
    let parts = plan(&"word ".repeat(100), &capabilities(100));
    assert!(parts.len() >= 5);
    assert!(parts.iter().all(|part| part.chars().count() <= 100));
}

#[test]
fn a_silent_agent_is_still_answered_for() {
    assert_eq!(plan(" \n", &capabilities(100)), [NO_WORDS]);
}

#[test]
fn an_endless_reply_is_cut_at_a_character_and_says_so() {
    let mut reply = "x".repeat(limits::REPLY_BYTES_MAX - 1);
    assert_eq!(append(&mut reply, "é"), Room::None);
    assert!(reply.ends_with(CUT));
    assert_eq!(reply.len(), limits::REPLY_BYTES_MAX - 1 + CUT.len());
}
