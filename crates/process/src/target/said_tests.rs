use super::*;

#[test]
fn our_lines_are_told_from_those_of_the_way() {
    let mut ear = Ear::default();
    let text = b"Warning: added host\r\nangelia ready new\nangelia runs 12\nangelia nonsense\n";
    assert_eq!(ear.hear(text), [Said::New, Said::Runs(12)]);
    assert_eq!(ear.complaints(), "Warning: added host\nangelia nonsense");
}

#[test]
fn lines_may_arrive_in_any_pieces() {
    let text = b"angelia ended 137 9 4096\nangelia failed no such place\n";
    let mut ear = Ear::default();
    let heard: Vec<Said> = text.iter().flat_map(|byte| ear.hear(&[*byte])).collect();
    let ended = Ended {
        code: 137,
        signal: 9,
        bytes: 4096,
    };
    assert_eq!(
        heard,
        [Said::Ended(ended), Said::Failed("no such place".to_owned())]
    );
    assert_eq!(ear.complaints(), "");
}

#[test]
fn a_flood_of_complaints_is_cut() {
    let mut ear = Ear::default();
    for _ in 0..10_000 {
        ear.hear(&[b'x'; 5000]);
        ear.hear(b"\n");
    }
    assert!(ear.complaints().len() <= limits::TARGET_COMPLAINT_BYTES_MAX);
}

#[test]
fn a_line_with_broken_numbers_is_not_ours() {
    let mut ear = Ear::default();
    assert_eq!(
        ear.hear(b"angelia ended 1 x 3\nangelia ended 1\nangelia fed -1\n"),
        []
    );
}
