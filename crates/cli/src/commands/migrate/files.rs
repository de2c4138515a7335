//! Pictures and files: from the home into rows, or from rows into the home.
//!
//! A file is what it is known by if it has that hash, so what is there already and right is left alone, and another run
//! goes on by looking.

use std::io;

use angelia_core::media::MediaId;
use angelia_core::media::file::FileKind;
use angelia_gateway::media::Files;
use angelia_store::copying::{CopyError, Copying, Known, Way};

use super::failure;
use crate::errors::Failure;

/// Ids of missing files that are told one by one.
const MISSING_TOLD: usize = 10;

/// What became of them.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// How many were copied by this run.
    pub(super) copied: u64,
    /// How many are in neither place. Rows speak of them all the same.
    pub(super) missing: u64,
    /// The first of those.
    pub(super) named: Vec<MediaId>,
}

impl Brought {
    fn miss(&mut self, id: MediaId) {
        self.missing += 1;
        if self.named.len() < MISSING_TOLD {
            self.named.push(id);
        }
    }
}

/// Brings them to where the copy has them.
pub(super) fn bring(copying: &Copying, files: &Files) -> Result<Brought, Failure> {
    match copying.way() {
        Way::FilesToRows => each(
            |after| copying.unshared(after),
            |known| match found(files, known.id)? {
                Some(bytes) => put(copying, known, &bytes).map(|()| Fate::Copied),
                None => Ok(Fate::Missing),
            },
        ),
        Way::RowsToFiles => each(
            |after| copying.known(after),
            |known| match found(files, known.id)? {
                Some(_) => Ok(Fate::There),
                None => written(copying, files, known),
            },
        ),
        Way::RowsToRows | Way::Files => Ok(Brought::default()),
    }
}

/// What became of one.
enum Fate {
    Copied,
    There,
    Missing,
}

fn each(
    next: impl Fn(i64) -> Result<Vec<Known>, CopyError>,
    mut bring: impl FnMut(Known) -> Result<Fate, Failure>,
) -> Result<Brought, Failure> {
    let (mut brought, mut after) = (Brought::default(), i64::MIN);
    loop {
        let some = next(after).map_err(|error| failure(&error))?;
        let Some(last) = some.last() else {
            return Ok(brought);
        };
        after = last.number;
        for known in some {
            match bring(known)? {
                Fate::Copied => brought.copied += 1,
                Fate::There => (),
                Fate::Missing => brought.miss(known.id),
            }
        }
    }
}

fn put(copying: &Copying, known: Known, bytes: &[u8]) -> Result<(), Failure> {
    let put = copying.put_bytes(known, bytes);
    put.map_err(|error| failure(&error))
}

/// Makes a file of a row, and reads it once more.
fn written(copying: &Copying, files: &Files, known: Known) -> Result<Fate, Failure> {
    let bytes = copying.bytes(known).map_err(|error| failure(&error))?;
    let Some(bytes) = bytes else {
        return Ok(Fate::Missing);
    };
    let kind = FileKind::of(&bytes);
    let put = files.write((known.id, kind), &bytes);
    put.map_err(|error| unusable(known.id, &error))?;
    match found(files, known.id)? {
        Some(_) => Ok(Fate::Copied),
        None => Err(Failure::new(format!(
            "the file of {} in the home is not what was written",
            known.id
        ))
        .hint("move it away, look at the disk, and run this again")),
    }
}

/// The bytes of a file of the home, if they are what they were.
fn found(files: &Files, id: MediaId) -> Result<Option<Vec<u8>>, Failure> {
    let found = files.find(id).map_err(|error| unusable(id, &error))?;
    let bytes = found.map(|(_, bytes)| bytes);
    Ok(bytes.filter(|bytes| MediaId::of(bytes) == id))
}

fn unusable(id: MediaId, error: &io::Error) -> Failure {
    let what = format!("the file of {id} in the home cannot be used: {error}");
    Failure::new(what).hint("mend its rights or make room, and run this again: it goes on there")
}
