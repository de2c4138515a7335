//! Pictures and files in the home: one file for each content, and rows that say which are there.
//!
//! ```text
//! keep:   bytes → what are they? → file beside its place, synced, renamed → row → is the file still there?
//! sweep:  rows that nobody needs → gone → files set aside → still no row? → gone
//! ```
//!
//! The file is durable before the row, and the row before any message that names the picture. A crash in
//! between leaves a file without a row, which the janitor removes when it is old. Somebody may bring a picture
//! again in the very moment in which it is removed, so its file is first set aside and comes back if it has a
//! row by then, and whoever brings it looks once more when the row is there. All of it may be done twice: the
//! same name is the same content.
//!
//! Which rows refer to a picture is the store's business, and what a picture is `core::media`'s.

mod files;
mod pail;
mod shared;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_agents::description::Describer;
use angelia_agents::pictures::Pictures;
use angelia_agents::speech::Speaker;
use angelia_agents::transcription::Transcriber;
use angelia_core::limits;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::policy::Policy;
use angelia_core::media::{MediaId, Picture, Unfit};
use angelia_core::time::Timestamp;
use angelia_store::media::Brought;
use angelia_store::{Store, StoreError};
use async_trait::async_trait;

pub use files::Files;
pub(crate) use pail::{Bucket, Content, Trouble};

/// How often the janitor looks for files without a row, counted in its looks.
const STRAYS_EVERY: u64 = 60;

/// The pictures of a gateway.
#[derive(Clone)]
pub struct Media {
    files: Option<Arc<Files>>,
    store: Arc<dyn Store>,
    exchange: Arc<Exchange>,
}

/// What the operator chose about files that come and go.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// What writes down what people say, if anything does.
    pub transcriber: Option<Transcriber>,
    /// What says what stickers show, if anything does.
    pub describer: Option<Describer>,
    /// What speaks answers, if anything does.
    pub speaker: Option<Speaker>,
    /// Which files agents may send.
    pub policy: Policy,
}

