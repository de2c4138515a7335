use super::*;

fn patterns(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn read(scan: &mut Scan, words: &[&str], text: &str) -> Option<Found> {
    scan.read(&patterns(words), text)
}

/// The lines that are found in pieces of `size` bytes.
fn in_pieces(words: &[&str], text: &str, size: usize) -> Vec<String> {
    let mut scan = Scan::default();
    let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
    let pieces = pieces.chunks(size).map(<[&str]>::concat);
    pieces
        .filter_map(|piece| read(&mut scan, words, &piece))
        .flat_map(|found| found.lines.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn words_that_are_torn_by_the_pieces_are_found_once() {
    let text = "server READY now\nother\nREADY again\r\nalmost REA\nDY\n";
    for size in 1..=text.len() {
        let found = in_pieces(&["READY"], text, size);
        assert_eq!(found.len(), 2, "in pieces of {size}: {found:?}");
    }
}

#[test]
fn a_prompt_is_found_before_its_line_ends_and_not_again() {
    let mut scan = Scan::default();
    assert!(read(&mut scan, &["word:"], "Pass").is_none());
    let found = read(&mut scan, &["word:"], "word: ").unwrap();
    assert_eq!(
        (found.lines.as_str(), found.last),
        ("Password:", Last::Open)
    );
    assert!(read(&mut scan, &["word:"], "****").is_none());
    assert!(read(&mut scan, &["word:"], "\r\nok\n").is_none());
    assert!(read(&mut scan, &["word:"], "Password:\n").is_some());
}

#[test]
fn the_first_listed_words_of_the_first_line_give_the_name() {
    let mut scan = Scan::default();
    let found = read(&mut scan, &["A", "B"], "xB\nxAB  \nnothing\n").unwrap();
    assert_eq!(found.pattern, "B");
    assert_eq!((found.lines.as_str(), found.count), ("xB\nxAB", 2));
    let found = read(&mut scan, &["A", "B"], "xBA\n").unwrap();
    assert_eq!(found.pattern, "A");
}

#[test]
fn a_bar_that_is_drawn_over_itself_is_many_lines() {
    let found = in_pieces(&["50%"], "40%\r50%\r60%\rdone 50%\n", 3);
    assert_eq!(found, ["50%", "done 50%"]);
}

#[test]
fn words_without_letters_are_in_every_line_that_is_there() {
    let mut scan = Scan::default();
    assert!(read(&mut scan, &[""], "").is_none());
    let found = read(&mut scan, &[""], "a\n\nb\n").unwrap();
    assert_eq!((found.lines.as_str(), found.count), ("a\n\nb", 3));
}

#[test]
fn no_more_is_told_than_fits() {
    let many: String = (0..100).map(|number| format!("x{number}\n")).collect();
    let found = read(&mut Scan::default(), &["x"], &many).unwrap();
    assert_eq!(found.lines.lines().count(), limits::HIT_LINES);
    assert_eq!(found.count, 100);
    let wide = "é".repeat(3000);
    let found = read(&mut Scan::default(), &["é"], &wide).unwrap();
    assert_eq!(found.lines.chars().count(), limits::HIT_CHARS + 2);
}

#[test]
fn a_line_without_end_is_kept_in_part_and_told_once() {
    let mut scan = Scan::default();
    let long = "é".repeat(100_000);
    assert!(read(&mut scan, &["READY"], &long).is_none());
    assert!(scan.open.len() <= limits::WATCH_LINE_BYTES);
    assert!(read(&mut scan, &["READY"], "REA").is_none());
    assert!(read(&mut scan, &["READY"], "DY").is_some());
    assert!(read(&mut scan, &["READY"], &long).is_none());
    assert!(read(&mut scan, &["READY"], "READY\nREADY").is_some());
}

#[test]
fn the_stored_form_has_no_words_and_tells_no_line_twice() {
    let mut scan = Scan::default();
    read(&mut scan, &["READY"], "secret READY").unwrap();
    assert_eq!(scan.for_another().open, "");
    let stored = serde_json::to_string(&scan).unwrap();
    assert_eq!(stored, r#"{"line":"told"}"#);
    let mut again: Scan = serde_json::from_str(&stored).unwrap();
    assert!(read(&mut again, &["READY"], "secret READY and more\n").is_none());
    assert!(read(&mut again, &["READY"], "READY\n").is_some());
}

#[test]
fn what_comes_after_a_gap_is_another_line() {
    let mut scan = Scan::default();
    assert!(read(&mut scan, &["READY"], "REA").is_none());
    scan.skip();
    assert!(read(&mut scan, &["READY"], "DY\n").is_none());
}

#[test]
fn a_line_inside_a_private_key_is_told_without_its_words() {
    let patterns = ["MII".to_owned(), "after".to_owned()];
    let mut scan = Scan::default();
    assert_eq!(
        scan.read(&patterns, "-----BEGIN PRIVATE KEY-----\nabc\n"),
        None
    );
    let mut scan = scan.for_another();
    scan.skip();
    let found = scan.read(&patterns, "MIIabc\n").expect("a hit");
    assert_eq!((found.lines.as_str(), found.count), (key::LINE_HIDDEN, 1));
    let found = scan.read(&patterns, "-----END PRIVATE KEY-----\nand after\n");
    assert_eq!(found.expect("a hit").lines, "and after");
}
