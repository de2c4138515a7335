//! Approvals: the trait and its verbs.
//!
//! A question is open while `decision` is NULL; every statement that decides asks for that, so whoever
//! comes second changes nothing. `replies` are the answers behind a running turn, `grants` what somebody
//! agreed to beyond one call, `stale` what a chat still shows of questions that are over, `read` makes values of rows.

mod grants;
mod read;
mod replies;
mod stale;

use angelia_core::address::AccountId;
use angelia_core::approval::{Decider, Decision, Verdict};
use angelia_core::id::{ApprovalId, DeliveryId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use async_trait::async_trait;

use super::pages::{self, Start};
use super::turns::{Open, owned, session_seq};
use super::{outbox, rows};
use crate::approvals::{
    Agreement, Approval, ApprovalFilter, Approvals, Asked, NewApproval, Replies, Ruled,
    StaleQuestion, Standing,
};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::views::{Page, Range};
use crate::{Fenced, StoreError};
use read::{approval, approval_sql};

pub(super) use grants::go_along;

#[async_trait]
impl Approvals for Database {
    async fn ask_for_approval(&self, new: NewApproval) -> Result<Fenced<Asked>, StoreError> {
        self.write(move |tx| match owned(tx, new.turn, new.fence)? {
            Some(open) => ask(tx, &open, &new).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn is_answered(&self, new: NewApproval) -> Result<bool, StoreError> {
        self.read(move |tx| is_answered(tx, &new)).await
    }

    async fn decide_approval(&self, id: ApprovalId, verdict: Verdict) -> Result<Ruled, StoreError> {
        self.write(move |tx| match one(tx, id)? {
            None => Ok(Ruled::Unknown),
            Some(approval) => decide_now(tx, approval, &verdict),
        })
        .await
    }

    async fn take_replies(
        &self,
        turn: TurnId,
        fence: Fence,
        notice: DeliveryId,
    ) -> Result<Fenced<Replies>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => replies::take(tx, &open, notice).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn expire_approvals(&self) -> Result<Vec<Approval>, StoreError> {
        self.write(|tx| {
            let due = approval_sql!(
                "WHERE a.decision IS NULL AND a.expires_at <= ?1 ORDER BY a.seq /* hold a */"
            );
            close(
                tx,
                tx.all(due, [tx.now().ms()], approval)?,
                Decision::Expired,
            )
        })
        .await
    }

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        self.read(move |tx| one(tx, id)).await
    }

    async fn approvals(
        &self,
        filter: ApprovalFilter,
        range: Range,
    ) -> Result<Page<Approval>, StoreError> {
        self.read(move |tx| list(tx, filter, &range)).await
    }

    async fn stale_questions(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<StaleQuestion>, StoreError> {
        let account = account.to_owned();
        self.read(move |tx| stale::list(tx, &account, limit)).await
    }

    async fn shut_question(&self, id: ApprovalId) -> Result<(), StoreError> {
        self.write(move |tx| stale::shut(tx, id)).await
    }

    async fn agreements(&self, range: Range) -> Result<Page<Agreement>, StoreError> {
        self.read(move |tx| grants::list(tx, &range)).await
    }

    async fn revoke_agreement(&self, id: ApprovalId) -> Result<Option<Agreement>, StoreError> {
        self.write(move |tx| grants::revoke(tx, id)).await
    }
}

fn one(tx: &Tx<'_>, id: ApprovalId) -> Result<Option<Approval>, Fault> {
    tx.one(
        approval_sql!("WHERE a.id = ?1 /* hold a */"),
        [id.to_string()],
        approval,
    )
}

fn is_answered(tx: &Tx<'_>, new: &NewApproval) -> Result<bool, Fault> {
    let sql = "SELECT t.session, (SELECT count(*) FROM approvals a WHERE a.turn = t.seq AND a.call = ?2) \
               FROM turns t WHERE t.id = ?1";
    let values = params![new.turn.to_string(), new.call];
    let read = |row: &Row<'_>| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?));
    match tx.one(sql, values, read)? {
        Some((session, 0)) if new.matter.choices.is_none() => {
            Ok(grants::find(tx, session, new)?.is_some())
        }
        Some((_, before)) => Ok(before > 0),
        None => Ok(false),
    }
}

fn ask(tx: &Tx<'_>, open: &Open, new: &NewApproval) -> Result<Asked, Fault> {
    let before = approval_sql!("WHERE a.turn = ?1 AND a.call = ?2");
    if let Some(found) = tx.one(before, params![open.seq, new.call], approval)? {
        let is_same = found.matter.fingerprint == new.matter.fingerprint;
        let before = is_same.then(|| Asked::Before(Box::new(found)));
        return Ok(before.unwrap_or(Asked::Differs));
    }
    if new.matter.choices.is_none()
        && let Some(grant) = grants::find(tx, open.session, new)?
    {
        let decision = Decision::Granted(grant);
        let asked = insert(tx, open, new)?;
        let decided = decide(tx, asked, (decision, Decider::Grant), None)?;
        stale::shut(tx, new.id)?;
        return Ok(Asked::Granted(Box::new(decided)));
    }
    let waiting = "SELECT count(*) FROM approvals WHERE session = ?1 AND decision IS NULL";
    if tx.number(waiting, [open.session])? >= limits::APPROVALS_PER_SESSION as i64 {
        return Ok(Asked::Full);
    }
    let asked = insert(tx, open, new)?;
    let (delivery, text) = &new.shown;
    outbox::say(tx, open, &new.address, (*delivery, text))?;
    let shows =
        "UPDATE outbox SET question = (SELECT seq FROM approvals WHERE id = ?2) WHERE id = ?1";
    tx.also(shows, [delivery.to_string(), new.id.to_string()])?;
    Ok(Asked::New(Box::new(asked)))
}

fn insert(tx: &Tx<'_>, open: &Open, new: &NewApproval) -> Result<Approval, Fault> {
    let (address, matter) = (&new.address, &new.matter);
    tx.insert(
        "INSERT INTO approvals (id, session, turn, call, fingerprint, platform, account, chat, \
         chat_kind, thread, person, person_name, backend, workdir, reasons, command, asked_at, \
         expires_at, choices, heard) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
         ?14, ?15, ?16, ?17, ?18, ?19, (SELECT coalesce(max(seq), 0) FROM inbox))",
        params![
            new.id.to_string(),
            open.session,
            open.seq,
            new.call,
            matter.fingerprint.as_slice(),
            address.platform.name(),
            address.account.0,
            address.chat.id,
            address.chat.kind.name(),
            address.thread,
            new.person.id,
            new.person.name,
            matter.backend,
            matter.workdir,
            rows::json(&matter.reasons)?,
            matter.command,
            tx.now().ms(),
            (tx.now() + new.time).ms(),
            matter.choices.as_ref().map(rows::json).transpose()?,
        ],
    )?;
    one(tx, new.id)?.ok_or_else(|| rows::undecodable("a new question is not there"))
}

/// Decides for an operator, unless the time has passed: then the question is over, and that is written down.
fn decide_now(tx: &Tx<'_>, asked: Approval, verdict: &Verdict) -> Result<Ruled, Fault> {
    if asked.decided.is_none() && asked.expires_at <= tx.now() {
        let expired = decide(tx, asked, (Decision::Expired, Decider::Nobody), None)?;
        return Ok(Ruled::Before(Box::new(expired)));
    }
    rule(tx, asked, verdict, Decider::Operator)
}

/// Decides for somebody, and remembers what they agreed to.
fn rule(tx: &Tx<'_>, asked: Approval, verdict: &Verdict, by: Decider) -> Result<Ruled, Fault> {
    if asked.decided.is_some() {
        return Ok(Ruled::Before(Box::new(asked)));
    }
    let wants_words = asked.matter.choices.is_some();
    if wants_words != matches!(verdict, Verdict::Answered(_)) {
        return Ok(Ruled::Unfit);
    }
    if let Verdict::Granted(grant) = verdict {
        grants::remember(tx, &asked, *grant, by)?;
    }
    let decided = decide(tx, asked, (verdict.decision(), by), verdict.reason())?;
    Ok(Ruled::Now(Box::new(decided)))
}

fn decide(
    tx: &Tx<'_>,
    asked: Approval,
    (decision, by): (Decision, Decider),
    reason: Option<&str>,
) -> Result<Approval, Fault> {
    tx.also(
        "UPDATE approvals SET decision = ?2, decided_at = ?3, decided_by = ?4, reason = ?5 \
         WHERE id = ?1 AND decision IS NULL",
        params![
            asked.id.to_string(),
            decision.name(),
            tx.now().ms(),
            by.name(),
            reason
        ],
    )?;
    one(tx, asked.id)?.ok_or_else(|| rows::undecodable("a decided question is not there"))
}

/// Closes questions that nobody answered.
fn close(tx: &Tx<'_>, open: Vec<Approval>, decision: Decision) -> Result<Vec<Approval>, Fault> {
    let closed = open
        .into_iter()
        .map(|one| decide(tx, one, (decision, Decider::Nobody), None));
    closed.collect()
}

/// Takes back what a turn asked, as it ends.
pub(super) fn withdraw(tx: &Tx<'_>, open: &Open) -> Result<(), Fault> {
    let asked = approval_sql!("WHERE a.turn = ?1 AND a.decision IS NULL /* hold a */");
    close(
        tx,
        tx.all(asked, [open.seq], approval)?,
        Decision::Withdrawn,
    )
    .map(drop)
}

/// Deletes what was asked and agreed to in a conversation.
pub(super) fn erase(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    tx.also("DELETE FROM approval_grants WHERE session = ?1", [session])?;
    tx.also("DELETE FROM approvals WHERE session = ?1", [session])?;
    Ok(())
}

fn list(tx: &Tx<'_>, filter: ApprovalFilter, range: &Range) -> Result<Page<Approval>, Fault> {
    let before = match pages::start(range) {
        Start::First => i64::MAX,
        Start::After(seq, _) => seq,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let read = |row: &Row<'_>| Ok((row.get::<i64>(0)?.to_string(), approval(row)?));
    let asked = pages::asked(range);
    let session = match filter.session {
        None => None,
        Some(session) => match session_seq(tx, session)? {
            None => return Ok(pages::empty()),
            some => some,
        },
    };
    let values = params![before, asked, session];
    let found = match (filter.standing, session) {
        (Standing::Open, _) => {
            let sql = approval_sql!(
                "WHERE a.decision IS NULL AND a.seq < ?1 AND (a.session = ?3 OR ?3 IS NULL) \
                 ORDER BY a.seq DESC LIMIT ?2"
            );
            tx.all(sql, values, read)?
        }
        (Standing::Any, Some(_)) => {
            let sql =
                approval_sql!("WHERE a.session = ?3 AND a.seq < ?1 ORDER BY a.seq DESC LIMIT ?2");
            tx.all(sql, values, read)?
        }
        (Standing::Any, None) => {
            let sql = approval_sql!("WHERE a.seq < ?1 AND ?3 IS NULL ORDER BY a.seq DESC LIMIT ?2");
            tx.all(sql, values, read)?
        }
    };
    Ok(pages::page(range, found))
}
