//! The files of pictures and of what else came with messages: written whole or not at all, for their owner alone.
//!
//! A file bears the name of its content and its kind (`ba78….png`), so that programs that are shown its path
//! know what it is. One that is being written begins with a dot and names the boot that writes it; one that
//! is set aside ends in `.gone`. Whatever else lies in the folder is somebody else's and stays.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::{MediaId, Picture};
use angelia_core::time::Timestamp;

/// Behind the name of a file that is about to be removed.
const GONE: &str = ".gone";

/// Before the name of a file that is being written.
const NEW: &str = ".new-";

/// Names in the folder that one look reads.
const NAMES_MAX: usize = 100_000;

/// The folder of all of them.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    boot: String,
    written: AtomicU64,
}

impl Files {
    /// Those in this folder. `boot` tells our unfinished files from those of others.
    pub fn new(folder: PathBuf, boot: &str) -> Self {
        Self {
            folder,
            boot: boot.to_owned(),
            written: AtomicU64::new(0),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn path(&self, picture: &Picture) -> PathBuf {
        self.named(picture.id, FileKind::Picture(picture.kind))
    }

    pub(super) fn named(&self, id: MediaId, kind: FileKind) -> PathBuf {
        let id = id.to_string();
        let digits = id.trim_start_matches("med_");
        self.folder.join(format!("{digits}.{}", kind.ending()))
    }

    /// A file beside the others that is being written, for its owner alone.
    pub(super) fn begin(&self) -> io::Result<(File, PathBuf)> {
        let path = self.beside()?;
        Ok((new(&path)?, path))
    }

    /// Gives a file that was written whole its name. It is durable when this returns.
    pub(super) fn adopt(&self, beside: &Path, kept: &Kept) -> io::Result<PathBuf> {
        let path = self.named(kept.id, kept.kind);
        fs::rename(beside, &path)?;
        File::open(&self.folder)?.sync_all()?;
        Ok(path)
    }

    fn beside(&self) -> io::Result<PathBuf> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        Ok(self.folder.join(format!("{NEW}{}-{number}", self.boot)))
    }

    /// Writes the file, synced and under its name when this returns, unless it is there.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, (id, kind): (MediaId, FileKind), bytes: &[u8]) -> io::Result<()> {
        let path = self.named(id, kind);
        if fs::metadata(&path).is_ok_and(|about| about.len() == bytes.len() as u64) {
            return Ok(());
        }
        let beside = self.beside()?;
        let written = put(&beside, bytes).and_then(|()| fs::rename(&beside, &path));
        if written.is_err() {
            // What is left of it is removed with all others that nobody finished.
            let _left = fs::remove_file(&beside);
        }
        written?;
        File::open(&self.folder)?.sync_all()
    }

    /// The bytes of a picture, if they are what they were.
    pub(super) fn read(&self, picture: &Picture) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(picture);
        let bytes = match fs::read(&path) {
            // Somebody may be about to remove it, and to see that it is still needed.
            Err(error) if error.kind() == ErrorKind::NotFound => fs::read(aside(&path)),
            read => read,
        };
        match bytes {
            Ok(bytes) if MediaId::of(&bytes) == picture.id => Ok(Some(bytes)),
            Ok(_) => Err(io::Error::new(
                ErrorKind::InvalidData,
                "it is not what was written",
            )),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The file of a content, whatever it is, if it is there.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn find(&self, id: MediaId) -> io::Result<Option<(FileKind, Vec<u8>)>> {
        for kind in FileKind::ALL {
            match fs::read(self.named(id, kind)) {
                Ok(bytes) => return Ok(Some((kind, bytes))),
                Err(error) if error.kind() == ErrorKind::NotFound => (),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The pictures whose files were written before this moment. What a gateway that died did not finish is
    /// removed on the way.
    pub(super) fn older_than(&self, moment: Timestamp) -> io::Result<Vec<MediaId>> {
        let own = format!("{NEW}{}-", self.boot);
        let before = UNIX_EPOCH + Duration::from_millis(moment.ms().unsigned_abs());
        let mut found = Vec::new();
        for entry in self.entries()?.take(NAMES_MAX) {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(NEW) && !name.starts_with(&own) {
                fs::remove_file(entry.path())?;
                continue;
            }
            let is_old = entry.metadata()?.modified()? < before;
            found.extend(id(name).filter(|_| is_old));
        }
        Ok(found)
    }

    fn entries(&self) -> io::Result<Box<dyn Iterator<Item = io::Result<fs::DirEntry>>>> {
        match fs::read_dir(&self.folder) {
            Ok(entries) => Ok(Box::new(entries)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Box::new(std::iter::empty())),
            Err(error) => Err(error),
        }
    }

    /// Takes the picture's file out of sight.
    pub(super) fn set_aside(&self, id: MediaId) -> io::Result<()> {
        let move_aside = |path: PathBuf| found(fs::rename(&path, aside(&path)));
        self.paths(id).try_for_each(move_aside)
    }

    /// Puts the picture's file back where it was.
    pub(super) fn bring_back(&self, id: MediaId) -> io::Result<()> {
        let move_back = |path: PathBuf| found(fs::rename(aside(&path), &path));
        self.paths(id).try_for_each(move_back)
    }

    /// Removes a file that was set aside. One that came back meanwhile stays.
    pub(super) fn remove(&self, id: MediaId) -> io::Result<()> {
        let remove = |path: PathBuf| found(fs::remove_file(aside(&path)));
        self.paths(id).try_for_each(remove)
    }

    /// Where the file of a picture may be whose kind nobody knows any more.
    fn paths(&self, id: MediaId) -> impl Iterator<Item = PathBuf> {
        let kinds = FileKind::ALL.into_iter();
        kinds.map(move |kind| self.named(id, kind))
    }
}

/// The picture that a file of this name holds.
fn id(name: &str) -> Option<MediaId> {
    let name = name.strip_suffix(GONE).unwrap_or(name);
    let (digits, kind) = name.split_once('.')?;
    let is_ours = FileKind::ALL
        .into_iter()
        .any(|known| known.ending() == kind);
    format!("med_{digits}").parse().ok().filter(|_| is_ours)
}

fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(GONE);
    name.into()
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// What is not there need not be moved.
fn found(moved: io::Result<()>) -> io::Result<()> {
    match moved {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}
