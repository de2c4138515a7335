//! Files that several nodes share: what one of them keeps, the others find in the rows.
//!
//! The bytes go into the store after file and row, before anybody names them. A node makes a file of them when it first needs
//! one. Where nobody else shares the store, nothing of this happens.

use std::sync::Arc;

use angelia_core::media::enclosure::Enclosure;
use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::{MediaId, Picture};

use super::{Media, NotKept, apart};

impl Media {
    /// Gives other nodes what this one has.
    pub(super) async fn share(&self, kept: &Kept) -> Result<(), NotKept> {
        let Some(files) = self.files.clone().filter(|_| self.store.is_shared()) else {
            return Ok(());
        };
        let path = files.named(kept.id, kept.kind);
        let bytes = apart(move || std::fs::read(path)).await;
        let bytes = bytes.map_err(NotKept::Disk)?;
        Ok(self.store.keep_bytes(kept.id, bytes.into()).await?)
    }

    /// Makes a file of what another node shares with this one.
    pub(super) async fn bring(&self, id: MediaId, kind: FileKind) -> Option<Vec<u8>> {
        let files = self.files.clone()?;
        let found = self.store.media_bytes(id).await.ok().flatten();
        let bytes: Arc<[u8]> = found.filter(|bytes| MediaId::of(bytes) == id)?.into();
        let written = bytes.clone();
        if let Err(error) = apart(move || files.write((id, kind), &written)).await {
            tracing::warn!(file = %id, %error, "a file of another node cannot be written here");
        }
        Some(bytes.to_vec())
    }

    /// Has the files of these pictures on this node, as far as they can be had.
    pub(crate) async fn have(&self, pictures: &[Picture]) {
        for picture in pictures {
            self.have_one(picture.id, FileKind::Picture(picture.kind))
                .await;
        }
    }

    /// Has these files on this node, as far as they can be had.
    pub(crate) async fn have_enclosed(&self, enclosed: &[Enclosure]) {
        for one in enclosed {
            self.have_one(one.id, one.kind()).await;
        }
    }

    async fn have_one(&self, id: MediaId, kind: FileKind) {
        let path = self.files.as_ref().map(|files| files.named(id, kind));
        if self.store.is_shared() && path.is_some_and(|path| !path.exists()) {
            self.bring(id, kind).await;
        }
    }
}
