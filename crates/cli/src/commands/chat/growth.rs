//! What of a growing reply is new on the screen.
//!
//! A draft is the whole reply so far. After a restart a reply may be told again from its beginning, so a
//! draft can be shorter than what is on the screen already; then nothing is printed until it is longer.
//! Only the final text is certain: where it is not what was shown, it is shown anew.

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth<'a> {
    /// Nothing yet.
    Nothing,
    /// These words, behind what is there.
    More(&'a str),
    /// The whole text, because what is there is not its beginning.
    Anew(&'a str),
}

/// What a draft adds to what is shown.
pub(super) fn of_draft<'a>(shown: &str, draft: &'a str) -> Growth<'a> {
    match draft.strip_prefix(shown) {
        Some(more) if !more.is_empty() => Growth::More(more),
        Some(_) | None => Growth::Nothing,
    }
}

/// What the final text adds to what is shown.
pub(super) fn of_final<'a>(shown: &str, text: &'a str) -> Growth<'a> {
    match text.strip_prefix(shown) {
        Some("") => Growth::Nothing,
        Some(more) => Growth::More(more),
        None => Growth::Anew(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_draft_adds_its_end() {
        assert_eq!(of_draft("", "one"), Growth::More("one"));
        assert_eq!(of_draft("one", "one two"), Growth::More(" two"));
        assert_eq!(of_draft("one", "one"), Growth::Nothing);
    }

    #[test]
    fn a_reply_told_again_from_its_beginning_prints_nothing_until_it_is_longer() {
        assert_eq!(of_draft("one two", "one"), Growth::Nothing);
        assert_eq!(of_draft("one two", "one two three"), Growth::More(" three"));
    }

    #[test]
    fn another_draft_waits_for_the_final_word() {
        assert_eq!(of_draft("one two", "other"), Growth::Nothing);
        assert_eq!(of_final("one two", "other"), Growth::Anew("other"));
    }

    #[test]
    fn the_final_text_completes_what_is_shown() {
        assert_eq!(of_final("one", "one two"), Growth::More(" two"));
        assert_eq!(of_final("one", "one"), Growth::Nothing);
        assert_eq!(of_final("one two", "one"), Growth::Anew("one"));
    }
}
