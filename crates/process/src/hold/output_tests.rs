use super::*;

use std::io::{PipeWriter, Write as _};

use crate::clock;
use crate::log::{self, make};
use crate::spec::Input;

struct World {
    _dir: tempfile::TempDir,
    place: std::path::PathBuf,
    log: Writer,
}

fn world(bytes_max: u64) -> World {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("p/log");
    make_in_its_folder(&place);
    World {
        log: Writer::open(place.clone(), bytes_max),
        place,
        _dir: dir,
    }
}

fn make_in_its_folder(log: &std::path::Path) {
    std::fs::create_dir(log.parent().unwrap()).unwrap();
    make(log).unwrap();
}

fn pipe() -> (Output, PipeWriter) {
    let (reader, writer) = io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&reader, true).unwrap();
    let surface = Surface::Pipes(Input::Closed);
    (Output::new(surface, reader.into()), writer)
}

#[test]
fn what_is_moved_is_kept_as_it_was_said() {
    let (mut world, (mut output, mut writer)) = (world(1_000), pipe());
    for words in ["one ", "two ", "three"] {
        writer.write_all(words.as_bytes()).unwrap();
        assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Goes);
    }
    assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Goes);
    drop(writer);
    assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Ended);
    let piece = log::read(&world.place, 0, 100).unwrap();
    assert_eq!(piece.bytes, b"one two three");
    assert_eq!(world.log.length(), 13);
}

#[test]
fn what_is_moved_fills_segments_and_leaves_the_middle_out() {
    let (mut world, (mut output, mut writer)) = (world(160), pipe());
    let said: Vec<u8> = (0..10_000_u32).map(|n| (n % 251) as u8).collect();
    let mut total = 0;
    for words in said.chunks(997) {
        writer.write_all(words).unwrap();
        total += words.len() as u64;
        while world.log.length() < total {
            assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Goes);
        }
    }
    let head = log::read(&world.place, 0, 1_000).unwrap();
    assert_eq!(head.bytes, said[..80]);
    let tail = log::read(&world.place, 80, 1_000).unwrap();
    let from = usize::try_from(tail.from).unwrap();
    assert!(tail.cut > 0 && from > 9_800, "{tail:?}");
    assert_eq!(tail.bytes, said[from..from + tail.bytes.len()]);
}

#[test]
fn a_log_that_cannot_be_written_does_not_stop_the_flow() {
    let (mut world, (mut output, mut writer)) = (world(1_000), pipe());
    std::fs::remove_dir_all(world.place.parent().unwrap()).unwrap();
    writer.write_all(b"lost").unwrap();
    assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Goes);
    assert_eq!(world.log.length(), 4);
    make_in_its_folder(&world.place);
    writer.write_all(b"kept").unwrap();
    drop(writer);
    assert_eq!(output.take(&mut world.log, clock::steady()), Flow::Ended);
    let piece = log::read(&world.place, 0, 100).unwrap();
    assert_eq!((piece.cut, piece.bytes), (4, b"kept".to_vec()));
}

#[test]
fn a_flood_is_let_wait_between_two_gulps_and_a_trickle_is_not() {
    let (mut world, (mut output, mut writer)) = (world(1 << 20), pipe());
    let now = clock::steady();
    let piece = [b'x'; 32 * 1024];
    for _ in 1..GULP_BYTES / piece.len() as u64 {
        writer.write_all(&piece).unwrap();
        assert_eq!(output.take(&mut world.log, now), Flow::Goes);
        assert!(output.waiting(now).is_some());
    }
    writer.write_all(&piece).unwrap();
    assert_eq!(output.take(&mut world.log, now), Flow::Goes);
    assert!(output.waiting(now).is_none());
    let over = output.due(now).unwrap();
    assert!(output.waiting(over).is_some());
    assert_eq!(output.due(over), None);
}
