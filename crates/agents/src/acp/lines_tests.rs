use super::*;

fn piece(bytes: &[u8]) -> Piece {
    Piece {
        bytes: bytes.to_vec(),
        ..Piece::default()
    }
}

fn drained(lines: &mut Lines) -> Vec<String> {
    std::iter::from_fn(|| lines.next())
        .map(|line| String::from_utf8(line).unwrap())
        .collect()
}

#[test]
fn lines_are_the_same_whatever_the_pieces() {
    let said = "one\n\ntw\u{f6}\nrest";
    for size in 1..=said.len() {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        for bytes in said.as_bytes().chunks(size) {
            lines.push(&piece(bytes));
            all.extend(drained(&mut lines));
        }
        assert_eq!(all, ["one", "", "tw\u{f6}"], "in pieces of {size}");
    }
}

#[test]
fn after_a_gap_the_broken_line_is_passed_over() {
    let mut lines = Lines::default();
    lines.push(&piece(b"whole\nhalf of a"));
    lines.push(&Piece {
        cut: 10,
        ..piece(b"nother\nnext\n")
    });
    assert_eq!(drained(&mut lines), ["next"]);
}

#[test]
fn a_line_without_end_is_passed_over_and_costs_no_memory() {
    let mut lines = Lines::default();
    let long = vec![b'x'; LINE_BYTES_MAX / 2 + 1];
    lines.push(&piece(&long));
    assert_eq!(lines.next(), None);
    lines.push(&piece(&long));
    assert_eq!(lines.next(), None);
    assert_eq!(lines.unread.capacity(), 0);
    lines.push(&piece(b"still it\nafter\n"));
    assert_eq!(drained(&mut lines), ["after"]);
}
