use super::*;

fn through(chars_max: usize, chunks: &[&[u8]]) -> String {
    let mut window = Window::new(chars_max);
    for chunk in chunks {
        window.push(chunk);
    }
    window.into_text("")
}

#[test]
fn a_short_output_is_whole() {
    assert_eq!(through(8, &[]), "");
    assert_eq!(through(8, &[b"abc", b"", b"defgh"]), "abcdefgh");
}

#[test]
fn a_long_output_keeps_both_ends_and_says_what_is_missing() {
    let alphabet = "abcdefghijklmnopqrstuvwxyz".repeat(4);
    let expected = "abcdefghijk\n\n... [OUTPUT TRUNCATED - 75 chars omitted out of 104 total] ...\n\n\
                    ijklmnopqrstuvwxyz";
    for size in 1..alphabet.len() {
        let chunks: Vec<_> = alphabet.as_bytes().chunks(size).collect();
        assert_eq!(through(95, &chunks), expected, "in chunks of {size}");
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
fn no_letter_is_cut_and_no_text_is_longer_than_its_window() {
    let text = "a€€€€€€€€b".repeat(20);
    for chars_max in 0..text.chars().count() {
        let kept = through(chars_max, &[text.as_bytes()]);
        assert!(!kept.contains('\u{fffd}'), "{chars_max}: {kept}");
        assert_eq!(kept.chars().count(), chars_max, "{kept}");
    }
}

#[test]
fn bytes_that_are_no_text_become_replacement_characters() {
    assert_eq!(through(8, &[b"a\xff\xc3"]), "a\u{fffd}\u{fffd}");
}

#[test]
fn how_it_ended_is_always_told() {
    let mut window = Window::new(100);
    window.push(&[b'x'; 1000]);
    let text = window.into_text("\n[ended]");
    assert_eq!(text.chars().count(), 100);
    assert!(text.ends_with("x\n[ended]"), "{text}");
}

#[test]
fn the_window_holds_no_more_than_it_may() {
    let mut window = Window::new(1000);
    for _ in 0..1000 {
        window.push(&[b'x'; 333]);
        assert!(window.kept() <= 1000);
    }
    assert!(window.tail.capacity() < 4000);
    assert_eq!(window.total(), 333_000);
}
