use super::*;

fn through(bytes_max: usize, chunks: &[&[u8]]) -> String {
    let mut window = Window::new(bytes_max);
    for chunk in chunks {
        window.push(chunk);
    }
    window.into_text()
}

#[test]
fn a_short_output_is_whole() {
    assert_eq!(through(8, &[]), "");
    assert_eq!(through(8, &[b"abc", b"", b"defgh"]), "abcdefgh");
}

#[test]
fn a_long_output_keeps_both_ends_and_says_what_is_missing() {
    let expected = "abcd\n[18 bytes left out here]\nwxyz";
    let alphabet = b"abcdefghijklmnopqrstuvwxyz";
    assert_eq!(through(8, &[alphabet]), expected);
    for size in 1..alphabet.len() {
        let chunks: Vec<_> = alphabet.chunks(size).collect();
        assert_eq!(through(8, &chunks), expected, "in chunks of {size}");
    }
}

#[test]
fn a_letter_in_two_chunks_is_whole() {
    let letters = "é€😀".as_bytes();
    for cut in 0..letters.len() {
        assert_eq!(through(64, &[&letters[..cut], &letters[cut..]]), "é€😀");
    }
}

#[test]
fn a_letter_cut_by_the_window_is_dropped_and_counted() {
    let text = "a€€€€€€€€b";
    for bytes_max in 2..text.len() {
        let kept = through(bytes_max, &[text.as_bytes()]);
        assert!(!kept.contains('\u{fffd}'), "{bytes_max}: {kept}");
        let (head, rest) = kept.split_once("\n[").unwrap();
        let (left_out, tail) = rest.split_once(" bytes left out here]\n").unwrap();
        let left_out: usize = left_out.parse().unwrap();
        assert_eq!(
            head.len() + left_out + tail.len(),
            text.len(),
            "{bytes_max}: {kept}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_become_replacement_characters() {
    assert_eq!(through(8, &[b"a\xff\xc3"]), "a\u{fffd}\u{fffd}");
    assert_eq!(through(4, &[b"\xff\xff\x80\x80\x80\x80\x80\x80"]), {
        "\u{fffd}\n[7 bytes left out here]\n"
    });
}

#[test]
fn the_window_holds_no_more_than_it_may() {
    let mut window = Window::new(1000);
    for _ in 0..1000 {
        window.push(&[b'x'; 333]);
        assert!(window.head.len() + window.tail.len() <= 1000);
    }
    assert!(window.tail.capacity() < 4000);
}
