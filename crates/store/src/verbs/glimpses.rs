//! What nodes leave for each other to see of replies that grow.

use angelia_core::id::{NodeId, TurnId};
use angelia_core::limits;
use async_trait::async_trait;

use super::rows;
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Nothing, params};
use crate::glimpses::{Found, Glimpses, Left, Which};

/// Nobody waits for the disk because of a hint.
const LAZILY: &str = "SELECT set_config('synchronous_commit', 'off', true)";

#[async_trait]
impl Glimpses for Database {
    async fn leave_glimpses(
        &self,
        node: NodeId,
        left: Vec<Left>,
        over: Vec<TurnId>,
    ) -> Result<(), StoreError> {
        self.write(move |tx| {
            if tx.engine() == Engine::Postgres {
                tx.also(LAZILY, Nothing)?;
            }
            left.iter().try_for_each(|one| leave(tx, node, one))?;
            over.iter().try_for_each(|turn| forget(tx, node, *turn))
        })
        .await
    }

    async fn glimpses(&self, node: NodeId, which: Which) -> Result<Vec<Found>, StoreError> {
        self.read(move |tx| match &which {
            Which::All => all(tx, node),
            Which::Of(turns) => {
                let found = turns.iter().map(|turn| one(tx, node, *turn));
                let found: Result<Vec<Option<Found>>, Fault> = found.collect();
                Ok(found?.into_iter().flatten().collect())
            }
        })
        .await
    }

    async fn sweep_glimpses(&self) -> Result<(), StoreError> {
        self.write(|tx| {
            let sql = "DELETE FROM glimpses WHERE at <= ?1";
            tx.also(sql, params![oldest(tx)])
        })
        .await
    }
}

/// The last of the times at which something was left that is not believed any more.
fn oldest(tx: &Tx<'_>) -> i64 {
    (tx.now() - limits::GLIMPSE_TIME).ms()
}

fn leave(tx: &Tx<'_>, node: NodeId, left: &Left) -> Result<(), Fault> {
    let sql = "INSERT INTO glimpses (turn, node, at, body) SELECT ?1, ?2, ?3, ?4 \
               WHERE EXISTS (SELECT 1 FROM turns WHERE id = ?1 AND state = 'open' AND fence = ?5) \
               ON CONFLICT (turn) DO UPDATE SET node = excluded.node, at = excluded.at, body = excluded.body";
    let values = params![
        left.turn.to_string(),
        node.to_string(),
        tx.now().ms(),
        left.body,
        left.fence.0,
    ];
    tx.also(sql, values)
}

/// What another node left meanwhile is not this one's to take away.
fn forget(tx: &Tx<'_>, node: NodeId, turn: TurnId) -> Result<(), Fault> {
    let sql = "DELETE FROM glimpses WHERE turn = ?1 AND node = ?2";
    tx.also(sql, [turn.to_string(), node.to_string()])
}

fn all(tx: &Tx<'_>, node: NodeId) -> Result<Vec<Found>, Fault> {
    let sql = "SELECT g.turn, g.node, g.body FROM glimpses g JOIN turns t ON t.id = g.turn \
               WHERE g.node <> ?1 AND g.at > ?2 AND t.state = 'open' ORDER BY g.turn LIMIT ?3";
    let most = i64::try_from(limits::GLIMPSES_MAX).unwrap_or(i64::MAX);
    tx.all(sql, params![node.to_string(), oldest(tx), most], found)
}

fn one(tx: &Tx<'_>, node: NodeId, turn: TurnId) -> Result<Option<Found>, Fault> {
    let sql = "SELECT g.turn, g.node, g.body FROM glimpses g JOIN turns t ON t.id = g.turn \
               WHERE g.turn = ?3 AND g.node <> ?1 AND g.at > ?2 AND t.state = 'open'";
    let values = params![node.to_string(), oldest(tx), turn.to_string()];
    tx.one(sql, values, found)
}

fn found(row: &Row<'_>) -> Result<Found, Fault> {
    Ok(Found {
        turn: rows::parsed(row, 0)?,
        node: rows::parsed(row, 1)?,
        body: row.get(2)?,
    })
}
