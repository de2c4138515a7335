use proptest::prelude::*;

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

fn told(bytes: &[u8]) -> Option<(Kind, Option<(u32, u32)>)> {
    let kind = kind(bytes)?;
    let size = size(kind, bytes).map(|size| (size.width, size.height));
    Some((kind, size))
}

#[test]
fn each_kind_is_known_by_its_first_bytes_and_tells_its_size() {
    assert_eq!(told(&png(640, 480)), Some((Kind::Png, Some((640, 480)))));
    let gif = b"GIF89a\x03\x01\x02\0";
    assert_eq!(told(gif), Some((Kind::Gif, Some((259, 2)))));
    let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08\0\x05\0\x07";
    assert_eq!(told(jpeg), Some((Kind::Jpeg, Some((7, 5)))));
    let simple = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x10\0\x20\x40";
    assert_eq!(told(simple), Some((Kind::Webp, Some((16, 32)))));
    let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x0f\xc0\x07\0";
    assert_eq!(told(lossless), Some((Kind::Webp, Some((16, 32)))));
    let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x0f\0\0\x1f\0\0";
    assert_eq!(told(extended), Some((Kind::Webp, Some((16, 32)))));
}

#[test]
fn what_is_cut_off_has_its_kind_and_no_size() {
    assert_eq!(told(&png(1, 1)[..20]), Some((Kind::Png, None)));
    assert_eq!(told(b"\xff\xd8\xff\xe0\xff\xff"), Some((Kind::Jpeg, None)));
    assert_eq!(told(&png(0, 7)), Some((Kind::Png, None)));
}

#[test]
fn what_only_says_that_it_is_a_picture_is_none() {
    for bytes in [&b"<svg/>"[..], b"BM", b"%PDF-1.7", b"RIFF\0\0\0\0WAVE", b""] {
        assert_eq!(kind(bytes), None);
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(
        start in 0usize..5,
        rest in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let starts: [&[u8]; 5] = [
            b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF....WEBP", b"RIFF....WEBPVP8L",
        ];
        let bytes = [starts[start], &rest].concat();
        let known = kind(&bytes);
        prop_assert!(known.is_some());
        let _size = known.and_then(|kind| size(kind, &bytes));
    }
}
