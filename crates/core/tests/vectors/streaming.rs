//! What is held back and hidden while an answer arrives.

use angelia_core::text::silence::{self, Ending};
use angelia_core::text::{Parted, Thinking};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Filtered {
    id: String,
    #[serde(default)]
    already_visible: String,
    deltas: Vec<String>,
    visible_after_each: Option<Vec<String>>,
    inside_at_end: bool,
    #[serde(rename = "final")]
    all: String,
    split_invariant: Option<bool>,
    whole_text_result: Option<String>,
}

#[derive(Deserialize)]
struct Silent {
    id: String,
    text: String,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    Delivery {
        agent_result: Value,
        suppress_delivery: bool,
    },
    Words {
        is_silence: bool,
        is_partial_marker: bool,
        is_silence_narration: bool,
    },
}

/// What is visible after each piece and in the end.
fn filtered(case: &Filtered) -> (Vec<String>, String, Thinking) {
    let mut parted = Parted {
        said: case.already_visible.clone(),
        ..Parted::default()
    };
    let mut thinking = Thinking::after(&case.already_visible);
    let mut seen = Vec::new();
    for delta in &case.deltas {
        thinking.push(delta, &mut parted);
        seen.push(parted.said.clone());
    }
    let end = thinking.clone();
    thinking.finish(&mut parted);
    (seen, parted.said, end)
}

#[test]
fn thoughts_are_hidden_as_in_the_reference_s_reading_of_the_whole_text() {
    let mut cut = 0;
    for case in cases::<Filtered>("gateway/think_filter.json") {
        let (seen, all, mut end) = filtered(&case);
        let whole = case.whole_text_result.as_ref().unwrap_or(&case.all);
        assert_eq!(&all, whole, "{}", case.id);
        // D-14: where the reference depends on the cuts, only its reading of the whole text counts.
        if case.split_invariant == Some(false) {
            cut += usize::from(case.all != all);
            continue;
        }
        let theirs = case.visible_after_each.iter().flatten();
        for (ours, theirs) in seen.iter().zip(theirs) {
            let held = theirs.strip_prefix(ours.as_str());
            let waits = held.is_some_and(|held| held.is_empty() || held.starts_with("</"));
            assert!(waits, "{}: {ours:?} instead of {theirs:?}", case.id);
        }
        let mut more = Parted::default();
        end.push("x", &mut more);
        assert_eq!(!more.said.ends_with('x'), case.inside_at_end, "{}", case.id);
    }
    eprintln!("cases in which the reference's own cuts change its result: {cut}");
}

#[test]
fn silence_is_the_reference_s() {
    for case in cases::<Silent>("gateway/silence_filters.json") {
        match case.asked {
            Asked::Delivery {
                agent_result,
                suppress_delivery,
            } => {
                // What is no result at all is nothing that an agent answered.
                let answered = agent_result.is_object() && agent_result["failed"] != true;
                let ending = if answered {
                    Ending::Answered
                } else {
                    Ending::Failed
                };
                let ours = silence::suppresses(&case.text, ending);
                assert_eq!(ours, suppress_delivery, "{}", case.id);
            }
            Asked::Words {
                is_silence,
                is_partial_marker,
                is_silence_narration,
            } => {
                let text = case.text.as_str();
                assert_eq!(silence::is_marker(text), is_silence, "{} {text:?}", case.id);
                let begins = silence::may_become_marker(text);
                assert_eq!(begins, is_partial_marker, "{} {text:?}", case.id);
                let told = silence::is_narration(text);
                assert_eq!(told, is_silence_narration, "{} {text:?}", case.id);
            }
        }
    }
}
