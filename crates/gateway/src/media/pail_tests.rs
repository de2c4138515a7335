use std::path::Path;

use angelia_core::media::MediaId;

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03";

fn bucket(folder: &Path) -> Bucket {
    let files = Files::new(folder.join("media"), "nod_1");
    Bucket::new(Some(Arc::new(files)))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("media")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

async fn poured(mut bucket: Bucket, bytes: &[u8]) -> Bucket {
    for piece in bytes.chunks(100_000) {
        bucket.pour(piece).await.unwrap();
    }
    bucket
}

#[tokio::test]
async fn a_file_in_pieces_is_the_file_that_it_is_in_one() {
    let home = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..1_000_000u32)
        .map(|number| (number % 251) as u8)
        .collect();
    let bucket = poured(bucket(home.path()), &bytes).await;
    let (bucket, kept) = bucket.placed().await.unwrap();
    assert_eq!((kept.id, kept.kind), (MediaId::of(&bytes), FileKind::Other));
    let content = bucket.content(Some(kept));
    assert_eq!((content.bytes, content.text), (1_000_000, None));
    let [name] = &*names(home.path()) else {
        panic!("one file has one name");
    };
    let written = std::fs::read(home.path().join("media").join(name)).unwrap();
    assert_eq!(written, bytes);
}

#[tokio::test]
async fn a_picture_is_known_by_its_bytes_and_a_short_text_is_read() {
    let home = tempfile::tempdir().unwrap();
    let (bucket_of, folder) = (bucket, home.path());
    let picture = poured(bucket_of(folder), PNG)
        .await
        .placed()
        .await
        .unwrap()
        .0;
    assert_eq!(
        picture.picture.as_ref().map(|one| one.id),
        Some(MediaId::of(PNG))
    );
    let (text, kept) = poured(bucket_of(folder), b"some words")
        .await
        .placed()
        .await
        .unwrap();
    let text = text.content(Some(kept));
    assert_eq!(text.text.as_deref(), Some("some words"));
    assert!(text.picture.is_none());
}

#[tokio::test]
async fn more_than_may_be_is_not_taken_and_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mut bucket = bucket(home.path());
    let piece = vec![0; 1024 * 1024];
    let most = limits::ATTACHED_BYTES_MAX / piece.len() as u64;
    for _ in 0..most {
        bucket.pour(&piece).await.unwrap();
    }
    assert_eq!(bucket.pour(b"x").await, Err(Enough));
    assert!(matches!(bucket.trouble(), Some(Trouble::TooLarge)));
    drop(bucket);
    assert!(names(home.path()).is_empty());
}

#[tokio::test]
async fn without_a_folder_a_short_text_is_read_all_the_same() {
    let bucket = poured(Bucket::new(None), b"some words").await;
    let content = bucket.content(None);
    assert_eq!(content.text.as_deref(), Some("some words"));
    assert!(content.kept.is_none());
}