/// Why a picture is not kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// It is none that can be taken.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// There is no room.
    #[error(
        "there is no room for more pictures; delete conversations that are not needed any more"
    )]
    Full,
    /// This gateway keeps none.
    #[error("this gateway keeps no pictures")]
    Nowhere,
    /// The disk did not take it.
    #[error("the picture could not be written to the home directory: {0}")]
    Disk(std::io::Error),
    /// The rows cannot be reached.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Media {
    /// Pictures in this folder; without one, none are kept. `boot` tells our unfinished files from those of
    /// a gateway that died.
    pub(crate) fn new(folder: Option<PathBuf>, boot: &str, store: Arc<dyn Store>) -> Self {
        let files = folder.map(|folder| Arc::new(Files::new(folder, boot)));
        Self {
            files,
            store,
            exchange: Arc::default(),
        }
    }

    /// The same, with what the operator chose.
    pub(crate) fn exchanging(self, exchange: Exchange) -> Self {
        Self {
            exchange: Arc::new(exchange),
            ..self
        }
    }

    /// Which files agents may send.
    pub(crate) fn policy(&self) -> Policy {
        self.exchange.policy.clone()
    }

    /// Where a file lies that goes out.
    pub(crate) fn enclosed(&self, enclosure: &Enclosure) -> Option<PathBuf> {
        let files = self.files.as_ref()?;
        Some(files.named(enclosure.id, enclosure.kind()))
    }

    /// What writes down what is said, if anything does.
    pub(crate) fn transcriber(&self) -> Option<&Transcriber> {
        self.exchange.transcriber.as_ref()
    }

    /// What says what stickers show, if anything does.
    pub(crate) fn describer(&self) -> Option<&Describer> {
        self.exchange.describer.as_ref()
    }

    /// What speaks answers, if anything does.
    pub(crate) fn speaker(&self) -> Option<&Speaker> {
        self.exchange.speaker.as_ref()
    }

    /// Two files of nobody else's; they go when this does, or with those of a gateway that died.
    pub(crate) async fn scratch(&self) -> Option<(Scratch, Scratch)> {
        let files = self.files.clone()?;
        let made = apart(move || Ok((files.begin()?.1, files.begin()?.1))).await;
        let (one, other) = made.ok()?;
        Some((Scratch(one), Scratch(other)))
    }

    /// Keeps a picture. When this returns, it is durable, and stays for a while without anybody naming it.
    ///
    /// # Errors
    /// It is no picture, or cannot be kept now.
    pub async fn keep(&self, bytes: Vec<u8>, name: Option<&str>) -> Result<Picture, NotKept> {
        let files = self.files.clone().ok_or(NotKept::Nowhere)?;
        let picture = Picture::of(&bytes, name)?;
        let bytes: Arc<[u8]> = bytes.into();
        write(&files, &picture, &bytes).await?;
        let row = Picture {
            name: None,
            ..picture.clone()
        };
        match self.store.keep_media(row).await? {
            Brought::Kept => (),
            Brought::Full => return Err(NotKept::Full),
        }
        write(&files, &picture, &bytes).await?;
        self.store.keep_bytes(picture.id, bytes).await?;
        Ok(picture)
    }

    /// Something to catch a file in that comes piece by piece.
    pub(crate) fn bucket(&self) -> Bucket {
        Bucket::new(self.files.clone())
    }

    /// Keeps what was caught, as a picture if it can be one. When this returns, it is durable.
    ///
    /// # Errors
    /// It cannot be kept, or not now.
    pub(crate) async fn keep_caught(&self, bucket: Bucket) -> Result<Content, NotKept> {
        let Some(files) = self.files.clone() else {
            return Ok(bucket.content(None));
        };
        let (bucket, kept) = bucket.placed().await.map_err(NotKept::Disk)?;
        let brought = match bucket.picture.clone() {
            Some(picture) => self.store.keep_media(picture).await?,
            None => self.store.keep_file(kept).await?,
        };
        if brought == Brought::Full {
            return Err(NotKept::Full);
        }
        // Somebody may have swept it away before its row was there; then it has to be brought again.
        let there = move || std::fs::metadata(files.named(kept.id, kept.kind));
        apart(there).await.map_err(NotKept::Disk)?;
        self.share(&kept).await?;
        Ok(bucket.content(Some(kept)))
    }

    /// What is known of a picture that is kept.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub async fn find(&self, id: MediaId) -> Result<Option<Picture>, StoreError> {
        self.store.media(id).await
    }

    /// The bytes of a picture; nothing if it is not there any more, or not as it was. One that another node brought
    /// becomes a file here when it is first read.
    pub async fn read(&self, picture: &Picture) -> Option<Vec<u8>> {
        match self.read_file(picture).await {
            Some(bytes) => Some(bytes),
            None => {
                self.bring(picture.id, FileKind::Picture(picture.kind))
                    .await
            }
        }
    }

    async fn read_file(&self, picture: &Picture) -> Option<Vec<u8>> {
        let (files, wanted) = (self.files.clone()?, picture.clone());
        let read = apart(move || files.read(&wanted)).await;
        let read = read.inspect_err(|error| {
            tracing::warn!(picture = %picture.id, %error, "a picture cannot be read");
        });
        read.ok().flatten()
    }

    /// What a file is that is kept, and its bytes.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub async fn file(&self, id: MediaId) -> Result<Option<(FileKind, Vec<u8>)>, StoreError> {
        let known = self.store.kept_media(vec![id]).await?;
        let Some(files) = self.files.clone().filter(|_| known.contains(&id)) else {
            return Ok(None);
        };
        let read = apart(move || files.find(id)).await;
        let read = read.inspect_err(|error| {
            tracing::warn!(file = %id, %error, "a file cannot be read");
        });
        Ok(read.ok().flatten())
    }

    /// Where the picture's file is.
    pub fn path(&self, picture: &Picture) -> Option<PathBuf> {
        self.files.as_ref().map(|files| files.path(picture))
    }

    /// Where the file of a content is.
    pub(crate) fn place(&self, kept: &Kept) -> Option<PathBuf> {
        let files = self.files.as_ref()?;
        Some(files.named(kept.id, kept.kind))
    }

    /// The folder of all of them.
    pub fn folder(&self) -> Option<&Path> {
        self.files.as_ref().map(|files| files.folder())
    }

    /// The pictures, as agents reach them.
    pub(crate) fn gallery(&self) -> Arc<dyn Pictures> {
        Arc::new(Gallery(self.clone()))
    }

    /// Forgets what nobody needs. `looks` counts how often this was done before.
    pub(crate) async fn sweep(&self, looks: u64, now: Timestamp) -> Result<(), StoreError> {
        let Some(files) = self.files.clone() else {
            return Ok(());
        };
        let gone = self.store.forget_media(limits::MEDIA_SWEPT_AT_ONCE).await?;
        self.remove(&files, gone).await?;
        if looks.is_multiple_of(STRAYS_EVERY) {
            let looked = files.clone();
            let before = now - limits::MEDIA_UNUSED;
            let strays = apart(move || looked.older_than(before)).await;
            self.remove(&files, strays.unwrap_or_default()).await?;
        }
        Ok(())
    }

    /// Removes files, but for those that have a row.
    async fn remove(&self, files: &Arc<Files>, ids: Vec<MediaId>) -> Result<(), StoreError> {
        for some in ids.chunks(limits::MEDIA_SWEPT_AT_ONCE) {
            let known = self.store.kept_media(some.to_vec()).await?;
            let unknown = some.iter().filter(|id| !known.contains(id));
            let unknown: Vec<MediaId> = unknown.copied().collect();
            let (aside, setting) = (files.clone(), unknown.clone());
            noted(apart(move || setting.iter().try_for_each(|id| aside.set_aside(*id))).await);
            let known = self.store.kept_media(some.to_vec()).await?;
            let (files, some) = (files.clone(), some.to_vec());
            noted(
                apart(move || {
                    some.iter().try_for_each(|id| match known.contains(id) {
                        true => files.bring_back(*id),
                        false => files.remove(*id),
                    })
                })
                .await,
            );
        }
        Ok(())
    }
}

