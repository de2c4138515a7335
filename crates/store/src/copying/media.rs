//! The bytes of pictures and files: files of a home where there is one home, rows where several share a server.
//!
//! Files are the business of whoever has their folder; here is what of them is rows. A file bears the name of its
//! content, so bytes are right if they have the hash that they are known by.

use std::ops::ControlFlow;

use angelia_core::limits;
use angelia_core::media::MediaId;

use super::check::How;
use super::{CopyError, Copying, Difference, Place};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::value::{Nothing, params};

/// What becomes of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Files of the home become rows.
    FilesToRows,
    /// Rows become files of the home.
    RowsToFiles,
    /// They are rows here and there, and copied like all others.
    RowsToRows,
    /// They are files here and there, and stay where they are.
    Files,
}

impl Way {
    /// What becomes of them between these.
    pub(super) fn between(from: &Place, to: &Place) -> Self {
        match (from, to) {
            (Place::Sqlite(_), Place::Postgres(_)) => Self::FilesToRows,
            (Place::Postgres(_), Place::Sqlite(_)) => Self::RowsToFiles,
            (Place::Postgres(_), Place::Postgres(_)) => Self::RowsToRows,
            (Place::Sqlite(_), Place::Sqlite(_)) => Self::Files,
        }
    }
}

/// A picture or file that is known, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its number.
    pub number: i64,
    /// What it is known by.
    pub id: MediaId,
}

const UNSHARED: &str = "SELECT m.seq, m.id FROM media m WHERE m.seq > ?1 \
                        AND NOT EXISTS (SELECT 1 FROM media_bytes b WHERE b.media = m.seq) \
                        ORDER BY m.seq LIMIT ?2";

const KNOWN: &str = "SELECT seq, id FROM media WHERE seq > ?1 ORDER BY seq LIMIT ?2";

impl Copying {
    /// What becomes of the bytes of pictures and files.
    pub fn way(&self) -> Way {
        self.way
    }

    /// The next pictures and files behind this number whose bytes the copy does not have as rows.
    ///
    /// # Errors
    /// The target cannot be read.
    pub fn unshared(&self, after: i64) -> Result<Vec<Known>, CopyError> {
        self.listed(UNSHARED, after)
    }

    /// The next pictures and files behind this number.
    ///
    /// # Errors
    /// The target cannot be read.
    pub fn known(&self, after: i64) -> Result<Vec<Known>, CopyError> {
        self.listed(KNOWN, after)
    }

    fn listed(&self, sql: &str, after: i64) -> Result<Vec<Known>, CopyError> {
        let many = limits::COPY_FILES_AT_ONCE as i64;
        Ok(self
            .target
            .read(|tx| tx.all(sql, params![after, many], known))?)
    }

    /// Writes the bytes of one into the copy.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn put_bytes(&self, known: Known, bytes: &[u8]) -> Result<(), CopyError> {
        let sql = "INSERT INTO media_bytes (media, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let put = self
            .target
            .write(|tx| tx.run(sql, params![known.number, bytes]).map(drop));
        Ok(put?)
    }

    /// The bytes of one, if the source has them as a row and they are what they were.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn bytes(&self, known: Known) -> Result<Option<Vec<u8>>, CopyError> {
        let sql = "SELECT bytes FROM media_bytes WHERE media = ?1";
        let found: Option<Vec<u8>> = self
            .source
            .read(|tx| tx.one(sql, [known.number], |row| row.get(0)))?;
        Ok(found.filter(|bytes| MediaId::of(bytes) == known.id))
    }
}

fn known(row: &Row<'_>) -> Result<Known, Fault> {
    let id: String = row.get(1)?;
    Ok(Known {
        number: row.get(0)?,
        id: parsed(&id)?,
    })
}

fn parsed(id: &str) -> Result<MediaId, Fault> {
    id.parse()
        .map_err(|error| Fault::Undecodable(format!("{error}: {id}")))
}

/// Whether the bytes that became rows are those of the files.
pub(super) fn check(copying: &Copying) -> Result<(), CopyError> {
    if copying.way != Way::FilesToRows {
        return Ok(());
    }
    let sql = "SELECT m.seq, m.id, b.bytes FROM media_bytes b JOIN media m ON m.seq = b.media ORDER BY m.seq";
    let mut spoilt = None;
    copying.target.read(|tx| {
        tx.stream(sql, Nothing, |row| {
            let known = known(row)?;
            let bytes: Vec<u8> = row.get(2)?;
            if MediaId::of(&bytes) == known.id {
                return Ok(ControlFlow::Continue(()));
            }
            spoilt = Some(known.number);
            Ok(ControlFlow::Break(()))
        })
    })?;
    spoilt.map_or(Ok(()), |number| {
        let difference = Difference {
            from: copying.source.place.clone(),
            table: super::shape::MEDIA_BYTES.to_owned(),
            key: format!("media = {number}"),
            how: How::Otherwise("bytes".to_owned()),
        };
        Err(difference.into())
    })
}
