//! Pictures and other files, and who refers to them.
//!
//! A conversation refers to a picture once, however often it stands in its rows, and until it is deleted:
//! rows are hidden and summarised, never changed. So there is nothing to count, and no count that could be
//! wrong after a crash.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::media::file::Kept;
use angelia_core::media::retention::{Unused, to_forget};
use angelia_core::media::{Kind, MediaId, Picture, Size};
use async_trait::async_trait;

use super::turns::owned;
use super::{hold, opening, rows};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::media::{Brought, Media, Opened};
use crate::{Fenced, StoreError};

/// The kind of what is no picture, as it is stored: what else it is, its file says.
const FILE: &str = "file";

/// What is held while the room that all pictures take is looked at.
const MEDIA: &str = "media";

#[async_trait]
impl Media for Database {
    async fn keep_media(&self, picture: Picture) -> Result<Brought, StoreError> {
        self.write(move |tx| {
            let kind = picture.kind.media_type();
            bring(tx, (picture.id, kind, picture.bytes), picture.size)
        })
        .await
    }

    async fn keep_file(&self, file: Kept) -> Result<Brought, StoreError> {
        self.write(move |tx| bring(tx, (file.id, FILE, file.bytes), None))
            .await
    }

    async fn keep_bytes(&self, id: MediaId, bytes: Arc<[u8]>) -> Result<(), StoreError> {
        if self.server().is_none() {
            return Ok(());
        }
        self.write(move |tx| {
            let sql = "INSERT INTO media_bytes (media, bytes) SELECT seq, ?2 FROM media WHERE id = ?1 \
                       ON CONFLICT DO NOTHING";
            tx.also(sql, params![id.to_string(), &*bytes])
        })
        .await
    }

    async fn media_bytes(&self, id: MediaId) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(move |tx| {
            let sql =
                "SELECT b.bytes FROM media_bytes b JOIN media m ON m.seq = b.media WHERE m.id = ?1";
            tx.one(sql, [id.to_string()], |row| row.get(0))
        })
        .await
    }

    async fn media(&self, id: MediaId) -> Result<Option<Picture>, StoreError> {
        self.read(move |tx| {
            let sql = "SELECT kind, bytes, width, height FROM media WHERE id = ?1";
            let found = tx.one(sql, [id.to_string()], |row| picture(id, row))?;
            Ok(found.flatten())
        })
        .await
    }

    async fn kept_media(&self, ids: Vec<MediaId>) -> Result<BTreeSet<MediaId>, StoreError> {
        self.read(move |tx| {
            let mut kept = BTreeSet::new();
            for id in &ids {
                if is_kept(tx, *id)? {
                    kept.insert(*id);
                }
            }
            Ok(kept)
        })
        .await
    }

    async fn open_message(
        &self,
        turn: TurnId,
        fence: Fence,
        opened: Opened,
    ) -> Result<Fenced<()>, StoreError> {
        let written = opening::Written::of(opened).map_err(|fault| fault.said(&self.place))?;
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => opening::write(tx, &open, &written).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn forget_media(&self, limit: usize) -> Result<Vec<MediaId>, StoreError> {
        self.write(move |tx| forget(tx, limit)).await
    }
}

fn bring(
    tx: &Tx<'_>,
    (id, kind, bytes): (MediaId, &str, u64),
    size: Option<Size>,
) -> Result<Brought, Fault> {
    hold::named(tx, MEDIA)?;
    let id = id.to_string();
    let now = tx.now().ms();
    let again = "UPDATE media SET kept_at = ?2 WHERE id = ?1";
    if tx.run(again, params![id, now])? > 0 {
        return Ok(Brought::Kept);
    }
    if total(tx)? + bytes > limits::MEDIA_BYTES_MAX {
        return Ok(Brought::Full);
    }
    tx.also(
        "INSERT INTO media (id, kind, bytes, width, height, kept_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            id,
            kind,
            i64::try_from(bytes).unwrap_or(i64::MAX),
            size.map(|size| size.width),
            size.map(|size| size.height),
            now,
        ],
    )?;
    Ok(Brought::Kept)
}

