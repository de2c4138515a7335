//! What one node does with a process that another holds, in rows.

use angelia_core::id::{ErrandId, NodeId};
use angelia_core::limits;
use angelia_core::process::errand::Outcome;
use angelia_core::time::Span;
use async_trait::async_trait;

use super::{hold, rows};
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::errands::{Answer, Asked, Errands, NewErrand};

#[async_trait]
impl Errands for Database {
    async fn ask_errand(&self, new: NewErrand) -> Result<Asked, StoreError> {
        self.write(move |tx| ask(tx, &new)).await
    }

    async fn take_errands(
        &self,
        home: &str,
        node: NodeId,
        limit: usize,
    ) -> Result<Vec<NewErrand>, StoreError> {
        let home = home.to_owned();
        self.write(move |tx| take(tx, &home, node, limit)).await
    }

    async fn answer_errand(&self, id: ErrandId, outcome: Outcome) -> Result<(), StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE process_errands SET answer = ?2 WHERE id = ?1 AND answer IS NULL";
            let values = params![id.to_string(), rows::versioned(&outcome)?];
            tx.also(sql, values)
        })
        .await
    }

    async fn errand_answer(&self, id: ErrandId) -> Result<Answer, StoreError> {
        self.write(move |tx| answer(tx, id)).await
    }

    async fn withdraw_errand(&self, id: ErrandId) -> Result<bool, StoreError> {
        self.write(move |tx| {
            let sql = "DELETE FROM process_errands WHERE id = ?1 AND node IS NULL";
            Ok(tx.run(sql, [id.to_string()])? > 0)
        })
        .await
    }

    async fn sweep_errands(&self, kept: Span) -> Result<usize, StoreError> {
        self.write(move |tx| {
            let before = (tx.now() - kept).ms();
            tx.run("DELETE FROM process_errands WHERE asked_at < ?1", [before])
        })
        .await
    }
}

fn ask(tx: &Tx<'_>, new: &NewErrand) -> Result<Asked, Fault> {
    hold::process(tx, new.process)?;
    let process = "SELECT seq FROM processes WHERE id = ?1";
    let process = tx.one(process, [new.process.to_string()], |row| row.get::<i64>(0))?;
    let Some(process) = process else {
        return Ok(Asked::Unknown);
    };
    let wanted = "SELECT count(*) FROM process_errands WHERE process = ?1 AND id <> ?2";
    let wanted = tx.number(wanted, params![process, new.id.to_string()])?;
    if wanted >= limits::ERRANDS_PER_PROCESS as i64 {
        return Ok(Asked::Full);
    }
    tx.also(
        "INSERT INTO process_errands (id, process, body, input, asked_at) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (id) DO NOTHING",
        params![
            new.id.to_string(),
            process,
            rows::versioned(&new.errand)?,
            new.input.as_slice(),
            tx.now().ms(),
        ],
    )?;
    Ok(Asked::Now)
}

fn take(tx: &Tx<'_>, home: &str, node: NodeId, limit: usize) -> Result<Vec<NewErrand>, Fault> {
    let node = node.to_string();
    let of_home = "process IN (SELECT seq FROM processes WHERE home = ?1)";
    let lost = format!(
        "UPDATE process_errands SET answer = ?3 WHERE {of_home} AND node <> ?2 AND answer IS NULL"
    );
    tx.also(
        &lost,
        params![home, node, rows::versioned(&Outcome::Unknown)?],
    )?;
    let found = tx.all(
        "SELECT e.seq, e.id, p.id, e.body, e.input FROM process_errands e \
         JOIN processes p ON p.seq = e.process WHERE p.home = ?1 AND e.node IS NULL \
         ORDER BY e.seq LIMIT ?2 /* hold e */",
        params![home, i64::try_from(limit).unwrap_or(i64::MAX)],
        |row| {
            let new = NewErrand {
                id: rows::parsed(row, 1)?,
                process: rows::parsed(row, 2)?,
                errand: rows::body(row, 3)?,
                input: row.get(4)?,
            };
            Ok((row.get::<i64>(0)?, new))
        },
    )?;
    for (seq, _) in &found {
        let begun = "UPDATE process_errands SET node = ?2, input = ?3 WHERE seq = ?1";
        tx.also(begun, params![*seq, node, [0_u8; 0].as_slice()])?;
    }
    Ok(found.into_iter().map(|(_, new)| new).collect())
}

fn answer(tx: &Tx<'_>, id: ErrandId) -> Result<Answer, Fault> {
    let sql = "SELECT node, answer FROM process_errands WHERE id = ?1 /* hold */";
    let found = tx.one(sql, [id.to_string()], |row| {
        let outcome = row.get::<Option<String>>(1)?;
        let outcome = outcome.map(|_| rows::body::<Outcome>(row, 1)).transpose()?;
        Ok((row.get::<Option<String>>(0)?, outcome))
    })?;
    Ok(match found {
        None => Answer::Gone,
        Some((_, Some(outcome))) => {
            let done = "DELETE FROM process_errands WHERE id = ?1";
            tx.also(done, [id.to_string()])?;
            Answer::Here(outcome)
        }
        Some((Some(_), None)) => Answer::Begun,
        Some((None, None)) => Answer::Waiting,
    })
}
