//! Other nodes: which live, when their leases end, and what they tell each other.

use angelia_core::id::NodeId;
use angelia_core::limits;
use angelia_core::time::{Span, Timestamp};
use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Nothing, params};
use crate::neighbours::{Heard, Neighbours};
use crate::postgres::bells;

#[async_trait]
impl Neighbours for Database {
    async fn neighbours(&self, node: NodeId) -> Result<usize, StoreError> {
        let sql = "SELECT count(DISTINCT home) FROM nodes WHERE stopped_at IS NULL AND seen_at > ?2 \
                   AND home <> (SELECT home FROM nodes WHERE id = ?1)";
        let count = self.read(move |tx| {
            let since = tx.now() - limits::LEASE_TIME;
            tx.number(sql, params![node.to_string(), since.ms()])
        });
        Ok(usize::try_from(count.await?).unwrap_or(0))
    }

    async fn lease_left(&self, name: &str) -> Result<Option<Span>, StoreError> {
        let sql = "SELECT max(ends_at) FROM leases WHERE name = ?1 AND holder <> ''";
        let name = name.to_owned();
        self.read(move |tx| {
            let end = tx.one(sql, [&name], |row| row.get::<Option<i64>>(0))?;
            Ok(left(tx, end.flatten()))
        })
        .await
    }

    async fn next_orphan(&self) -> Result<Option<Span>, StoreError> {
        self.read(next_orphan).await
    }

    fn is_shared(&self) -> bool {
        self.server().is_some()
    }

    fn hear(&self) -> Option<mpsc::Receiver<Heard>> {
        self.server().map(bells::hear)
    }

    async fn tell(&self, words: &str) -> Result<(), StoreError> {
        let words = words.to_owned();
        self.write(move |tx| match tx.engine() {
            // Nobody else has the file open.
            Engine::Sqlite => Ok(()),
            Engine::Postgres => tx.run(bells::TELL, [&words]).map(drop),
        })
        .await
    }
}

fn next_orphan(tx: &Tx<'_>) -> Result<Option<Span>, Fault> {
    let sql = "SELECT min(l.ends_at) FROM turns t JOIN sessions s ON s.seq = t.session \
               JOIN leases l ON l.name = 'session/' || s.id WHERE t.state = 'open'";
    let end = tx.one(sql, Nothing, |row| row.get::<Option<i64>>(0))?;
    Ok(left(tx, end.flatten()))
}

/// How long until then; what is over is over now.
fn left(tx: &Tx<'_>, end: Option<i64>) -> Option<Span> {
    Some(Timestamp::from_ms(end?).since(tx.now()))
}
