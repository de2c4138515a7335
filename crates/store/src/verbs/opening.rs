//! A message once more, as it is after everything that came with it was opened.
//!
//! The row stays the message's: its number, its place in the queue and what recognises it are as they were. Only
//! the turn that answers it writes it, before its agent reads it, so whoever reads it again reads the same.

use angelia_core::media::MediaId;

use super::turns::Open;
use super::{long, media, rows};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::media::Opened;

/// What is written; made by the caller, not by the one thread that writes.
pub(super) struct Written {
    opened: Opened,
    body: String,
    media: Vec<MediaId>,
}

impl Written {
    pub(super) fn of(mut opened: Opened) -> Result<Self, Fault> {
        let body = long::body(&mut opened.inbound)?;
        let pictures = opened.inbound.media();
        let media = pictures.chain(opened.files.iter().copied()).collect();
        Ok(Self {
            opened,
            body,
            media,
        })
    }
}

/// Writes a message of the turn anew. One that is not the turn's stays as it is.
pub(super) fn write(tx: &Tx<'_>, open: &Open, written: &Written) -> Result<(), Fault> {
    let Opened { inbox, inbound, .. } = &written.opened;
    if !open.batch.contains(inbox) {
        return Ok(());
    }
    let inbox = inbox.to_string();
    for sql in [
        "DELETE FROM long_bodies WHERE inbox = (SELECT seq FROM inbox WHERE id = ?1)",
        "DELETE FROM long_texts WHERE message = (SELECT seq FROM inbox WHERE id = ?1)",
    ] {
        tx.also(sql, [&inbox])?;
    }
    let is_short = written.body.len() <= rows::SHORT_BODY_BYTES;
    tx.also(
        "UPDATE inbox SET body = ?2 WHERE id = ?1",
        params![inbox, Some(&written.body).filter(|_| is_short)],
    )?;
    if !is_short {
        let apart = "INSERT INTO long_bodies (inbox, body) SELECT seq, ?2 FROM inbox WHERE id = ?1";
        tx.also(apart, params![inbox, written.body])?;
    }
    if let Some(words) = long::words(inbound) {
        long::keep(tx, &inbox, words)?;
    }
    media::refer(tx, open.session, &written.media)
}