fn total(tx: &Tx<'_>) -> Result<u64, Fault> {
    let bytes = tx.number(
        "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM media",
        Nothing,
    )?;
    Ok(bytes.unsigned_abs())
}

/// The picture that a row is about; nothing if that is another file.
fn picture(id: MediaId, row: &Row<'_>) -> Result<Option<Picture>, Fault> {
    let kind: String = row.get(0)?;
    let Some(kind) = Kind::named(&kind) else {
        return Ok(None);
    };
    let (width, height): (Option<u32>, Option<u32>) = (row.get(2)?, row.get(3)?);
    Ok(Some(Picture {
        id,
        kind,
        bytes: row.get::<i64>(1)?.unsigned_abs(),
        size: width
            .zip(height)
            .map(|(width, height)| Size { width, height }),
        name: None,
    }))
}

/// Whether it is kept; it stays so until the verb ends.
fn is_kept(tx: &Tx<'_>, id: MediaId) -> Result<bool, Fault> {
    let sql = "SELECT seq FROM media WHERE id = ?1 /* keep */";
    let found = tx.one(sql, [id.to_string()], |row| row.get::<i64>(0))?;
    Ok(found.is_some())
}

/// Whether all of these are kept.
pub(super) fn are_kept(tx: &Tx<'_>, ids: &[MediaId]) -> Result<bool, Fault> {
    for id in ids {
        if !is_kept(tx, *id)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Notes that the conversation refers to these.
pub(super) fn refer(tx: &Tx<'_>, session: i64, ids: &[MediaId]) -> Result<(), Fault> {
    for id in ids {
        let sql = "INSERT INTO media_uses (session, media) SELECT ?1, seq FROM media WHERE id = ?2 \
                   ON CONFLICT DO NOTHING";
        tx.also(sql, params![session, id.to_string()])?;
    }
    Ok(())
}

/// What the one conversation refers to may stand in the other from now on.
pub(super) fn go_along(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    let sql = "INSERT INTO media_uses (session, media) SELECT ?2, media FROM media_uses \
               WHERE session = ?1 ON CONFLICT DO NOTHING";
    tx.also(sql, [from, to])
}

/// The conversation is deleted. What nobody else refers to was meant to go with it, so it does not wait.
pub(super) fn erase(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    for sql in [
        "UPDATE media SET kept_at = 0 WHERE seq IN (SELECT media FROM media_uses WHERE session = ?1)",
        "DELETE FROM media_uses WHERE session = ?1",
    ] {
        tx.also(sql, [session])?;
    }
    Ok(())
}

fn forget(tx: &Tx<'_>, limit: usize) -> Result<Vec<MediaId>, Fault> {
    hold::named(tx, MEDIA)?;
    let found = tx.all(
        "SELECT m.id, m.kept_at, m.bytes FROM media m \
         WHERE NOT EXISTS (SELECT 1 FROM media_uses u WHERE u.media = m.seq) \
         ORDER BY m.kept_at, m.seq LIMIT ?1",
        [i64::try_from(limit).unwrap_or(i64::MAX)],
        |row| {
            let unused = Unused {
                kept_at: rows::time(row, 1)?,
                bytes: row.get::<i64>(2)?.unsigned_abs(),
            };
            Ok((rows::parsed::<MediaId>(row, 0)?, unused))
        },
    )?;
    let (mut ids, unused): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    ids.truncate(to_forget(&unused, total(tx)?, tx.now()));
    for id in &ids {
        let bytes = "DELETE FROM media_bytes WHERE media = (SELECT seq FROM media WHERE id = ?1)";
        tx.also(bytes, [id.to_string()])?;
        tx.also("DELETE FROM media WHERE id = ?1", [id.to_string()])?;
    }
    Ok(ids)
}
