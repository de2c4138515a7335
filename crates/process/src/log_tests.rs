use super::*;

fn log(bytes_max: u64) -> (tempfile::TempDir, std::path::PathBuf, Writer) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("p")).unwrap();
    let log = dir.path().join("p/log");
    make(&log).unwrap();
    let writer = Writer::open(log.clone(), bytes_max);
    (dir, log, writer)
}

fn pieces(folder: &Path, bytes_max: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let piece = read(folder, at, bytes_max).unwrap();
        if piece.bytes.is_empty() {
            return found;
        }
        at = piece.next();
        found.push(piece);
    }
}

fn on_disk(folder: &Path) -> u64 {
    segments(folder).unwrap().iter().map(|s| s.bytes).sum()
}

#[test]
fn a_short_log_is_whole_in_pieces_of_any_size() {
    for size in [1, 3, 100] {
        let (_dir, folder, mut writer) = log(1_000);
        for word in ["one ", "two ", "", "three"] {
            writer.append(word.as_bytes());
        }
        let all = pieces(&folder, size);
        let text: Vec<u8> = all.iter().flat_map(|piece| piece.bytes.clone()).collect();
        assert_eq!(text, b"one two three");
        assert!(all.iter().all(|piece| piece.cut == 0));
        assert_eq!(length(&folder).unwrap(), 13);
    }
}

#[test]
fn a_long_log_keeps_its_beginning_and_its_end_and_states_the_cut() {
    let (_dir, folder, mut writer) = log(160);
    let said: Vec<u8> = (0..10_000_u32).map(|n| (n % 251) as u8).collect();
    for chunk in said.chunks(7) {
        writer.append(chunk);
        assert!(on_disk(&folder) <= 160);
    }
    assert_eq!(writer.length(), 10_000);
    let all = pieces(&folder, 1_000);
    assert_eq!(all[0].bytes, said[..80]);
    assert!(all[1].cut > 0);
    let mut at = 80;
    for piece in &all[1..] {
        assert_eq!(piece.from, at + piece.cut);
        let from = usize::try_from(piece.from).unwrap();
        assert_eq!(piece.bytes, said[from..from + piece.bytes.len()]);
        at = piece.next();
    }
    assert_eq!(at, 10_000);
    let kept: usize = all.iter().map(|piece| piece.bytes.len()).sum();
    assert!(kept >= 150, "{kept} bytes of 160");
}

#[test]
fn a_place_within_the_cut_leads_to_the_first_byte_behind_it() {
    let (_dir, folder, mut writer) = log(64);
    writer.append(&[b'x'; 1_000]);
    let piece = read(&folder, 500, 4).unwrap();
    assert_eq!(piece.from - piece.cut, 500);
    assert_eq!(piece.bytes, b"xxxx");
}

#[test]
fn beyond_the_end_there_is_nothing_yet() {
    let (_dir, folder, mut writer) = log(100);
    assert_eq!(read(&folder, 0, 10).unwrap(), Piece::default());
    writer.append(b"abc");
    let piece = read(&folder, 3, 10).unwrap();
    assert_eq!((piece.next(), piece.cut), (3, 0));
}

#[test]
fn a_log_that_cannot_be_written_leaves_a_gap_and_goes_on() {
    let (_dir, log, mut writer) = log(100);
    writer.append(b"abc");
    // The next segment cannot be made without its folder.
    writer.append(&[b'x'; 47]);
    let folder = log.parent().unwrap();
    let aside = folder.with_extension("aside");
    fs::rename(folder, &aside).unwrap();
    writer.append(b"lost");
    fs::rename(&aside, folder).unwrap();
    writer.append(b"again");
    let all = pieces(&log, 1_000);
    assert_eq!(all[1].cut, 4);
    assert_eq!(all[1].bytes, b"again");
    assert_eq!(writer.length(), 59);
}
