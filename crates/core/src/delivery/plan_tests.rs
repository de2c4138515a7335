use super::*;
use crate::outbound::Dedupe;
use crate::text::{Limit, Unit};
use crate::time::Span;

fn capabilities(max: usize) -> Capabilities {
    Capabilities {
        text: Limit {
            max,
            unit: Unit::Chars,
        },
        dedupe: Dedupe::None,
        live: None,
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

fn manner() -> Manner {
    Manner::live(capabilities(60).text, Span::seconds(1))
}

fn said(text: &str) -> Live<'_> {
    Live {
        notice: None,
        text,
        breaks: &[],
        ending: Ending::Answered,
        thoughts: None,
        footer: "",
    }
}

#[test]
fn a_reply_that_was_shown_as_it_grew_is_parted_where_its_agent_turned_to_a_tool() {
    let reply = Live {
        notice: Some("Begun anew."),
        breaks: &[11],
        footer: "gpt · 4%",
        ..said("I will look\n\nFound it.")
    };
    let parts = live(&reply, &manner());
    assert_eq!(
        parts,
        ["Begun anew.", "I will look", "Found it.\n\ngpt · 4%"]
    );
}

#[test]
fn silence_plans_nothing_and_having_nothing_to_say_is_told() {
    assert!(live(&said("NO_REPLY"), &manner()).is_empty());
    let failed = Live {
        ending: Ending::Failed,
        ..said("NO_REPLY")
    };
    assert_eq!(live(&failed, &manner()), ["NO_REPLY"]);
    assert_eq!(live(&said("<think>hm</think>"), &manner()), [NO_WORDS]);
}
