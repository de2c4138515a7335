use super::*;

use std::io::{self, Read as _};
use std::time::Duration;

const IDLE: Duration = Duration::from_secs(limits::INPUT_IDLE.as_ms() as u64 / 1_000);

fn queue(input: Input) -> (Queue, io::PipeReader, Instant) {
    let (reader, writer) = io::pipe().unwrap();
    let now = crate::clock::steady();
    (
        Queue::new(Surface::Pipes(input), Some(writer.into()), now),
        reader,
        now,
    )
}

#[test]
fn a_patient_input_ends_by_itself_if_nobody_writes() {
    let (mut queue, mut reader, began) = queue(Input::Patient);
    assert_eq!(queue.due(), Some(began + IDLE));
    queue.tire(began + IDLE - Duration::from_millis(1));
    assert!(queue.due().is_some());
    queue.tire(began + IDLE);
    assert_eq!(queue.due(), None);
    assert_eq!(
        reader.read(&mut [0; 8]).unwrap(),
        0,
        "its reader sees the end"
    );
    assert!(queue.push(b"late").is_err());
}

#[test]
fn who_writes_in_time_keeps_a_patient_input_open() {
    let (mut queue, mut reader, began) = queue(Input::Patient);
    queue.push(b"early").unwrap();
    assert_eq!(queue.due(), None);
    queue.tire(began + 10 * IDLE);
    queue.push(b"+late").unwrap();
    let mut read = [0; 10];
    reader.read_exact(&mut read).unwrap();
    assert_eq!(&read, b"early+late");
}

#[test]
fn an_open_input_never_tires() {
    let (mut queue, _reader, began) = queue(Input::Open);
    assert_eq!(queue.due(), None);
    queue.tire(began + 1_000 * IDLE);
    queue.push(b"still").unwrap();
}
