use proptest::prelude::*;

use super::*;

#[test]
fn the_published_examples_come_out() {
    let examples = [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ];
    for (bytes, text) in examples {
        assert_eq!(encode(bytes.as_bytes()), text);
        assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
    }
}

#[test]
fn line_ends_missing_padding_and_the_alphabet_of_addresses_are_forgiven() {
    assert_eq!(decode("Zm9v\r\nYg").as_deref(), Some(&b"foob"[..]));
    assert_eq!(decode("_-8"), decode("/+8="));
}

#[test]
fn what_is_no_text_of_bytes_is_refused() {
    for text in ["Z", "Zg==x", "Zm9v!", "Zm=v", "ü"] {
        assert_eq!(decode(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = encode(&bytes);
        prop_assert_eq!(decode(&text), Some(bytes));
    }

    #[test]
    fn nothing_that_is_read_is_longer_than_expected(text in "[A-Za-z0-9+/=]{0,100}") {
        let bytes = decode(&text).unwrap_or_default();
        prop_assert!(bytes.len() <= decoded_bytes_max(text.len()));
    }
}
