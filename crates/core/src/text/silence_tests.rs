use super::{Ending, is_marker, is_narration, may_become_marker, suppresses};

#[test]
fn a_marker_is_known_in_any_dress() {
    for text in [
        "NO_REPLY",
        " no  reply.\n",
        "**[SILENT]**",
        "(silent)",
        "…NO_REPLY…",
    ] {
        assert!(is_marker(text), "{text}");
    }
}

#[test]
fn words_about_a_marker_are_an_answer() {
    for text in [
        "",
        "Silently",
        "no reply needed",
        "[SILENT] x",
        "`NO_REPLY`",
        "SILENT]",
    ] {
        assert!(!is_marker(text), "{text}");
    }
}

#[test]
fn a_draft_waits_while_it_may_become_a_marker() {
    let marker = "NO_REPLY";
    for end in 1..=marker.len() {
        assert!(may_become_marker(&marker[..end]), "{end}");
    }
    assert!(!may_become_marker(""));
    assert!(!may_become_marker("Nope"));
    assert!(!may_become_marker("NO_REPLY, but …"));
}

#[test]
fn a_failed_turn_is_never_silent() {
    assert!(suppresses("NO_REPLY", Ending::Answered));
    assert!(!suppresses("NO_REPLY", Ending::Failed));
}

#[test]
fn silence_in_words_is_short() {
    assert!(is_narration("*(No response.)*"));
    assert!(is_narration("..."));
    assert!(!is_narration(""));
    assert!(!is_narration(&format!("silent{}", " ".repeat(80) + "x")));
}

#[test]
fn a_long_text_is_no_marker() {
    assert!(!may_become_marker(&"*".repeat(5000)));
    assert!(!is_marker(&format!("NO_REPLY{}", ".".repeat(5000))));
}
