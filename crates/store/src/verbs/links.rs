//! Agents with processes of their own.
//!
//! A row is made by the first turn that starts an agent, and goes with its conversation. The folder stands
//! in a column beside the body, so that those that may run are found without reading all.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::link::Link;
use async_trait::async_trait;

use super::{rows, turns};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::links::{Links, Resting};
use crate::{Fenced, StoreError};

/// Whether no turn is open in the conversation of the link `l`.
macro_rules! rests_sql {
    () => {
        "NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = l.session AND t.state = 'open')"
    };
}

#[async_trait]
impl Links for Database {
    async fn link(&self, session: SessionId) -> Result<Option<Link>, StoreError> {
        self.read(move |tx| {
            let sql = "SELECT l.body FROM agent_links l JOIN sessions s ON s.seq = l.session \
                       WHERE s.id = ?1";
            tx.one(sql, [session.to_string()], |row| rows::body(row, 0))
        })
        .await
    }

    async fn keep_link(
        &self,
        turn: TurnId,
        fence: Fence,
        home: &str,
        link: Link,
    ) -> Result<Fenced<()>, StoreError> {
        let home = home.to_owned();
        self.write(move |tx| match turns::owned(tx, turn, fence)? {
            Some(open) => keep(tx, open.session, &home, &link).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn resting_agents(&self, home: &str, limit: usize) -> Result<Vec<Resting>, StoreError> {
        let sql = concat!(
            "SELECT s.id, l.agent, l.used_at FROM agent_links l \
             JOIN sessions s ON s.seq = l.session \
             WHERE l.home = ?1 AND l.agent IS NOT NULL AND ",
            rests_sql!(),
            " ORDER BY l.used_at, l.session LIMIT ?2"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let home = home.to_owned();
        self.read(move |tx| {
            tx.all(sql, params![home, limit], |row| {
                Ok(Resting {
                    session: rows::parsed(row, 0)?,
                    agent: row.get(1)?,
                    rested: tx.now().since(rows::time(row, 2)?),
                })
            })
        })
        .await
    }

    async fn let_agent_go(&self, resting: &Resting) -> Result<bool, StoreError> {
        let resting = resting.clone();
        self.write(move |tx| let_go(tx, &resting)).await
    }

    async fn linked_agents(&self, home: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT agent FROM agent_links WHERE home = ?1 AND agent IS NOT NULL";
        let home = home.to_owned();
        self.read(move |tx| tx.all(sql, [&home], |row| row.get(0)))
            .await
    }
}

fn keep(tx: &Tx<'_>, session: i64, home: &str, link: &Link) -> Result<(), Fault> {
    let sql = "INSERT INTO agent_links (session, home, agent, used_at, body) \
               VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (session) DO UPDATE SET \
               home = ?2, agent = ?3, used_at = ?4, body = ?5";
    let now = tx.now().ms();
    let values = params![session, home, link.agent, now, rows::versioned(link)?];
    tx.also(sql, values)
}

fn let_go(tx: &Tx<'_>, resting: &Resting) -> Result<bool, Fault> {
    // Whoever opens a turn there waits, or was first.
    turns::session_seq(tx, resting.session)?;
    let sql = concat!(
        "SELECT l.session, l.body FROM agent_links l JOIN sessions s ON s.seq = l.session \
         WHERE s.id = ?1 AND l.agent = ?2 AND ",
        rests_sql!()
    );
    let values = params![resting.session.to_string(), resting.agent];
    let found = tx.one(sql, values, |row| {
        Ok((row.get::<i64>(0)?, rows::body::<Link>(row, 1)?))
    })?;
    let Some((session, mut link)) = found else {
        return Ok(false);
    };
    link.agent = None;
    link.prompt = None;
    let sql = "UPDATE agent_links SET agent = NULL, body = ?2 WHERE session = ?1";
    tx.also(sql, params![session, rows::versioned(&link)?])?;
    Ok(true)
}
