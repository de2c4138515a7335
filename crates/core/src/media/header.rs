//! What the first bytes of a picture tell: its kind, and how large it is.
//!
//! Only headers are read, and never beyond the bytes there are. What is not understood is not known; it is
//! no error, because whoever shows the picture will see.

use super::{Kind, Size};

/// Segments of a JPEG that are looked at before its size. Real ones have a dozen.
const SEGMENTS_MAX: usize = 512;

/// The kind that these bytes begin as.
pub(super) fn kind(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(Kind::Png)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some(Kind::Jpeg)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(Kind::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(Kind::Webp)
    } else {
        None
    }
}

/// How large the picture is.
pub(super) fn size(kind: Kind, bytes: &[u8]) -> Option<Size> {
    let size = match kind {
        Kind::Png => png(bytes),
        Kind::Jpeg => jpeg(bytes),
        Kind::Gif => gif(bytes),
        Kind::Webp => webp(bytes),
    };
    size.filter(|size| size.width > 0 && size.height > 0)
}

fn png(bytes: &[u8]) -> Option<Size> {
    if bytes.get(12..16)? != b"IHDR" {
        return None;
    }
    Some(Size {
        width: big(bytes, 16, 4)?,
        height: big(bytes, 20, 4)?,
    })
}

fn gif(bytes: &[u8]) -> Option<Size> {
    Some(Size {
        width: little(bytes, 6, 2)?,
        height: little(bytes, 8, 2)?,
    })
}

/// Walks from segment to segment to the one that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<Size> {
    let mut at = 2;
    for _ in 0..SEGMENTS_MAX {
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        if begins_frame(marker) {
            return Some(Size {
                height: big(bytes, at + 5, 2)?,
                width: big(bytes, at + 7, 2)?,
            });
        }
        at = match marker {
            // These stand alone.
            0x01 | 0xd0..=0xd8 => at + 2,
            // The end, or the beginning of what is drawn: no frame was begun.
            0xd9 | 0xda => return None,
            _ => at + 2 + big(bytes, at + 2, 2)?.max(2) as usize,
        };
    }
    None
}

fn begins_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

fn webp(bytes: &[u8]) -> Option<Size> {
    match bytes.get(12..16)? {
        b"VP8X" => Some(Size {
            width: little(bytes, 24, 3)? + 1,
            height: little(bytes, 27, 3)? + 1,
        }),
        b"VP8L" => {
            let both = little(bytes, 21, 4)?;
            Some(Size {
                width: (both & 0x3fff) + 1,
                height: (both >> 14 & 0x3fff) + 1,
            })
        }
        b"VP8 " => Some(Size {
            width: little(bytes, 26, 2)? & 0x3fff,
            height: little(bytes, 28, 2)? & 0x3fff,
        }),
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let digits = bytes.get(at..at + count)?.iter();
    Some(digits.fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let digits = bytes.get(at..at + count)?.iter().rev();
    Some(digits.fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

#[cfg(test)]
#[path = "header_tests.rs"]
mod tests;
