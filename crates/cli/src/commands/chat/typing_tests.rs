use super::*;

/// What is left on the line after these bytes, and what the last of them led to.
fn typed(bytes: &[u8]) -> (String, Then) {
    let (mut keys, mut typing, mut then) = (Keys::default(), Typing::default(), Then::Nothing);
    for byte in bytes {
        if let Some(key) = keys.read(*byte) {
            then = typing.press(key);
        }
    }
    (typing.text().to_owned(), then)
}

#[test]
fn tab_completes_a_command_as_far_as_it_is_clear() {
    assert_eq!(
        typed(b"/stat\t"),
        ("/status ".to_owned(), Then::More("us ".to_owned()))
    );
    let (line, then) = typed(b"/re\t");
    assert_eq!(line, "/re");
    let Then::Offer(names) = then else {
        panic!("{then:?}");
    };
    assert!(
        names.contains(&"resume") && names.contains(&"retry"),
        "{names:?}"
    );
    assert_eq!(typed(b"/rest\t").0, "/restart ");
    assert_eq!(typed(b"/zzz\t"), ("/zzz".to_owned(), Then::Nothing));
    assert_eq!(typed(b"words\t"), ("words".to_owned(), Then::Nothing));
    assert_eq!(
        typed(b"/status now\t"),
        ("/status now".to_owned(), Then::Nothing)
    );
}

#[test]
fn letters_words_and_the_line_are_taken_back() {
    assert_eq!(typed("añ\x7f".as_bytes()).0, "a");
    assert_eq!(typed(b"one two \x17").0, "one ");
    assert_eq!(typed(b"one two\x15").0, "");
    assert_eq!(typed(b"\x7f"), (String::new(), Then::Nothing));
}

#[test]
fn letters_come_whole_and_keys_that_move_are_passed_over() {
    assert_eq!(typed("日本".as_bytes()).0, "日本");
    assert_eq!(typed(b"a\x1b[A\x1b[1;5Cb\x1bOPc").0, "abc");
    assert_eq!(typed(b"a\xffb").0, "ab");
}

#[test]
fn a_line_ends_with_enter_and_the_conversation_on_an_empty_line() {
    assert_eq!(
        typed(b"hi\r"),
        (String::new(), Then::Typed("hi".to_owned()))
    );
    assert_eq!(typed(b"\x04").1, Then::Over);
    assert_eq!(typed(b"hi\x04"), ("hi".to_owned(), Then::Nothing));
    assert_eq!(typed(b"hi\x03"), (String::new(), Then::Anew));
    assert_eq!(typed(b"\x03").1, Then::Over);
}
