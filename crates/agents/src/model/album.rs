//! The pictures that a model is shown with one request.
//!
//! Rows name pictures; here are those of them whose bytes go along, as both wires have them: text. What is not
//! here is told in words in its place: an old one of a conversation with many, one that is not kept any more,
//! and all of them for a model that cannot see. The same rows have the same pictures until there are ten more,
//! so that a server can reuse what it has read.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::media::{self, MediaId, Picture, base64};
use angelia_core::transcript::entry::{Entry, Role};

use crate::pictures::Pictures;

/// Whether a model can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eyes {
    /// It is shown pictures.
    #[default]
    Open,
    /// It is told in words that there are some.
    Shut,
}

/// Pictures as text.
#[derive(Debug, Clone, Default)]
pub(super) struct Album(BTreeMap<MediaId, String>);

impl Album {
    /// The pictures of these rows for a model with these eyes, but for the oldest of many.
    pub(super) async fn of(rows: &[Entry], pictures: &dyn Pictures, eyes: Eyes) -> Self {
        if eyes == Eyes::Shut {
            return Self::default();
        }
        let all: Vec<&Picture> = rows.iter().flat_map(|row| &row.pictures).collect();
        let last = rows.iter().rev().find(|row| row.role == Role::User);
        let newest = last.map_or(0, |row| newest(rows, row));
        let bytes: Vec<u64> = all.iter().map(|picture| picture.bytes).collect();
        let shown = &all[media::left_out(&bytes, newest)..];
        let mut album = BTreeMap::new();
        for picture in shown {
            if album.contains_key(&picture.id) {
                continue;
            }
            if let Some(bytes) = pictures.look(picture).await {
                album.insert(picture.id, base64::encode(&bytes));
            }
        }
        Self(album)
    }

    /// The picture as text, if it is shown.
    pub(super) fn data(&self, picture: &Picture) -> Option<&str> {
        self.0.get(&picture.id).map(String::as_str)
    }
}

/// How many pictures came with the last message of a person and after it.
fn newest(rows: &[Entry], last: &Entry) -> usize {
    let behind = rows
        .iter()
        .rev()
        .take_while(|row| !std::ptr::eq(*row, last));
    last.pictures.len() + behind.map(|row| row.pictures.len()).sum::<usize>()
}

/// What a model is told of a picture that it is not shown.
pub(super) fn unseen(picture: &Picture) -> String {
    format!("{} (not shown to you)", picture.note())
}

/// Pictures of a row, each once.
pub(super) fn once(row: &Entry) -> impl Iterator<Item = &Picture> {
    let mut seen = BTreeSet::new();
    row.pictures
        .iter()
        .filter(move |picture| seen.insert(picture.id))
}

#[cfg(test)]
#[path = "album_tests.rs"]
mod tests;
