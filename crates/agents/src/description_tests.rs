use std::path::PathBuf;

use angelia_core::media::{Kind, MediaId};
use async_trait::async_trait;

use super::*;
use crate::pictures::NoPictures;
use crate::spending::Unlimited;

/// One picture, with its file in a folder.
#[derive(Debug)]
struct One(PathBuf);

#[async_trait]
impl Pictures for One {
    async fn look(&self, _picture: &Picture) -> Option<Vec<u8>> {
        std::fs::read(&self.0).ok()
    }

    async fn keep(&self, _bytes: Vec<u8>, _name: Option<&str>) -> Result<Picture, String> {
        Err("nothing is brought here".to_owned())
    }

    fn file(&self, _picture: &Picture) -> Option<PathBuf> {
        Some(self.0.clone())
    }
}

fn picture() -> Picture {
    Picture {
        id: MediaId::of(b"cat"),
        kind: Kind::Webp,
        bytes: 3,
        size: None,
        name: None,
    }
}

async fn described(words: &[&str], time: Span) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it's a cat.webp");
    std::fs::write(&file, "a cat\nwaves\n").unwrap();
    let describer = Describer {
        by: By::Command(words.iter().map(|word| (*word).to_owned()).collect()),
        time,
    };
    describer.describe(&picture(), &One(file), &Unlimited).await
}

#[tokio::test]
async fn what_a_command_prints_about_the_file_is_one_line() {
    let seen = described(&["cat", FILE], Span::seconds(10)).await;
    assert_eq!(seen, Ok("a cat waves".to_owned()));
}

#[tokio::test]
async fn a_command_that_fails_is_late_or_says_nothing_is_said_so() {
    let soon = Span::seconds(10);
    let failed = described(&["false"], soon).await.unwrap_err();
    assert!(
        failed.contains("describes stickers ended with 1"),
        "{failed}"
    );
    assert!(described(&["true"], soon).await.is_err());
    let late = described(&["sleep", "60"], Span::ms(100))
        .await
        .unwrap_err();
    assert!(late.contains("in time"), "{late}");
}

#[tokio::test]
async fn a_picture_without_a_file_is_shown_to_no_command() {
    let describer = Describer {
        by: By::Command(vec!["cat".to_owned(), FILE.to_owned()]),
        time: Span::seconds(10),
    };
    let unseen = describer
        .describe(&picture(), &NoPictures, &Unlimited)
        .await;
    assert!(unseen.unwrap_err().contains("not kept here"));
}
