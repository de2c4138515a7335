//! Strangers who knocked.
//!
//! A knock that waits has `state` waiting and an end that has not come; no row is touched when it does. Its answer is
//! a delivery of no turn, with the knock's number and without the code. `access_locks` counts wrong codes by account.

use angelia_core::access::code::{Code, Sealed};
use angelia_core::access::pairing::{self, Heard, Lock, Silence, View};
use angelia_core::access::words;
use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, KnockId};
use angelia_core::lease::Fence;
use angelia_core::limits::access::KNOCK_KEPT;
use angelia_core::time::Timestamp;

use super::known;
use super::read::{knock, knock_sql};
use crate::Fenced;
use crate::access::{Issued, Knock, Knocked, NewKnock, Recognised};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::outbox::{self, Told};
use crate::verbs::pages::{self, Start};
use crate::verbs::{intake, rows};
use crate::views::{Page, Range};

/// Hears a stranger.
pub(super) fn hear(tx: &Tx<'_>, new: &NewKnock) -> Result<Knocked, Fault> {
    let account = &new.address.account;
    super::hold(tx, account)?;
    intake::move_cursor(tx, account, new.cursor.as_deref())?;
    let person = known(tx, new.address.platform, &new.person.id)?;
    let before = "SELECT EXISTS (SELECT 1 FROM knocks WHERE account = ?1 AND event_key = ?2)";
    if tx.number(before, [&account.0, new.event_key.as_str()])? != 0 {
        return Ok(Knocked::Unanswered(Silence::Before));
    }
    match pairing::knock(&view(tx, account, &person)?, tx.now()) {
        Heard::Unanswered(why) => Ok(Knocked::Unanswered(why)),
        Heard::Answered => answer(tx, new, &person),
    }
}

fn view(tx: &Tx<'_>, account: &AccountId, person: &str) -> Result<View, Fault> {
    let lately = "SELECT asked_at FROM knocks WHERE account = ?1 AND person = ?2 \
                  ORDER BY asked_at DESC LIMIT 1";
    Ok(View {
        answered: tx.one(lately, [&account.0, person], |row| rows::time(row, 0))?,
        waiting: waiting(tx, account)?.len(),
        lock: lock(tx, account)?,
    })
}

/// The knocks of the account that may still be approved; those whose code was not made yet have no seal.
fn waiting(tx: &Tx<'_>, account: &AccountId) -> Result<Vec<(KnockId, Option<Sealed>)>, Fault> {
    tx.all(
        "SELECT id, salt, hash, ends_at FROM knocks WHERE account = ?1 AND state = 'waiting' \
         AND ends_at >= ?2",
        params![account.0, tx.now().ms()],
        |row| Ok((rows::parsed(row, 0)?, sealed(row)?)),
    )
}

fn sealed(row: &Row<'_>) -> Result<Option<Sealed>, Fault> {
    match (row.get(1)?, row.get(2)?) {
        (Some(salt), Some(hash)) => Ok(Some(Sealed { salt, hash })),
        _ => Ok(None),
    }
}

fn answer(tx: &Tx<'_>, new: &NewKnock, person: &str) -> Result<Knocked, Fault> {
    let (address, now) = (&new.address, tx.now());
    let seq = tx.insert(
        "INSERT INTO knocks (id, platform, account, chat, chat_kind, thread, person, name, event_key, \
         state, asked_at, ends_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'waiting', ?10, ?11)",
        params![
            new.id.to_string(),
            address.platform.name(),
            address.account.0,
            address.chat.id,
            address.chat.kind.name(),
            address.thread,
            person,
            new.person.name,
            new.event_key.as_str(),
            now.ms(),
            pairing::end(now).ms(),
        ],
    )?;
    let told = Told::Code(seq);
    outbox::tell(tx, address, told, (new.delivery, &words::hidden()))?;
    Ok(Knocked::Answered(Box::new(one(tx, new.id)?.ok_or_else(
        || rows::undecodable("a new knock is not there"),
    )?)))
}

/// The knock of this id, whatever became of it.
pub(super) fn one(tx: &Tx<'_>, id: KnockId) -> Result<Option<Knock>, Fault> {
    tx.one(knock_sql!("WHERE k.id = ?1"), [id.to_string()], knock)
}

/// Whether the knock may be approved.
pub(super) fn waits(tx: &Tx<'_>, id: KnockId) -> Result<bool, Fault> {
    let sql = "SELECT ends_at FROM knocks WHERE id = ?1 AND state = 'waiting'";
    let end = tx.one(sql, [id.to_string()], |row| rows::time(row, 0))?;
    Ok(end.is_some_and(|end| pairing::is_waiting(end, tx.now())))
}

/// Ends all knocks of somebody who is let in. What was not sent yet is not sent any more.
pub(super) fn end_of(tx: &Tx<'_>, account: &AccountId, person: &str) -> Result<(), Fault> {
    tx.also(
        "UPDATE knocks SET state = 'granted', salt = NULL, hash = NULL \
         WHERE account = ?1 AND person = ?2 AND state = 'waiting'",
        [&account.0, person],
    )?;
    Ok(())
}

