use std::sync::Arc;

use angelia_core::mask::{Masker, Surface};

use super::*;

const KEY: &str = "sk-AbCdEfGhIjKlMnOpQrStUvWx";

fn plain() -> Plain {
    Plain::new(Pieces::new(Arc::new(Masker::default()), Surface::Output))
}

fn said(plain: &mut Plain, text: &str, patience: Patience) -> LogPage {
    plain.held.bytes.extend(text.as_bytes());
    plain.show(patience)
}

#[test]
fn what_is_held_back_is_not_yet_passed_by_its_place() {
    let mut plain = plain();
    let first = said(&mut plain, &format!("one\n{}", &KEY[..9]), Patience::Line);
    assert_eq!(
        (first.text.as_str(), first.from, first.next),
        ("one\n", 0, 4)
    );
    let second = said(&mut plain, &KEY[9..], Patience::None);
    assert_eq!((second.text.as_str(), second.from), ("sk-AbC...UvWx", 4));
    assert_eq!(second.next, 4 + KEY.len() as u64);
}

#[test]
fn a_question_is_shown_up_to_its_last_word() {
    let mut plain = plain();
    assert_eq!(said(&mut plain, "Key? sk-AbCdEf", Patience::Line).text, "");
    assert_eq!(said(&mut plain, "", Patience::Word).text, "Key? ");
    assert_eq!(
        said(&mut plain, &format!("{}\n", &KEY[9..]), Patience::Line).text,
        "sk-AbC...UvWx\n"
    );
}

#[test]
fn what_was_left_out_is_told_with_the_page_after_it() {
    let mut plain = plain();
    plain.held = Piece {
        cut: 10,
        from: 20,
        bytes: b"a\nb".to_vec(),
    };
    let first = plain.show(Patience::Line);
    assert_eq!((first.cut, first.from, first.next), (10, 20, 22));
    let second = plain.show(Patience::None);
    assert_eq!((second.cut, second.from, second.next), (0, 22, 23));
}
