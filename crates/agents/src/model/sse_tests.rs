use proptest::prelude::*;

use super::*;

fn all(bytes: &[u8]) -> Vec<Record> {
    let mut records = Records::default();
    let mut seen = records.push(bytes).expect("short enough");
    seen.extend(records.finish());
    seen
}

#[test]
fn a_record_ends_at_an_empty_line_however_lines_end() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("data: one{end}{end}data: two{end}{end}");
        assert_eq!(all(text.as_bytes()), ["one", "two"]);
    }
}

#[test]
fn comments_names_and_ids_are_passed_over() {
    let text = ": keep-alive\n\nevent: message\nid: 7\ndata: x\n\n: keep-alive\n\n";
    assert_eq!(all(text.as_bytes()), ["x"]);
}

#[test]
fn several_data_lines_are_one_record() {
    assert_eq!(all(b"data: {\ndata:  1}\n\n"), ["{\n 1}"]);
}

#[test]
fn a_record_without_its_empty_line_counts_at_the_end() {
    assert_eq!(all(b"data: a\n\ndata: [DONE]"), ["a", "[DONE]"]);
    assert_eq!(all(b"data: a\n"), ["a"]);
}

#[test]
fn a_mark_of_the_byte_order_is_no_part_of_a_name() {
    assert_eq!(all("\u{feff}data:a\n\n".as_bytes()), ["a"]);
}

#[test]
fn a_record_without_end_is_refused() {
    let mut records = Records::default();
    let long = vec![b'x'; RECORD_BYTES_MAX + 1];
    assert_eq!(records.push(&long), Err(TooLong));
}

proptest! {
    /// Where a stream is cut makes no difference.
    #[test]
    fn cuts_change_nothing(text in "(data: [a-zé]{0,5}(\n|\r\n|\r){1,2}|:k\n|event: e\n){0,8}", cuts in prop::collection::vec(0usize..200, 0..6)) {
        let bytes = text.as_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let (mut records, mut seen, mut from) = (Records::default(), Vec::new(), 0);
        for cut in cuts.into_iter().chain([bytes.len()]) {
            seen.extend(records.push(&bytes[from..cut]).expect("short enough"));
            from = cut;
        }
        seen.extend(records.finish());
        prop_assert_eq!(seen, all(bytes));
    }
}
