use super::*;

#[test]
fn a_person_leaves_with_one_key_and_what_was_typed_before_it_still_goes() {
    let heard_of = |keys: &[u8]| heard(keys.to_vec(), Typist::Person);
    assert_eq!(heard_of(b"ls\x1d"), Heard::Leave(b"ls".to_vec()));
    assert_eq!(heard_of(b"\x1dls"), Heard::Leave(Vec::new()));
    assert_eq!(heard_of(b"\x1b]ls"), Heard::Keys(b"\x1b]ls".to_vec()));
    assert_eq!(heard_of(b""), Heard::EndOfInput);
}

#[test]
fn what_a_program_pipes_in_has_no_key_that_leaves() {
    let all = heard(b"a\x1db".to_vec(), Typist::Program);
    assert_eq!(all, Heard::Keys(b"a\x1db".to_vec()));
}
