//! Restarts that people wish for.

use angelia_core::address::{AccountId, Address};
use angelia_core::id::{DeliveryId, NodeId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use async_trait::async_trait;

use super::outbox::{self, Told};
use super::rows;
use super::turns::{Open, messages, owned};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::restarts::{NewWish, Restarts, Wished};
use crate::{Fenced, StoreError};

/// Whether the message `i` of a wish was answered: by its own turn, which is over, or beside another's, which took it
/// along with the answer.
const IS_ANSWERED: &str = "(r.inbox IS NULL OR i.state = 'done' OR (i.state = 'taken' AND NOT EXISTS \
     (SELECT 1 FROM turns t WHERE t.seq = i.turn AND json_extract(t.batch, '$[0]') = i.id)))";

#[async_trait]
impl Restarts for Database {
    async fn wish_restart(&self, wish: NewWish) -> Result<Wished, StoreError> {
        self.write(move |tx| wish_restart(tx, &wish)).await
    }

    async fn restart_wished(&self, node: NodeId) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |tx| {
            let sql = format!(
                "SELECT r.asked_at FROM restarts r LEFT JOIN inbox i ON i.id = r.inbox \
                 WHERE r.ended_at IS NULL AND r.node = ?1 AND {IS_ANSWERED} ORDER BY r.seq LIMIT 1"
            );
            tx.one(&sql, [node.to_string()], |row| rows::time(row, 0))
        })
        .await
    }

    async fn call_off_restart(
        &self,
        node: NodeId,
        why: &str,
    ) -> Result<Vec<AccountId>, StoreError> {
        let why = why.to_owned();
        self.write(move |tx| end(tx, "r.node = ?1", node, &why))
            .await
    }

    async fn come_back(&self, node: NodeId, text: &str) -> Result<Vec<AccountId>, StoreError> {
        let text = text.to_owned();
        let earlier = "r.node <> ?1 AND r.home = (SELECT home FROM nodes WHERE id = ?1)";
        self.write(move |tx| end(tx, earlier, node, &text)).await
    }

    async fn tell_going(
        &self,
        turn: TurnId,
        fence: Fence,
        node: NodeId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => tell_going(tx, &open, node, &notice).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }
}

fn wish_restart(tx: &Tx<'_>, wish: &NewWish) -> Result<Wished, Fault> {
    let (node, inbox) = (
        wish.node.to_string(),
        wish.said.as_ref().map(|(inbox, _)| inbox.to_string()),
    );
    let before = "SELECT node, ended_at IS NOT NULL FROM restarts WHERE inbox = ?1 /* hold */";
    let before = tx.one(before, [&inbox], |row| {
        Ok((row.get::<String>(0)?, row.get::<bool>(1)?))
    })?;
    match before {
        None => {
            let address = wish.said.as_ref().map(|(_, address)| rows::json(address));
            tx.insert(
                "INSERT INTO restarts (node, home, inbox, address, delivery, asked_at) \
                 VALUES (?1, (SELECT home FROM nodes WHERE id = ?1), ?2, ?3, ?4, ?5)",
                params![
                    node,
                    inbox,
                    address.transpose()?,
                    wish.delivery.to_string(),
                    tx.now().ms()
                ],
            )?;
            Ok(Wished::Open)
        }
        Some((of, false)) if of == node => Ok(Wished::Open),
        Some((_, true)) => Ok(Wished::Fulfilled),
        Some((_, false)) => {
            let over = "UPDATE restarts SET ended_at = ?2 WHERE inbox = ?1";
            tx.also(over, params![inbox, tx.now().ms()])?;
            Ok(Wished::Fulfilled)
        }
    }
}

/// A wish that is over.
struct Over {
    seq: i64,
    delivery: DeliveryId,
    /// Where somebody was told that it begins.
    told_at: Option<Address>,
}

/// Ends open wishes, and tells what became of them where they were answered.
fn end(tx: &Tx<'_>, which: &str, node: NodeId, text: &str) -> Result<Vec<AccountId>, Fault> {
    let sql = format!(
        "SELECT r.seq, r.delivery, CASE WHEN {IS_ANSWERED} THEN r.address END FROM restarts r \
         LEFT JOIN inbox i ON i.id = r.inbox WHERE r.ended_at IS NULL AND {which} ORDER BY r.seq /* hold r */"
    );
    let over = tx.all(&sql, [node.to_string()], |row| {
        Ok(Over {
            seq: row.get(0)?,
            delivery: rows::parsed(row, 1)?,
            told_at: rows::json_maybe(row, 2)?,
        })
    })?;
    let mut accounts = Vec::new();
    for one in over {
        let ended = "UPDATE restarts SET ended_at = ?2 WHERE seq = ?1";
        tx.also(ended, params![one.seq, tx.now().ms()])?;
        if let Some(to) = one.told_at {
            outbox::tell(tx, &to, Told::Back, (one.delivery, text))?;
            accounts.push(to.account);
        }
    }
    Ok(accounts)
}

fn tell_going(
    tx: &Tx<'_>,
    open: &Open,
    node: NodeId,
    (notice, text): &(DeliveryId, String),
) -> Result<(), Fault> {
    let batch = messages(tx, &open.batch)?;
    let Some(last) = batch.last() else {
        return Ok(());
    };
    let to = &last.waiting.inbound.address;
    let told = tx.number(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE told = 'going' AND account = ?1 AND chat = ?2 \
         AND thread IS NOT DISTINCT FROM ?3 AND boot = ?4)",
        params![to.account.0, to.chat.id, to.thread, node.to_string()],
    )?;
    match told {
        0 => outbox::say_going(tx, open, to, (node, (*notice, text))),
        _ => Ok(()),
    }
}
