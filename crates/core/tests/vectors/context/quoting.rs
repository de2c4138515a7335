//! Untrusted values with how a reference quotes them.

use angelia_core::context::quote::{Quoted, inline_within};
use angelia_core::limits::LABEL_CHARS_MAX;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    value: Value,
    max_chars: Option<usize>,
    quoted: String,
    inline_release_only: Option<String>,
}

impl Case {
    /// The text that is quoted. Ours takes nothing but texts: what the reference makes of a value
    /// of another kind is read back from its answer, and must be quoted the same.
    fn text(&self) -> String {
        let made = || serde_json::from_str(&self.quoted).expect("quoted is JSON");
        self.value.as_str().map_or_else(made, str::to_owned)
    }

    fn max(&self) -> usize {
        self.max_chars.unwrap_or(LABEL_CHARS_MAX)
    }
}

/// Characters that turn, hide or break the text around them, which the reference lets through.
fn is_harmful(char: char) -> bool {
    let control = char.is_control() && !matches!(char, '\n' | '\t');
    let shapeless = matches!(char,
        '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e0fff}');
    control || shapeless
}

/// What is left to read: the same for both, whatever happened to the harmful ones.
fn words(text: &str) -> String {
    let readable = |char: &char| !is_harmful(*char) && !char.is_whitespace();
    text.chars().filter(readable).collect()
}

/// The same, or the reference breaks a rule that ours keeps.
fn judge(case: &Case, ours: &str, theirs: &str) {
    let at = format!("{}: {ours:?} instead of {theirs:?}", case.id);
    assert!(!ours.contains(is_harmful), "{at}");
    assert!(ours.chars().count() <= case.max(), "{at}");
    let too_long = theirs.chars().count() > case.max();
    let harmful = theirs.contains(is_harmful);
    let cut = case.text().chars().count() > case.max();
    let same_words = words(ours) == words(theirs);
    let excused = too_long || harmful && (same_words || cut);
    assert!(ours == theirs || excused, "{at}");
}

#[test]
fn values_are_quoted_as_by_the_reference_unless_it_lets_harm_through() {
    for case in cases::<Case>("sessions/untrusted_quote.json") {
        let ours = Quoted::within(&case.text(), case.max());
        let theirs: String = serde_json::from_str(&case.quoted).unwrap();
        judge(&case, ours.as_text(), &theirs);
        let shown: String = serde_json::from_str(&ours.to_string()).unwrap();
        assert_eq!(shown, ours.as_text(), "{}", case.id);
        if ours.as_text() == theirs {
            assert_eq!(ours.to_string(), case.quoted, "{}", case.id);
        }
    }
}

#[test]
fn values_stand_in_a_line_as_in_the_reference_unless_it_lets_harm_through() {
    for case in cases::<Case>("sessions/untrusted_quote.json") {
        let Some(theirs) = &case.inline_release_only else {
            continue;
        };
        judge(&case, &inline_within(&case.text(), case.max()), theirs);
    }
}