/// A file that is needed for a moment.
#[derive(Debug)]
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is removed with all others that nobody finished.
        let _gone = std::fs::remove_file(&self.0);
    }
}

/// What an agent sees of them.
#[derive(Debug)]
struct Gallery(Media);

#[async_trait]
impl Pictures for Gallery {
    async fn look(&self, picture: &Picture) -> Option<Vec<u8>> {
        self.0.read(picture).await
    }

    async fn keep(&self, bytes: Vec<u8>, name: Option<&str>) -> Result<Picture, String> {
        let kept = self.0.keep(bytes, name).await;
        kept.map_err(|why| match why {
            NotKept::Unfit(_) | NotKept::Full | NotKept::Nowhere => why.to_string(),
            NotKept::Disk(_) | NotKept::Store(_) => {
                tracing::warn!(%why, "a picture of a tool is not kept");
                "it cannot be kept now; try again later".to_owned()
            }
        })
    }

    fn file(&self, picture: &Picture) -> Option<PathBuf> {
        self.0.path(picture)
    }
}

/// Writes the file unless it is there.
async fn write(files: &Arc<Files>, picture: &Picture, bytes: &Arc<[u8]>) -> Result<(), NotKept> {
    let (files, bytes) = (files.clone(), bytes.clone());
    let named = (picture.id, FileKind::Picture(picture.kind));
    let written = apart(move || files.write(named, &bytes)).await;
    written.map_err(NotKept::Disk)
}

/// Files that could not be removed are found again by a later look.
fn noted(removed: std::io::Result<()>) {
    if let Err(error) = removed {
        tracing::warn!(%error, "pictures that nobody needs could not be removed; trying again later");
    }
}

/// Runs something that may wait for a disk beside the tasks that may not.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(std::io::Error::other("the work on the file broke down")))
}

impl std::fmt::Debug for Media {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Media({:?})", self.folder())
    }
}

#[cfg(test)]
#[path = "media_tests.rs"]
mod tests;
