//! An answer as it is spoken: its words without markup, thoughts and files, if they are few enough to be listened to.

use super::render::{Dialect, render};
use super::silence::{self, Ending};
use super::{Limit, Thinking, Unit};
use crate::limits;
use crate::media::directives;

/// More than is ever spoken: nothing is cut here.
const UNCUT: Limit = Limit {
    max: 1024 * 1024,
    unit: Unit::Utf16,
};

/// The words to be spoken; nothing for an answer that is silent, has none, or has too many.
#[must_use]
pub fn words(answer: &str) -> Option<String> {
    if silence::suppresses(answer, Ending::Answered) {
        return None;
    }
    let said = Thinking::of(answer).said;
    let said = directives::words(&said, directives::Text::Whole);
    let parts = render(&said, Dialect::Plain, UNCUT);
    let words: Vec<&str> = parts.iter().map(|part| part.text.trim()).collect();
    let words = words.join("\n");
    let count = words.chars().count();
    (1..=limits::SPEECH_CHARS_MAX)
        .contains(&count)
        .then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_spoken_without_markup_thoughts_and_files() {
        let answer = "<think>hm</think>It is **done**.\n\nMEDIA:/srv/out/a.png";
        assert_eq!(words(answer).as_deref(), Some("It is done."));
    }

    #[test]
    fn silence_and_what_is_too_long_are_not_spoken() {
        assert_eq!(words("NO_REPLY"), None);
        assert_eq!(words("<think>hm</think>"), None);
        assert!(words(&"a".repeat(limits::SPEECH_CHARS_MAX)).is_some());
        assert_eq!(words(&"a".repeat(limits::SPEECH_CHARS_MAX + 1)), None);
    }
}
