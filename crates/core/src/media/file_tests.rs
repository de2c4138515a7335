use super::*;

#[test]
fn a_file_is_what_its_first_bytes_say() {
    let cases: [(&[u8], FileKind); 13] = [
        (b"\x89PNG\r\n\x1a\n", FileKind::Picture(Kind::Png)),
        (b"OggS\0\x02", FileKind::Ogg),
        (b"ID3\x04", FileKind::Mp3),
        (b"RIFF\0\0\0\0WAVEfmt ", FileKind::Wav),
        (b"fLaC\0", FileKind::Flac),
        (b"\0\0\0\x20ftypM4A \0", FileKind::M4a),
        (b"\0\0\0\x20ftypisom\0", FileKind::Mp4),
        (b"\x1a\x45\xdf\xa3\0", FileKind::Webm),
        (b"%PDF-1.7\n", FileKind::Pdf),
        (b"PK\x03\x04\0", FileKind::Zip),
        (b"\x1f\x8b\x08", FileKind::Gzip),
        ("schön".as_bytes(), FileKind::Text),
        (b"text\0and more", FileKind::Other),
    ];
    for (head, kind) in cases {
        assert_eq!(FileKind::of(head), kind, "{head:?}");
    }
}

#[test]
fn a_text_that_was_cut_within_a_character_is_a_text() {
    let mut long = "a".repeat(LOOKED_AT_BYTES - 1);
    long.push('ö');
    assert_eq!(FileKind::of(long.as_bytes()), FileKind::Text);
    assert_eq!(FileKind::of(b""), FileKind::Text);
    assert_eq!(FileKind::of(b"\xff\xffabc"), FileKind::Other);
}

#[test]
fn no_two_kinds_share_an_ending() {
    let endings: std::collections::BTreeSet<_> =
        FileKind::ALL.into_iter().map(FileKind::ending).collect();
    assert_eq!(endings.len(), FileKind::ALL.len());
}
