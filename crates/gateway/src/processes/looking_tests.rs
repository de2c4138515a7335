use angelia_core::time::Span;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// Lines that are found when somebody else goes on after each piece of `size` bytes.
fn found_by_many(text: &[u8], size: usize) -> Vec<String> {
    let patterns = ["READY".to_owned()];
    let (mut looked, mut found) = (Looked::default(), Vec::new());
    for end in (1..=text.len()).filter(|end| end % size == 0 || *end == text.len()) {
        let mut looking = Looking::from(looked, NOW);
        let from = usize::try_from(looking.at).unwrap();
        let piece = Piece {
            cut: 0,
            from: looking.at,
            bytes: text[from..end].to_vec(),
        };
        let lines = looking.read(&patterns, &piece);
        found.extend(lines.into_iter().map(|found| found.lines));
        looked = looking.look(None).looked;
    }
    found
}

#[test]
fn whoever_goes_on_finds_every_line_once() {
    let text =
        "server READY\r\n10%\rREADY 20%\r30%\rcaf\u{e9} \u{1b}[1mREA\u{1b}[0mDY\nREADY".as_bytes();
    for size in 1..=text.len() {
        let found = found_by_many(text, size).join("\n");
        assert_eq!(found.matches("READY").count(), 4, "by {size}: {found:?}");
    }
}

#[test]
fn a_line_without_end_is_not_read_from_its_beginning() {
    let mut looking = Looking::from(Looked::default(), NOW);
    let piece = Piece {
        cut: 0,
        from: 0,
        bytes: vec![b'x'; 100_000],
    };
    assert_eq!(looking.read(&["READY".to_owned()], &piece), None);
    assert_eq!(looking.unwritten(), 100_000);
    let place = looking.look(None).looked.place;
    assert_eq!(place, 100_000 - limits::WATCH_LINE_BYTES as u64);
    looking.wrote(NOW);
    assert_eq!(looking.unwritten(), 0);
}

#[test]
fn what_was_left_out_is_jumped_over() {
    let patterns = ["READY".to_owned()];
    let mut looking = Looking::from(Looked::default(), NOW);
    let piece = |from: u64, text: &str| Piece {
        cut: 0,
        from,
        bytes: text.as_bytes().to_vec(),
    };
    assert_eq!(looking.read(&patterns, &piece(0, "REA")), None);
    assert_eq!(looking.read(&patterns, &piece(50, "DY")), None);
    assert_eq!(looking.look(None).looked.place, 50);
}

#[test]
fn however_much_is_said_a_look_is_written_down_only_from_time_to_time() {
    let bytes = usize::try_from(limits::WATCH_UNWRITTEN_BYTES).unwrap();
    let mut looking = Looking::from(Looked::default(), NOW);
    let say = |looking: &mut Looking| {
        let piece = Piece {
            cut: 0,
            from: looking.at,
            bytes: vec![b'y'; bytes],
        };
        looking.read(&["READY".to_owned()], &piece)
    };
    let later = NOW + limits::WATCH_WRITTEN_EVERY;
    assert!(!looking.is_due(later), "nothing was said");
    say(&mut looking);
    assert!(!looking.is_due(later - Span::ms(1)));
    assert!(looking.is_due(later));
    looking.wrote(later);
    say(&mut looking);
    assert!(!looking.is_due(later));
}
