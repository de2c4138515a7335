//! The books: a row for each day and person, one for the day in all, one for each call of which no
//! step tells.

use angelia_core::address::AccountId;
use angelia_core::cost::Amount;
use angelia_core::cost::caps::{self, Used};
use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::transcript::usage::{Micros, Usage};
use angelia_core::zone::Zone;
use async_trait::async_trait;

use super::turns::{Open, envelope, owned, session_seq};
use super::{hold, rows};
use crate::costs::{Costs, Keep, Kept, Reserve, Reserved, Spent};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, Params, params};
use crate::{Fenced, StoreError};

#[async_trait]
impl Costs for Database {
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
            Some(open) => give_back(tx, open.seq).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn keep(&self, keep: Keep) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, keep.turn, keep.fence)? {
            Some(open) => note(tx, open.seq, &keep).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn cut_off(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => cut_known(tx, open.seq).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn spent_today(&self, account: &AccountId, person: &str) -> Result<Amount, StoreError> {
        let account = account.to_owned();
        let person = person.to_owned();
        let zone = self.zone.clone();
        self.read(move |tx| spent_on(tx, &day(tx, &zone), (&account.0, &person)))
            .await
    }

    async fn spent(&self, days: usize) -> Result<Vec<Spent>, StoreError> {
        let sql = "SELECT tokens, micros, calls, day, account, person FROM (SELECT *, row_number() OVER \
                   (PARTITION BY day ORDER BY account <> '', tokens DESC, account, person) AS place \
                   FROM spent WHERE day IN (SELECT DISTINCT day FROM spent ORDER BY day DESC LIMIT ?1)) AS ranked \
                   WHERE place <= ?2 + 1 ORDER BY day DESC, place";
        let days = days.min(limits::SPENT_DAYS_MAX) as u64;
        let people = limits::SPENDERS_PER_DAY_MAX as u64;
        self.read(move |tx| tx.all(sql, params![number(days), number(people)], spent))
            .await
    }

    async fn reserved(&self) -> Result<Amount, StoreError> {
        let sql = "SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT), CAST(sum(micros) AS BIGINT) FROM reservations";
        self.read(move |tx| sum(tx, sql, Nothing)).await
    }

    async fn reserved_in(&self, session: SessionId) -> Result<Amount, StoreError> {
        self.read(move |tx| match session_seq(tx, session)? {
            Some(session) => reserved_in(tx, session),
            None => Ok(Amount::default()),
        })
        .await
    }

    async fn reserved_today(
        &self,
        account: &AccountId,
        person: &str,
    ) -> Result<Amount, StoreError> {
        let (account, person) = (account.to_owned(), person.to_owned());
        let zone = self.zone.clone();
        self.read(move |tx| reserved_on(tx, &day(tx, &zone), Some((&account.0, &person))))
            .await
    }

    async fn today(&self) -> Result<String, StoreError> {
        let zone = self.zone.clone();
        self.read(move |tx| Ok(day(tx, &zone))).await
    }
}

fn spent(row: &Row<'_>) -> Result<Spent, Fault> {
    let (account, person): (String, String) = (row.get(4)?, row.get(5)?);
    Ok(Spent {
        day: row.get(3)?,
        who: (!account.is_empty()).then_some((AccountId(account), person)),
        calls: row.get::<i64>(2)?.unsigned_abs(),
        used: amount(row)?,
    })
}

/// What is held while sums are compared with caps, or move from what is reserved to what is spent.
const SPENT: &str = "spent";

/// The day by the store's clock, where the operator lives.
fn day(tx: &Tx<'_>, zone: &Zone) -> String {
    zone.day(tx.now())
}

fn reserve(tx: &Tx<'_>, open: &Open, wanted: &Reserve, zone: &Zone) -> Result<Reserved, Fault> {
    hold::named(tx, SPENT)?;
    give_back(tx, open.seq)?;
    let (day, (account, person)) = (day(tx, zone), payer(tx, open)?);
    let who = (account.as_str(), person.as_str());
    let used = Used {
        day: spent_on(tx, &day, ("", ""))?.plus(reserved_on(tx, &day, None)?),
        person: spent_on(tx, &day, who)?.plus(reserved_on(tx, &day, Some(who))?),
        session: of_session(tx, open.session)?.plus(reserved_in(tx, open.session)?),
    };
    let granted = match caps::decide(&wanted.caps, &used, &wanted.call) {
        Ok(granted) => granted,
        Err(reached) => return Ok(Reserved::Refused(reached)),
    };
    tx.also(
        "INSERT INTO reservations (turn, session, state, day, account, person, tokens, micros) \
         VALUES (?1, ?2, 'open', ?3, ?4, ?5, ?6, ?7)",
        params![
            open.seq,
            open.session,
            day,
            account,
            person,
            number(granted.most.tokens),
            micros(granted.most),
        ],
    )?;
    Ok(Reserved::Granted(granted))
}

fn give_back(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let sql = "DELETE FROM reservations WHERE turn = ?1 AND state = 'open'";
    tx.also(sql, [turn])
}

fn note(tx: &Tx<'_>, turn: i64, keep: &Keep) -> Result<(), Fault> {
    let state = match keep.how {
        Kept::Known => "known",
        Kept::Cut => "cut",
    };
    let sql = "UPDATE reservations SET state = ?2, tokens = ?3, micros = ?4 \
               WHERE turn = ?1 AND state = 'open'";
    let used = keep.used;
    tx.also(sql, params![turn, state, number(used.tokens), micros(used)])
}

/// The calls that were answered and become no step. One under way may still become one.
fn cut_known(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let sql = "UPDATE reservations SET state = 'cut' WHERE turn = ?1 AND state = 'known'";
    tx.also(sql, [turn])
}

/// Nobody will tell any more what the calls of a turn used that no step tells of: they stay counted.
pub(super) fn cut(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let sql = "UPDATE reservations SET state = 'cut' WHERE turn = ?1 AND state <> 'cut'";
    tx.also(sql, [turn])
}

/// A conversation is deleted: what it may have used still counts for its day.
pub(super) fn forget_session(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let sql = "UPDATE reservations SET session = NULL, state = 'cut' WHERE session = ?1";
    tx.also(sql, [session])
}

/// Counts what the calls of a step used for their day, on which they were reserved if they were, and lets the
/// reservations go.
pub(super) fn count(tx: &Tx<'_>, open: &Open, used: &Usage, zone: &Zone) -> Result<(), Fault> {
    hold::named(tx, SPENT)?;
    let reserved = "SELECT max(day) FROM reservations WHERE turn = ?1 AND state <> 'cut'";
    let reserved = tx.one(reserved, [open.seq], |row| row.get(0))?;
    let day = reserved.flatten().unwrap_or_else(|| day(tx, zone));
    let (account, person) = payer(tx, open)?;
    for who in [("", ""), (account.as_str(), person.as_str())] {
        add(tx, &day, who, used)?;
    }
    let told = "DELETE FROM reservations WHERE turn = ?1 AND state <> 'cut'";
    tx.also(told, [open.seq])
}

fn add(tx: &Tx<'_>, day: &str, who: (&str, &str), used: &Usage) -> Result<(), Fault> {
    let cost = used.cost.actual.or(used.cost.estimated);
    tx.also(
        "INSERT INTO spent (day, account, person, calls, tokens, micros) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (day, account, person) DO UPDATE SET \
         calls = spent.calls + excluded.calls, tokens = spent.tokens + excluded.tokens, \
         micros = CASE WHEN excluded.micros IS NULL THEN spent.micros \
         ELSE coalesce(spent.micros, 0) + excluded.micros END",
        params![
            day,
            who.0,
            who.1,
            number(used.calls),
            number(used.tokens.all()),
            cost.map(|cost| number(cost.count())),
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
    let sql = "SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT), CAST(sum(micros) AS BIGINT) FROM spent \
               WHERE day = ?1 AND account = ?2 AND person = ?3";
    sum(tx, sql, params![day, account, person])
}

fn reserved_on(tx: &Tx<'_>, day: &str, who: Option<(&str, &str)>) -> Result<Amount, Fault> {
    let sql = "SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT), CAST(sum(micros) AS BIGINT) FROM reservations \
               WHERE day = ?1 AND (?2 IS NULL OR (account = ?2 AND person = ?3))";
    sum(
        tx,
        sql,
        params![day, who.map(|who| who.0), who.map(|who| who.1)],
    )
}

fn reserved_in(tx: &Tx<'_>, session: i64) -> Result<Amount, Fault> {
    let sql = "SELECT CAST(coalesce(sum(tokens), 0) AS BIGINT), CAST(sum(micros) AS BIGINT) FROM reservations WHERE session = ?1";
    sum(tx, sql, [session])
}

/// What a conversation has used, its summaries among it.
fn of_session(tx: &Tx<'_>, session: i64) -> Result<Amount, Fault> {
    let sql = "SELECT CAST(coalesce(sum(input + output + cache_read + cache_write), 0) AS BIGINT), \
               CAST(sum(coalesce(actual, estimated)) AS BIGINT) FROM usage_lines WHERE session = ?1";
    sum(tx, sql, [session])
}

fn sum(tx: &Tx<'_>, sql: &str, params: impl Params) -> Result<Amount, Fault> {
    Ok(tx.one(sql, params, amount)?.unwrap_or_default())
}

fn amount(row: &Row<'_>) -> Result<Amount, Fault> {
    let micros: Option<i64> = row.get(1)?;
    Ok(Amount {
        tokens: row.get::<i64>(0)?.unsigned_abs(),
        micros: micros.map(|micros| Micros::new(micros.unsigned_abs())),
    })
}

fn micros(amount: Amount) -> Option<i64> {
    amount.micros.map(|micros| number(micros.count()))
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
