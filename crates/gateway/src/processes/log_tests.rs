use super::*;

fn piece(bytes: &[u8]) -> Piece {
    Piece {
        cut: 0,
        from: 100,
        bytes: bytes.to_vec(),
    }
}

#[test]
fn a_page_has_no_part_of_a_letter_and_the_next_one_has_all_of_it() {
    let bytes = "aé".as_bytes();
    let first = page(piece(&bytes[..2]), whole_bytes);
    assert_eq!((first.text.as_str(), first.next), ("a", 101));
    let all = page(piece(bytes), whole_bytes);
    assert_eq!((all.text.as_str(), all.next), ("aé", 103));
}

#[test]
fn bytes_that_are_no_letters_do_not_hold_a_page_up() {
    for bytes in [&b"\xc3"[..], b"a\xff", b"\xe2\x82", b"\x80\x80\x80"] {
        assert!(page(piece(bytes), whole_bytes).next > 100, "{bytes:?}");
    }
}

#[test]
fn a_full_page_ends_with_a_line() {
    let mut bytes = vec![b'x'; limits::LOG_PAGE_BYTES];
    bytes[10] = b'\n';
    assert_eq!(page(piece(&bytes), whole_bytes).next, 111);
    let wide = vec![b'x'; limits::LOG_PAGE_BYTES];
    assert_eq!(page(piece(&wide), whole_bytes).text.len(), wide.len());
}
