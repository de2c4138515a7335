use super::{LINES_MAX, Look, shown};

#[test]
fn no_thoughts_are_nothing() {
    assert_eq!(shown(" \n ", Look::Quote), "");
}

#[test]
fn thoughts_are_set_off_as_the_place_wants_it() {
    assert_eq!(shown("a\nb", Look::Quote), "> a\n> b");
    assert_eq!(shown("a", Look::Small), "-# a");
    assert_eq!(shown("a\n```\nb", Look::Code), "````\na\n```\nb\n````");
}

#[test]
fn only_the_last_lines_are_shown() {
    let thoughts: Vec<String> = (0..40).map(|line| format!("line {line}")).collect();
    let text = shown(&thoughts.join("\n"), Look::Quote);
    assert_eq!(text.lines().count(), LINES_MAX);
    assert!(text.starts_with("> …\n") && text.ends_with("line 39"));
}
