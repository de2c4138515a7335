use super::*;

use angelia_core::time::Timestamp;

use crate::exit::How;

fn requests() -> Vec<Request> {
    vec![
        Request::Input(b"a\0b\n".to_vec()),
        Request::CloseInput,
        Request::Resize(Size {
            rows: 24,
            columns: 300,
        }),
        Request::Signal(15),
        Request::Kill(2_000),
        Request::Follow,
        Request::InputBytes,
        Request::Unknown(b'?'),
    ]
}

#[test]
fn what_was_said_arrives_whatever_the_pieces() {
    let bytes: Vec<u8> = requests().iter().flat_map(Request::encode).collect();
    for size in [1, 2, 3, 7, bytes.len()] {
        let mut frames = Frames::default();
        let mut heard = Vec::new();
        for piece in bytes.chunks(size) {
            frames.push(piece);
            while let Some(request) = frames.request().unwrap() {
                heard.push(request);
            }
        }
        assert_eq!(heard, requests());
    }
}

#[test]
fn what_is_told_arrives() {
    let exit = Exit {
        how: How::Signalled(9),
        at: Timestamp::from_ms(5),
        log_bytes: 7,
    };
    let told = [
        Report::Hello(1),
        Report::Done,
        Report::Refused("no".to_owned()),
        Report::Log(u64::MAX),
        Report::Input(u64::MAX),
        Report::Exit(exit),
    ];
    let mut frames = Frames::default();
    for report in told {
        frames.push(&report.encode());
        assert_eq!(frames.report().unwrap(), Some(report));
    }
}

#[test]
fn a_frame_longer_than_any_may_be_is_an_error_before_its_bytes_come() {
    let mut frames = Frames::default();
    frames.push(&[b'i', 0, 0, 0, 1]);
    frames.request().unwrap_err();
}

#[test]
fn a_body_of_the_wrong_length_is_an_error() {
    let mut frames = Frames::default();
    frames.push(&frame(b'k', &[1]));
    frames.request().unwrap_err();
}
