//! The books, on SQLite: a row for each day and person, one for the day in all, one for each call under way.

use angelia_core::address::AccountId;
use angelia_core::cost::Amount;
use angelia_core::cost::caps::{self, Used};
use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use angelia_core::transcript::usage::{Micros, Usage};
use angelia_core::zone::Zone;
use async_trait::async_trait;
use rusqlite::{Params, Row, params};

use super::fault::Fault;
use super::turns::{Open, envelope, owned};
use super::tx::Tx;
use super::{Sqlite, rows};
use crate::costs::{Costs, Reserve, Reserved, Spent};
use crate::{Fenced, StoreError};

#[async_trait]
impl Costs for Sqlite {
    async fn reserve(&self, wanted: Reserve) -> Result<Fenced<Reserved>, StoreError> {
        let zone = self.zone.clone();
        self.write(move |tx| match owned(tx, wanted.turn, wanted.fence)? {
            Some(open) => reserve(tx, &open, &wanted, &zone).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn give_back(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => let_go(tx, open.seq).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn spent_today(&self, account: &AccountId, person: &str) -> Result<Amount, StoreError> {
        self.read(|tx| spent_on(tx, &day(tx, &self.zone), (&account.0, person)))
    }

    async fn spent(&self, limit: usize) -> Result<Vec<Spent>, StoreError> {
        let sql = "SELECT tokens, micros, calls, day, account, person FROM spent \
                   ORDER BY day DESC, account, person LIMIT ?1";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(|tx| tx.all(sql, [limit], spent))
    }

    async fn reserved(&self) -> Result<Amount, StoreError> {
        let sql = "SELECT coalesce(sum(tokens), 0), sum(micros) FROM reservations";
        self.read(|tx| sum(tx, sql, []))
    }
}

fn spent(row: &Row<'_>) -> Result<Spent, Fault> {
    let (account, person): (String, String) = (row.get(4)?, row.get(5)?);
    Ok(Spent {
        day: row.get(3)?,
        who: (!account.is_empty()).then_some((AccountId(account), person)),
        calls: row.get::<_, i64>(2)?.unsigned_abs(),
        used: amount(row)?,
    })
}

/// The day by the store's clock, where the operator lives.
fn day(tx: &Tx<'_>, zone: &Zone) -> String {
    zone.day(tx.now())
}

fn reserve(tx: &Tx<'_>, open: &Open, wanted: &Reserve, zone: &Zone) -> Result<Reserved, Fault> {
    let_go(tx, open.seq)?;
    let (day, (account, person)) = (day(tx, zone), payer(tx, open)?);
    let who = (account.as_str(), person.as_str());
    let used = Used {
        day: spent_on(tx, &day, ("", ""))?.plus(reserved_on(tx, &day, None)?),
        person: spent_on(tx, &day, who)?.plus(reserved_on(tx, &day, Some(who))?),
        session: of_session(tx, open.session)?,
    };
    if let Err(reached) = caps::decide(&wanted.caps, &used, wanted.most) {
        return Ok(Reserved::Refused(reached));
    }
    tx.run(
        "INSERT INTO reservations (turn, day, account, person, tokens, micros) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            open.seq,
            day,
            account,
            person,
            number(wanted.most.tokens),
            wanted.most.micros.map(|micros| number(micros.count())),
        ],
    )?;
    Ok(Reserved::Granted)
}

/// Forgets what a turn has reserved.
pub(super) fn let_go(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    tx.run("DELETE FROM reservations WHERE turn = ?1", [turn])?;
    Ok(())
}

/// Counts what a call used for its day, on which it was reserved if it was, and lets the reservation go.
pub(super) fn count(tx: &Tx<'_>, open: &Open, used: &Usage, zone: &Zone) -> Result<(), Fault> {
    let reserved = "SELECT day FROM reservations WHERE turn = ?1";
    let reserved = tx.one(reserved, [open.seq], |row| Ok(row.get(0)?))?;
    let day = reserved.unwrap_or_else(|| day(tx, zone));
    let (account, person) = payer(tx, open)?;
    for who in [("", ""), (account.as_str(), person.as_str())] {
        add(tx, &day, who, used)?;
    }
    let_go(tx, open.seq)
}

fn add(tx: &Tx<'_>, day: &str, who: (&str, &str), used: &Usage) -> Result<(), Fault> {
    let micros = used.cost.actual.or(used.cost.estimated);
    tx.run(
        "INSERT INTO spent (day, account, person, calls, tokens, micros) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (day, account, person) DO UPDATE SET \
         calls = calls + excluded.calls, tokens = tokens + excluded.tokens, \
         micros = CASE WHEN excluded.micros IS NULL THEN micros \
         ELSE coalesce(micros, 0) + excluded.micros END",
        params![
            day,
            who.0,
            who.1,
            number(used.calls),
            number(used.tokens.all()),
            micros.map(|micros| number(micros.count())),
        ],
    )?;
    Ok(())
}

/// Who is answered: the account and the sender of the turn's last message.
fn payer(tx: &Tx<'_>, open: &Open) -> Result<(String, String), Fault> {
    let last = open.batch.last().copied();
    let last = last.ok_or_else(|| rows::undecodable("a turn answers no message"))?;
    let inbound = envelope(tx, last)?;
    Ok((inbound.address.account.0, inbound.person.id))
}

fn spent_on(tx: &Tx<'_>, day: &str, (account, person): (&str, &str)) -> Result<Amount, Fault> {
    let sql = "SELECT coalesce(sum(tokens), 0), sum(micros) FROM spent \
               WHERE day = ?1 AND account = ?2 AND person = ?3";
    sum(tx, sql, params![day, account, person])
}

fn reserved_on(tx: &Tx<'_>, day: &str, who: Option<(&str, &str)>) -> Result<Amount, Fault> {
    let sql = "SELECT coalesce(sum(tokens), 0), sum(micros) FROM reservations \
               WHERE day = ?1 AND (?2 IS NULL OR (account = ?2 AND person = ?3))";
    sum(
        tx,
        sql,
        params![day, who.map(|who| who.0), who.map(|who| who.1)],
    )
}

/// What a conversation has used. It makes one call at a time, so nobody else has reserved for it.
fn of_session(tx: &Tx<'_>, session: i64) -> Result<Amount, Fault> {
    let sql = "SELECT coalesce(sum(input + output + cache_read + cache_write), 0), \
               sum(coalesce(actual, estimated)) FROM usage WHERE session = ?1";
    sum(tx, sql, [session])
}

fn sum(tx: &Tx<'_>, sql: &str, params: impl Params) -> Result<Amount, Fault> {
    Ok(tx.one(sql, params, amount)?.unwrap_or_default())
}

fn amount(row: &Row<'_>) -> Result<Amount, Fault> {
    let micros: Option<i64> = row.get(1)?;
    Ok(Amount {
        tokens: row.get::<_, i64>(0)?.unsigned_abs(),
        micros: micros.map(|micros| Micros::new(micros.unsigned_abs())),
    })
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
