use super::*;

fn raw(text: &str) -> Result<Option<String>, &'static str> {
    lines(&Words::Raw(text.into()))
}

#[test]
fn whole_lines_are_read_as_a_shell_would() {
    assert_eq!(lines(&Words::Line("ls".into())), Ok(Some("ls".into())));
    assert_eq!(raw("ls\n"), Ok(Some("ls".into())));
    assert_eq!(raw("ls\rrm x\r"), Ok(Some("ls\nrm x".into())));
}

#[test]
fn half_a_line_cannot_be_judged() {
    for text in ["rm -r", "ls\nrm", "rm \\\n"] {
        assert_eq!(raw(text), Err(HALF), "{text:?}");
    }
    assert_eq!(lines(&Words::Line("r\\".into())), Err(HALF));
}

#[test]
fn keys_pass_alone_and_not_among_words() {
    for text in ["\u{3}", "\u{4}", "\n", "\u{3}\r", ""] {
        assert_eq!(raw(text), Ok(None), "{text:?}");
    }
    assert_eq!(lines(&Words::Line(String::new())), Ok(None));
    for text in ["rm x\u{7f}\n", "\u{1b}[A\n"] {
        assert_eq!(raw(text), Err(KEYS), "{text:?}");
    }
}
