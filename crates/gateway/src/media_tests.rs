use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::time::Span;
use angelia_store::database::Database;

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03";

struct House {
    media: Media,
    folder: tempfile::TempDir,
    clock: Arc<AtomicI64>,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
        let hand = clock.clone();
        let now = move || Timestamp::from_ms(hand.load(Ordering::SeqCst));
        let store = Arc::new(Database::in_memory(Arc::new(now)).unwrap());
        let media = Media::new(Some(folder.path().join("media")), "nod_1", store);
        Self {
            media,
            folder,
            clock,
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("media")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// A look of the janitor, so long after everything was written that nothing is young.
    async fn look(&self, looks: u64) {
        let passed = limits::MEDIA_UNUSED;
        self.clock.fetch_add(passed.as_ms(), Ordering::SeqCst);
        let late = crate::env::system_now() + limits::MEDIA_UNUSED + Span::seconds(60);
        self.media.sweep(looks, late).await.unwrap();
    }
}

#[tokio::test]
async fn a_picture_is_kept_once_and_read_back_by_its_owner_alone() {
    let house = House::new();
    let one = house.media.keep(PNG.to_vec(), Some("a.png")).await.unwrap();
    let other = house.media.keep(PNG.to_vec(), Some("b.png")).await.unwrap();
    assert_eq!(one.id, other.id);
    assert_eq!(house.names().len(), 1);
    assert_eq!(house.media.read(&one).await.as_deref(), Some(PNG));
    let path = house.media.path(&one).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert!(path.extension().is_some_and(|ending| ending == "png"));
}

#[tokio::test]
async fn what_is_no_picture_leaves_nothing_behind() {
    let house = House::new();
    let refused = house.media.keep(b"hello".to_vec(), None).await;
    assert!(matches!(refused, Err(NotKept::Unfit(Unfit::Unknown))));
    assert!(!house.folder.path().join("media").exists());
}

#[tokio::test]
async fn what_nobody_names_goes_after_a_while_with_its_file() {
    let house = House::new();
    let picture = house.media.keep(PNG.to_vec(), None).await.unwrap();
    let now = crate::env::system_now();
    house.media.sweep(0, now).await.unwrap();
    assert_eq!(house.names().len(), 1, "it is young");
    house.look(1).await;
    assert!(house.names().is_empty());
    assert_eq!(house.media.read(&picture).await, None);
    house.media.keep(PNG.to_vec(), None).await.unwrap();
    assert_eq!(house.media.read(&picture).await.as_deref(), Some(PNG));
}

#[tokio::test]
async fn a_crash_between_file_and_row_leaves_nothing_for_long() {
    let house = House::new();
    let files = house.media.files.clone().unwrap();
    let picture = Picture::of(PNG, None).unwrap();
    let named = (picture.id, FileKind::Picture(picture.kind));
    files.write(named, PNG).unwrap();
    let folder = files.folder();
    std::fs::write(folder.join(".new-nod_0-7"), b"half").unwrap();
    std::fs::write(folder.join(".new-nod_1-7"), b"ours").unwrap();
    std::fs::write(folder.join("notes.txt"), b"somebody else's").unwrap();
    house
        .media
        .sweep(0, crate::env::system_now())
        .await
        .unwrap();
    assert_eq!(house.names().len(), 3, "a young file may get its row");
    house.look(60).await;
    assert_eq!(house.names(), [".new-nod_1-7", "notes.txt"]);
}

#[tokio::test]
async fn a_crash_while_a_file_is_set_aside_loses_nothing_that_has_a_row() {
    let house = House::new();
    let picture = house.media.keep(PNG.to_vec(), None).await.unwrap();
    let files = house.media.files.clone().unwrap();
    files.set_aside(picture.id).unwrap();
    assert_eq!(house.media.read(&picture).await.as_deref(), Some(PNG));
    house.media.remove(&files, vec![picture.id]).await.unwrap();
    assert!(house.media.path(&picture).unwrap().exists());
    assert_eq!(house.names().len(), 1);
}

#[tokio::test]
async fn what_was_changed_on_disk_is_not_shown() {
    let house = House::new();
    let picture = house.media.keep(PNG.to_vec(), None).await.unwrap();
    let path = house.media.path(&picture).unwrap();
    std::fs::write(path, b"something else").unwrap();
    assert_eq!(house.media.read(&picture).await, None);
}
