use super::*;

fn lines(offset: usize, limit: usize) -> Lines {
    Lines { offset, limit }
}

#[test]
fn lines_stand_behind_their_numbers() {
    let text = "one\ntwo\nthree\n";
    assert_eq!(
        numbered(text, lines(1, 10)),
        ("1\tone\n2\ttwo\n3\tthree\n".into(), 3)
    );
    assert_eq!(numbered(text, lines(2, 1)), ("2\ttwo\n".into(), 2));
    assert_eq!(numbered("", lines(1, 10)), (String::new(), 0));
}

#[test]
fn what_is_too_much_is_shown_in_parts() {
    let text = format!("{}\n", "x".repeat(1_500)).repeat(100);
    let (first, last) = numbered(&text, lines(1, 1_000));
    assert!(
        first.len() <= limits::TOOL_OUTPUT_CHARS_MAX,
        "{}",
        first.len()
    );
    assert!((20..100).contains(&last), "{last}");
    let (_, next) = numbered(&text, lines(last + 1, 1_000));
    assert!(next > last);
    let long = "é".repeat(limits::FILE_LINE_CHARS + 1);
    assert!(cut(&long).ends_with("[… line cut]"));
    assert_eq!(cut(&long[2..]), long[2..]);
}
