//! What is sent to a place without anybody there having asked for it: results of jobs, in the reference.

use angelia_core::delivery::plan::plan;
use angelia_core::outbound::{Capabilities, Dedupe};
use angelia_core::text::{Limit, Unit, silence};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Routed {
    id: String,
    deliveries: Vec<Put>,
    outcomes: Vec<Came>,
}

#[derive(Deserialize)]
struct Put {
    length: usize,
    content: String,
}

impl Put {
    /// The words; of long ones the vectors have the beginning.
    fn words(&self) -> String {
        match self.content.chars().count() == self.length {
            true => self.content.clone(),
            false => self
                .content
                .chars()
                .take(1)
                .collect::<String>()
                .repeat(self.length),
        }
    }
}

#[derive(Deserialize)]
struct Came {
    filtered: Option<String>,
    #[serde(default)]
    skipped: Option<String>,
    #[serde(default)]
    sent_length: Value,
}

/// What is told about silence is silence, and long words are split, never cut. A chat that cannot be reached is tried
/// again when somebody there is answered (D-17), which is a promise of the store.
#[test]
fn words_that_nobody_waits_for_are_whole_and_silence_is_silence() {
    let capabilities = Capabilities {
        text: Limit {
            max: 4096,
            unit: Unit::Utf16,
        },
        dedupe: Dedupe::None,
        live: None,
    };
    let (mut same, mut whole, mut unreachable) = (0, 0, 0);
    for case in cases::<Routed>("gateway/delivery_router.json") {
        for (put, came) in case.deliveries.iter().zip(&case.outcomes) {
            let words = put.words();
            let is_silence = came.filtered.as_deref() == Some("silence_narration");
            assert_eq!(silence::is_narration(&words), is_silence, "{}", case.id);
            assert_eq!(plan(&words, &capabilities).concat(), words, "{}", case.id);
            match (&came.skipped, came.sent_length.is_string()) {
                (Some(_), _) => unreachable += 1,
                (None, true) => whole += 1,
                (None, false) => same += 1,
            }
        }
    }
    eprintln!(
        "delivery_router: {same} the same, {whole} whole, {unreachable} skipped there (D-17)"
    );
    assert!(same > 0);
}
