//! Files that go out: as what they are, once, and honestly where they cannot.

use std::path::{Path, PathBuf};

use angelia_core::id::DeliveryId;
use angelia_core::media::MediaId;
use angelia_core::media::enclosure::{Enclosure, Form};
use angelia_core::outbound::{Action, Reach, SendError};

use super::stage::{Other, Stage, Weather};

/// The smallest picture: one pixel.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// Files in a folder of their own, which goes with them.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, bytes: &[u8], form: Form) -> (Enclosure, PathBuf) {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        let ending = name.rsplit('.').next().unwrap_or_default();
        let file = Enclosure {
            id: MediaId::of(bytes),
            ending: ending.to_owned(),
            name: name.to_owned(),
            bytes: bytes.len() as u64,
            form,
        };
        (file, path)
    }

    fn picture(&self, name: &str) -> (Enclosure, PathBuf) {
        self.file(name, PNG, Form::Picture)
    }
}

fn sending(stage: &dyn Stage, files: Vec<(Enclosure, PathBuf)>) -> Action {
    Action::SendFiles {
        key: DeliveryId::from_bits(7),
        address: stage.address(),
        files,
        quotes: None,
    }
}

/// Byte for byte, in the form that was asked for.
pub async fn sends_files_as_what_they_are(stage: &dyn Stage, other: &dyn Other) {
    let (folder, adapter) = (Folder::new(), stage.adapter());
    let files = [
        folder.picture("a b.png"),
        folder.file("c.gif", b"GIF89a..", Form::Animation),
        folder.file("d.mp4", b"....ftypisom", Form::Video),
        folder.file("e.mp3", b"ID3...", Form::Audio),
        folder.file("f.ogg", b"OggS...", Form::Voice),
        folder.file("g.bin", &vec![7; 300_000], Form::File),
    ];
    let mut wanted = Vec::new();
    for (file, path) in files {
        wanted.push((file.form, std::fs::read(&path).expect("a file")));
        let sent = adapter.perform(sending(stage, vec![(file, path)])).await;
        assert!(sent.is_ok(), "{sent:?}");
    }
    assert_eq!(other.files(), wanted);
}

/// Several pictures are one message, in their order.
pub async fn sends_albums(stage: &dyn Stage, other: &dyn Other) {
    let (folder, adapter) = (Folder::new(), stage.adapter());
    let film = folder.file("film.mp4", b"....ftypisom", Form::Video);
    let album = vec![folder.picture("1.png"), film, folder.picture("2.png")];
    let sent = adapter.perform(sending(stage, album)).await;
    assert!(sent.is_ok(), "{sent:?}");
    let shown: Vec<Form> = other.files().into_iter().map(|(form, _)| form).collect();
    assert_eq!(shown, [Form::Picture, Form::Video, Form::Picture]);
}

/// What the platform does not take as a picture goes out as a file, once.
pub async fn sends_what_is_no_picture_as_a_file(stage: &dyn Stage, other: &dyn Other) {
    let (folder, adapter) = (Folder::new(), stage.adapter());
    let broken = folder.file("broken.png", b"no picture", Form::Picture);
    let sent = adapter.perform(sending(stage, vec![broken])).await;
    assert!(sent.is_ok(), "{sent:?}");
    assert_eq!(other.files(), [(Form::File, b"no picture".to_vec())]);
}

/// A file that is gone is refused alone; what may have been sent is in doubt.
pub async fn knows_what_became_of_a_file(stage: &dyn Stage, other: &dyn Other) {
    let (folder, adapter) = (Folder::new(), stage.adapter());
    let file = folder.file("x.bin", b"some bytes", Form::File);
    other.weather(Weather::AnswersLost);
    let lost = adapter.perform(sending(stage, vec![file.clone()])).await;
    assert!(matches!(lost, Err(SendError::Unknown { .. })), "{lost:?}");
    other.weather(Weather::Flood(3));
    let late = adapter.perform(sending(stage, vec![file.clone()])).await;
    assert!(matches!(late, Err(SendError::Later { .. })), "{late:?}");
    other.weather(Weather::Fair);
    let nowhere = (file.0, Path::new("/nowhere/x.bin").to_owned());
    let gone = adapter.perform(sending(stage, vec![nowhere])).await;
    let Err(SendError::Refused { reach, .. }) = gone else {
        panic!("a file that is gone is refused: {gone:?}");
    };
    assert_eq!(reach, Reach::Message);
}
