use super::*;

use proptest::prelude::*;

use crate::mask::{Masker, Surface};

fn count(text: &str, mark: &str) -> usize {
    marks(text).get(mark).copied().unwrap_or(0)
}

#[test]
fn each_mark_is_counted_where_it_stands() {
    let text = "a «redacted:sk-…» b «redacted:ghp_…» *** [REDACTED PRIVATE KEY] x=abcdef...wxyz, +491****7890";
    for (mark, is) in [
        ("«redacted:", 2),
        ("***", 1),
        ("[REDACTED PRIVATE KEY]", 1),
        ("abcdef...wxyz", 1),
        ("91****78", 1),
    ] {
        assert_eq!(count(text, mark), is, "{mark}");
    }
    assert_eq!(count("*secret* hidden is *****", "***"), 1);
    assert_eq!(count("a full stop: abcde....wxyz", "abcde....wxyz"), 1);
    assert!(marks("so... well...").is_empty(), "too little around them");
    assert!(marks("*one* **two**").is_empty());
}

proptest! {
    #[test]
    fn any_text_has_marks_to_count(text in "(\\PC|[*.é«]|«redacted:){0,60}") {
        let _counted = marks(&text);
    }

    /// Or what was hidden could be written over by a text that looks innocent.
    #[test]
    fn wherever_something_is_hidden_there_is_one_mark_more(
        text in "([\"':=&@/ \n+é-]|TOKEN|sk-|token|eyJ|://|https|postgres|12345678|7|Authorization|api-key|-----BEGIN|PRIVATE KEY-----|the-house-token|a{1,20}){0,30}",
    ) {
        let masker = Masker::new(["the-house-token".to_owned()]);
        let shown = masker.shown(&text, Surface::File);
        if shown != text {
            let before = marks(&text);
            let more = marks(&shown);
            let is_more = |(mark, count): (&&str, &usize)| {
                *count > before.get(*mark).copied().unwrap_or(0)
            };
            prop_assert!(more.iter().any(is_more), "{:?}", shown);
        }
    }
}
