//! Escapes for a terminal, removed from a text in whole and from one that comes letter by letter.

use angelia_process::text::{Cleaner, plain, strip};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(flatten)]
    what: What,
    input: String,
    expect: String,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum What {
    StripAnsi,
    SanitizeDisplay,
}

#[test]
fn texts_without_escapes_are_the_same() {
    for case in super::cases::<Case>("processes/ansi_strip.json") {
        let ours = match case.what {
            What::StripAnsi => strip(&case.input),
            What::SanitizeDisplay => plain(&case.input),
        };
        assert_eq!(ours, case.expect, "{}", case.id);
    }
}

#[test]
fn byte_by_byte_they_are_the_same_too() {
    for case in super::cases::<Case>("processes/ansi_strip.json") {
        let mut cleaner = Cleaner::default();
        let bytes = case.input.as_bytes().chunks(1);
        let pieces: String = bytes.map(|byte| cleaner.push(byte)).collect();
        let ours = pieces + &cleaner.finish();
        assert_eq!(ours, strip(&case.input), "{}", case.id);
    }
}
