//! The life of conversations: the trait and its small verbs.
//!
//! Rows and routes are made in `begin`, the door and the claims read `standing`. Who begins anew or is
//! led elsewhere is in `switch`, what ends by itself in `expiry`, what goes on elsewhere in `compact`,
//! and `find` only reads.

pub(super) mod begin;
mod compact;
mod expiry;
pub(super) mod find;
pub(super) mod place;
pub(super) mod standing;
pub(super) mod switch;

use std::sync::Arc;

use angelia_core::agent::AgentName;
use angelia_core::id::SessionId;
use angelia_core::session::key::Scope;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::rules::Rules;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::ending::Reason;
use async_trait::async_trait;

use super::rows;
use super::turns::session_seq;
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, Params, params};
use crate::sessions::{
    Anew, At, Authority, Begun, Change, Compacted, Expired, Force, OfOrigin, Record, Sessions,
    Switched,
};

#[async_trait]
impl Sessions for Database {
    async fn begin_anew(&self, anew: Anew) -> Result<Begun, StoreError> {
        self.write(move |tx| switch::begin_anew(tx, &anew)).await
    }

    async fn switch(
        &self,
        at: At,
        target: SessionId,
        authority: Authority,
    ) -> Result<Switched, StoreError> {
        self.write(move |tx| switch::switch(tx, &at, target, authority))
            .await
    }

    async fn reachable(&self, at: At, limit: usize) -> Result<Vec<Record>, StoreError> {
        self.read(move |tx| find::reachable(tx, &at, limit)).await
    }

    async fn suspend(&self, session: SessionId) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET suspended_at = ?2 \
                       WHERE id = ?1 AND suspended_at IS NULL";
            change(
                tx,
                session,
                sql,
                params![session.to_string(), tx.now().ms()],
            )
        })
        .await
    }

    async fn mark_resume(
        &self,
        session: SessionId,
        why: Interrupted,
    ) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET resume_at = ?2, resume_reason = ?3 \
                       WHERE id = ?1 AND suspended_at IS NULL";
            let values = params![session.to_string(), tx.now().ms(), why.as_str()];
            change(tx, session, sql, values)
        })
        .await
    }

    async fn clear_resume(&self, session: SessionId) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET resume_at = NULL, resume_reason = NULL \
                       WHERE id = ?1 AND resume_at IS NOT NULL";
            change(tx, session, sql, params![session.to_string()])
        })
        .await
    }

    async fn end(
        &self,
        session: SessionId,
        why: Reason,
        force: Force,
    ) -> Result<Change, StoreError> {
        self.write(move |tx| match session_seq(tx, session)? {
            Some(seq) => begin::end(tx, seq, why, force),
            None => Ok(Change::Unknown),
        })
        .await
    }

    async fn prune(&self, age: Span) -> Result<usize, StoreError> {
        let stale = self.read(move |tx| expiry::stale(tx, age)).await?;
        if stale.is_empty() {
            return Ok(0);
        }
        self.write(move |tx| expiry::prune(tx, &stale, age)).await
    }

    async fn expire(&self, rules: Arc<Rules>, limit: usize) -> Result<Vec<Expired>, StoreError> {
        let known = Arc::clone(&rules);
        let due = self.read(move |tx| expiry::due(tx, &known, limit)).await?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        self.write(move |tx| expiry::expire(tx, &due, &rules)).await
    }

    async fn has_any(&self) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) > 1 FROM (SELECT 1 FROM sessions LIMIT 2) AS two";
        self.read(move |tx| Ok(tx.number(sql, Nothing)? == 1)).await
    }

    async fn lookup(&self, session: SessionId) -> Result<Option<Record>, StoreError> {
        self.read(move |tx| find::lookup(tx, session)).await
    }

    async fn peek(&self, scope: &Scope) -> Result<Option<SessionId>, StoreError> {
        let scope = scope.to_owned();
        self.read(move |tx| find::peek(tx, &scope)).await
    }

    async fn of_origin(&self, asked: OfOrigin) -> Result<Option<SessionId>, StoreError> {
        self.read(move |tx| find::of_origin(tx, &asked)).await
    }

    async fn compact_into(
        &self,
        parent: SessionId,
        child: SessionId,
    ) -> Result<Compacted, StoreError> {
        self.write(move |tx| compact::compact_into(tx, parent, child))
            .await
    }

    async fn set_model_override(
        &self,
        session: SessionId,
        chosen: Option<ModelOverride>,
    ) -> Result<Change, StoreError> {
        let chosen = chosen.as_ref().map(rows::json).transpose();
        let chosen = chosen.map_err(|fault| fault.said(&self.place))?;
        self.write(move |tx| {
            let sql = "UPDATE sessions SET model_override = ?2 \
                       WHERE id = ?1 AND model_override IS DISTINCT FROM ?2";
            change(tx, session, sql, params![session.to_string(), chosen])
        })
        .await
    }

    async fn model_override(
        &self,
        session: SessionId,
    ) -> Result<Option<ModelOverride>, StoreError> {
        let sql = "SELECT model_override FROM sessions WHERE id = ?1";
        let read =
            move |tx: &Tx<'_>| tx.one(sql, [session.to_string()], |row| rows::json_maybe(row, 0));
        Ok(self.read(read).await?.flatten())
    }

    async fn set_agent(
        &self,
        session: SessionId,
        chosen: Option<AgentName>,
    ) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET agent = ?2 WHERE id = ?1 AND agent IS DISTINCT FROM ?2";
            let chosen = chosen.as_ref().map(AgentName::as_str);
            change(tx, session, sql, params![session.to_string(), chosen])
        })
        .await
    }

    async fn agent(&self, session: SessionId) -> Result<Option<AgentName>, StoreError> {
        let sql = "SELECT agent FROM sessions WHERE id = ?1";
        let read =
            move |tx: &Tx<'_>| tx.one(sql, [session.to_string()], |row| rows::parsed_maybe(row, 0));
        Ok(self.read(read).await?.flatten())
    }

    async fn touch(
        &self,
        session: SessionId,
        prompt_tokens: Option<u32>,
    ) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET active_at = max(active_at, ?2), \
                       prompt_tokens = coalesce(?3, prompt_tokens) WHERE id = ?1";
            let values = params![session.to_string(), tx.now().ms(), prompt_tokens];
            change(tx, session, sql, values)
        })
        .await
    }

    async fn set_work(
        &self,
        session: SessionId,
        since: Option<Timestamp>,
    ) -> Result<Change, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET works_since = ?2 \
                       WHERE id = ?1 AND works_since IS DISTINCT FROM ?2";
            let since = since.map(Timestamp::ms);
            change(tx, session, sql, params![session.to_string(), since])
        })
        .await
    }
}

/// Changes one session, and tells why not if nothing changed.
fn change(
    tx: &Tx<'_>,
    session: SessionId,
    sql: &str,
    values: impl Params,
) -> Result<Change, Fault> {
    if tx.run(sql, values)? > 0 {
        return Ok(Change::Done);
    }
    Ok(match session_seq(tx, session)? {
        Some(_) => Change::Unchanged,
        None => Change::Unknown,
    })
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
