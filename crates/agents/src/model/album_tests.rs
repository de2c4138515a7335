use std::path::PathBuf;

use async_trait::async_trait;

use super::*;

/// Everything is there, and is its own id.
#[derive(Debug)]
struct All;

#[async_trait]
impl Pictures for All {
    async fn look(&self, picture: &Picture) -> Option<Vec<u8>> {
        Some(picture.id.to_string().into_bytes())
    }

    async fn keep(&self, _bytes: Vec<u8>, _name: Option<&str>) -> Result<Picture, String> {
        Err("nobody brings any".to_owned())
    }

    fn file(&self, _picture: &Picture) -> Option<PathBuf> {
        None
    }
}

fn picture(number: u8) -> Picture {
    Picture {
        id: MediaId::of(&[number]),
        kind: media::Kind::Png,
        bytes: 1_000,
        size: None,
        name: None,
    }
}

fn said(numbers: std::ops::Range<u8>) -> Entry {
    Entry {
        pictures: numbers.map(picture).collect(),
        ..Entry::new(Role::User, "look")
    }
}

#[tokio::test]
async fn of_many_pictures_the_newest_are_shown() {
    let rows = [said(0..10), said(10..20), said(20..21)];
    let album = Album::of(&rows, &All, Eyes::Open).await;
    let data = |number| album.data(&picture(number)).is_some();
    assert_eq!((data(9), data(10), data(20)), (false, true, true));
    let fewer = Album::of(&rows[..2], &All, Eyes::Open).await;
    assert!(fewer.data(&picture(0)).is_some());
}

#[tokio::test]
async fn who_cannot_see_is_shown_nothing() {
    let album = Album::of(&[said(0..1)], &All, Eyes::Shut).await;
    assert_eq!(album.data(&picture(0)), None);
    assert_eq!(unseen(&picture(0)), "[picture: PNG] (not shown to you)");
}
