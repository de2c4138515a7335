//! What stickers show, in words.

use angelia_core::address::Platform;
use angelia_core::limits;
use angelia_core::media::sticker::{Described, Sticker};
use async_trait::async_trait;

use super::hold;
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::stickers::Stickers;

/// What is held while there may be too many.
const STICKERS: &str = "stickers";

#[async_trait]
impl Stickers for Database {
    async fn sticker(&self, platform: Platform, id: &str) -> Result<Option<Described>, StoreError> {
        let id = id.to_owned();
        self.read(move |tx| {
            let sql = "SELECT sign, set_name, words FROM stickers WHERE platform = ?1 AND id = ?2";
            tx.one(sql, params![platform.name(), id], |row| {
                let (sign, set): (Option<String>, Option<String>) = (row.get(0)?, row.get(1)?);
                Ok(Described {
                    platform,
                    sticker: Sticker {
                        id: id.clone(),
                        set,
                    },
                    sign,
                    words: row.get(2)?,
                })
            })
        })
        .await
    }

    async fn keep_sticker(&self, described: Described) -> Result<(), StoreError> {
        self.write(move |tx| keep(tx, &described)).await
    }
}

fn keep(tx: &Tx<'_>, described: &Described) -> Result<(), Fault> {
    hold::named(tx, STICKERS)?;
    let Described {
        platform,
        sticker,
        sign,
        words,
    } = described;
    let sql = "INSERT INTO stickers (platform, id, sign, set_name, words, described_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
    let now = tx.now().ms();
    let values = params![platform.name(), sticker.id, sign, sticker.set, words, now];
    if tx.run(sql, values)? == 0 {
        return Ok(());
    }
    if tx.number("SELECT count(*) FROM stickers", Nothing)? > limits::STICKERS_MAX {
        let oldest = "DELETE FROM stickers WHERE seq = \
                      (SELECT seq FROM stickers ORDER BY described_at, seq LIMIT 1)";
        tx.also(oldest, Nothing)?;
    }
    Ok(())
}
