use super::*;

fn said(pieces: &[&[u8]]) -> (Vec<String>, String) {
    let mut reply = Reply::default();
    let mut heard: Vec<String> = pieces.iter().map(|piece| reply.more(piece)).collect();
    heard.push(reply.last());
    (heard, reply.words)
}

#[test]
fn a_letter_that_is_torn_between_two_pieces_is_said_once_it_is_whole() {
    let (heard, words) = said(&[b"gr\xc3", b"\xbcn"]);
    assert_eq!(heard, ["gr", "\u{fc}n", ""]);
    assert_eq!(words, "gr\u{fc}n");
    let (_, words) = said(&[b"gr\xc3"]);
    assert_eq!(words, "gr\u{fffd}");
}

#[test]
fn blanks_around_a_reply_are_no_part_of_it_and_blanks_within_are() {
    let (heard, words) = said(&[b"\n  ", b"one\n", b"\n", b"two ", b"\n"]);
    assert_eq!(heard, ["", "one", "", "\n\ntwo", "", ""]);
    assert_eq!(words, "one\n\ntwo");
}

#[test]
fn bytes_that_are_no_text_become_signs_that_say_so() {
    let (_, words) = said(&[b"a\xff\xfeb"]);
    assert_eq!(words, "a\u{fffd}\u{fffd}b");
}

#[test]
fn escapes_are_no_words_and_what_is_written_over_stands_on_lines_of_its_own() {
    let (heard, words) = said(&[b"\x1b[3", b"1mred\x1b[0m\r", b"\nnext 10%\r", b"20%\x1b"]);
    assert_eq!(words, "red\nnext 10%\n20%");
    assert_eq!(heard.concat(), words);
}
