//! What came with a message and is to be fetched: by what Telegram gives it out for. Pure.
//!
//! Nothing is fetched here. Of a picture Telegram offers several sizes; the largest that may be kept is named.

use angelia_core::limits;
use angelia_core::media::attached::{Attached, Sort};
use angelia_core::media::sticker::Sticker as Known;

use super::wire::{File, Message, Sticker};

/// All that came with a message and with those that are one with it, as much as one message may have.
pub(super) fn of(message: &Message) -> Vec<Attached> {
    let parts = [message].into_iter().chain(&message.more);
    let came = parts.filter_map(one);
    came.take(limits::ATTACHED_PER_MESSAGE).collect()
}

/// A film comes as itself and once more as a document, so what it is stands before what it is in.
fn one(message: &Message) -> Option<Attached> {
    let some = |sort, file: &Option<File>| file.as_ref().map(|file| attached(sort, file));
    largest(&message.photo)
        .map(|file| attached(Sort::Picture, file))
        .or_else(|| some(Sort::Voice, &message.voice))
        .or_else(|| some(Sort::Audio, &message.audio))
        .or_else(|| some(Sort::Video, &message.video))
        .or_else(|| some(Sort::Video, &message.video_note))
        .or_else(|| some(Sort::Video, &message.animation))
        .or_else(|| some(Sort::File, &message.document))
        .or_else(|| message.sticker.as_ref().map(sticker))
}

fn attached(sort: Sort, file: &File) -> Attached {
    Attached {
        name: file.file_name.clone(),
        bytes: file.file_size,
        ..Attached::new(sort, file.file_id.clone())
    }
}

fn sticker(sticker: &Sticker) -> Attached {
    let sort = match sticker.movement.is_there() {
        true => Sort::MovingSticker,
        false => Sort::Sticker,
    };
    Attached {
        sign: sticker.emoji.clone(),
        sticker: Known::of(&sticker.file_unique_id, sticker.set_name.as_deref()),
        ..attached(sort, &sticker.file)
    }
}

/// The largest size of a picture that may be kept; if none may, the smallest.
fn largest(sizes: &[File]) -> Option<&File> {
    let fits = |file: &&File| {
        file.file_size.unwrap_or_default() <= limits::PICTURE_BYTES_MAX as u64
            && file.width.max(file.height) <= limits::PICTURE_SIDE_MAX
    };
    let area = |file: &&File| u64::from(file.width) * u64::from(file.height);
    let largest = sizes.iter().filter(fits).max_by_key(area);
    largest.or_else(|| sizes.iter().min_by_key(area))
}