/// Lets a code count that is about to be sent.
pub(super) fn issue(
    tx: &Tx<'_>,
    delivery: DeliveryId,
    fence: Fence,
    sealed: &Sealed,
) -> Result<Fenced<Issued>, Fault> {
    let sending = "SELECT knock FROM outbox WHERE id = ?1 AND state = 'sending' AND fence = ?2 \
                   AND knock IS NOT NULL";
    let knock: Option<i64> = tx.one(sending, params![delivery.to_string(), fence.0], |row| {
        row.get(0)
    })?;
    let Some(knock) = knock else {
        return Ok(Fenced::Lost);
    };
    let counts = tx.run(
        "UPDATE knocks SET salt = ?2, hash = ?3, ends_at = ?4 \
         WHERE seq = ?1 AND state = 'waiting' AND ends_at >= ?5",
        params![
            knock,
            sealed.salt.as_slice(),
            sealed.hash.as_slice(),
            pairing::end(tx.now()).ms(),
            tx.now().ms(),
        ],
    )?;
    Ok(Fenced::Done(match counts {
        0 => Issued::Over,
        _ => Issued::Now,
    }))
}

/// Whose code that is. Every account that is asked is asked in full, and each wrong answer is counted.
pub(super) fn recognise(
    tx: &Tx<'_>,
    code: &Code,
    account: Option<&AccountId>,
) -> Result<Recognised, Fault> {
    let accounts = match account {
        Some(account) => vec![account.clone()],
        None => asked(tx)?,
    };
    let (mut shut, mut missed) = (None, Vec::new());
    for account in accounts {
        super::hold(tx, &account)?;
        let known = lock(tx, &account)?;
        if let Some(until) = known.until.filter(|_| known.is_shut(tx.now())) {
            shut = shut.max(Some(until));
            continue;
        }
        let waiting = waiting(tx, &account)?.into_iter();
        let sealed: Vec<_> = waiting.filter_map(|(id, seal)| Some((id, seal?))).collect();
        if let Some(knock) = pairing::find(&sealed, code) {
            set_lock(tx, &account, Lock::default())?;
            return Ok(Recognised::Knock(knock));
        }
        missed.push((account, known));
    }
    if let (true, Some(until)) = (missed.is_empty(), shut) {
        return Ok(Recognised::Locked(until));
    }
    for (account, known) in missed {
        set_lock(tx, &account, known.after_failure(tx.now()))?;
    }
    Ok(Recognised::Wrong)
}

/// The accounts where somebody waits, and those that are locked.
fn asked(tx: &Tx<'_>) -> Result<Vec<AccountId>, Fault> {
    tx.all(
        "SELECT account FROM knocks WHERE state = 'waiting' AND ends_at >= ?1 \
         UNION SELECT account FROM access_locks WHERE until > ?1",
        [tx.now().ms()],
        |row| Ok(AccountId(row.get(0)?)),
    )
}

fn lock(tx: &Tx<'_>, account: &AccountId) -> Result<Lock, Fault> {
    let sql = "SELECT failures, until FROM access_locks WHERE account = ?1";
    let found = tx.one(sql, [&account.0], |row| {
        Ok(Lock {
            failures: row.get(0)?,
            until: rows::time_maybe(row, 1)?,
        })
    })?;
    Ok(found.unwrap_or_default())
}

fn set_lock(tx: &Tx<'_>, account: &AccountId, lock: Lock) -> Result<(), Fault> {
    tx.also(
        "INSERT INTO access_locks (account, failures, until) VALUES (?1, ?2, ?3) \
         ON CONFLICT (account) DO UPDATE SET failures = excluded.failures, until = excluded.until",
        params![account.0, lock.failures, lock.until.map(Timestamp::ms)],
    )?;
    Ok(())
}

/// The accounts that are locked.
pub(super) fn locks(tx: &Tx<'_>) -> Result<Vec<(AccountId, Timestamp)>, Fault> {
    tx.all(
        "SELECT account, until FROM access_locks WHERE until > ?1 ORDER BY account",
        [tx.now().ms()],
        |row| Ok((AccountId(row.get(0)?), rows::time(row, 1)?)),
    )
}

/// Those who wait, newest first.
pub(super) fn list(tx: &Tx<'_>, range: &Range) -> Result<Page<Knock>, Fault> {
    let before = match pages::start(range) {
        Start::First => i64::MAX,
        Start::After(seq, _) => seq,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let found = tx.all(
        knock_sql!(
            "WHERE k.state = 'waiting' AND k.ends_at >= ?3 AND k.seq < ?1 \
             ORDER BY k.seq DESC LIMIT ?2"
        ),
        params![before, pages::asked(range), tx.now().ms()],
        |row| Ok((row.get::<i64>(0)?.to_string(), knock(row)?)),
    )?;
    Ok(pages::page(range, found))
}

/// Forgets knocks that ended long ago. Their answers stay as long as others do, without leading here.
pub(super) fn sweep(tx: &Tx<'_>, limit: usize) -> Result<usize, Fault> {
    let before = (tx.now() - KNOCK_KEPT).ms();
    let old = tx.all(
        "SELECT seq FROM knocks WHERE ends_at < ?1 ORDER BY ends_at LIMIT ?2",
        params![before, i64::try_from(limit).unwrap_or(i64::MAX)],
        |row| row.get::<i64>(0),
    )?;
    for seq in &old {
        tx.also("UPDATE outbox SET knock = NULL WHERE knock = ?1", [seq])?;
        tx.also("DELETE FROM knocks WHERE seq = ?1", [seq])?;
    }
    Ok(old.len())
}
