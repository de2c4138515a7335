//! What was used: a row for the conversation and one for each model and task.

use angelia_core::id::SessionId;
use angelia_core::transcript::usage::{Billing, Cost, Line, Micros, Tokens, Usage};
use async_trait::async_trait;

use super::{rows, turns};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Bound, params};
use crate::usage::{Account, Counted, Counting, UsageLine, Usages, Used};
use crate::{Change, StoreError};

#[async_trait]
impl Usages for Database {
    async fn account(&self, account: Account) -> Result<Change<Counted>, StoreError> {
        self.write(move |tx| match turns::session_seq(tx, account.session)? {
            Some(session) => count(tx, session, &account).map(Change::Done),
            None => Ok(Change::Unknown),
        })
        .await
    }

    async fn usage(&self, session: SessionId) -> Result<Option<Used>, StoreError> {
        self.read(move |tx| match turns::session_seq(tx, session)? {
            Some(session) => Ok(Some(Used {
                total: total(tx, session)?,
                lines: lines(tx, session)?,
            })),
            None => Ok(None),
        })
        .await
    }
}

pub(super) fn count(tx: &Tx<'_>, session: i64, account: &Account) -> Result<Counted, Fault> {
    let (told, before) = (account.used.clone(), total(tx, session)?);
    let line = match &account.counting {
        Counting::Total => {
            keep_total(tx, session, before.replaced(told))?;
            return Ok(Counted::Now);
        }
        Counting::More => Line::of_call(&told, &before.clone().plus(told.clone())),
        Counting::Aside(task) => Line::of_task(&told, task),
    };
    if was_last(tx, session, &line, account.call.as_deref())? {
        return Ok(Counted::Before);
    }
    let is_aside = matches!(account.counting, Counting::Aside(_));
    if is_aside || told.is_accounted() {
        let calls = if is_aside { 1 } else { told.calls };
        let told = Usage {
            calls,
            ..told.clone()
        };
        add_to_line(tx, session, (&line, told), account.call.as_deref())?;
    }
    if !is_aside {
        keep_total(tx, session, before.plus(told))?;
    }
    Ok(Counted::Now)
}

/// Whether the line counted this call last.
fn was_last(tx: &Tx<'_>, session: i64, line: &Line, call: Option<&str>) -> Result<bool, Fault> {
    let Some(call) = call else {
        return Ok(false);
    };
    let last = "SELECT EXISTS (SELECT 1 FROM usage_lines WHERE session = ?1 AND model = ?2 \
                AND provider = ?3 AND base_url = ?4 AND mode = ?5 AND task = ?6 AND last_call = ?7)";
    let Line {
        model,
        provider,
        base_url,
        mode,
        task,
    } = line;
    let found = tx.number(
        last,
        params![session, model, provider, base_url, mode, task, call],
    )?;
    Ok(found != 0)
}

const NUMBERS: &str = "input, output, cache_read, cache_write, reasoning, calls, estimated, actual, \
                       status, source, pricing";

/// Those of the row that is written in place of an earlier one.
const NEW_NUMBERS: &str = "input = excluded.input, output = excluded.output, \
                           cache_read = excluded.cache_read, cache_write = excluded.cache_write, \
                           reasoning = excluded.reasoning, calls = excluded.calls, \
                           estimated = excluded.estimated, actual = excluded.actual, \
                           status = excluded.status, source = excluded.source, \
                           pricing = excluded.pricing";

fn total(tx: &Tx<'_>, session: i64) -> Result<Usage, Fault> {
    let sql =
        format!("SELECT {NUMBERS}, model, provider, base_url, mode FROM usage WHERE session = ?1");
    let found = tx.one(&sql, [session], |row| {
        Ok(Usage {
            model: row.get(11)?,
            billing: Billing {
                provider: row.get(12)?,
                base_url: row.get(13)?,
                mode: row.get(14)?,
            },
            ..numbers(row, 0)?
        })
    })?;
    Ok(found.unwrap_or_default())
}

fn keep_total(tx: &Tx<'_>, session: i64, total: Usage) -> Result<(), Fault> {
    let sql = format!(
        "INSERT INTO usage (session, model, provider, base_url, mode, {NUMBERS}) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
         ON CONFLICT (session) DO UPDATE SET model = excluded.model, provider = excluded.provider, \
         base_url = excluded.base_url, mode = excluded.mode, {NEW_NUMBERS}"
    );
    let Billing {
        provider,
        base_url,
        mode,
    } = &total.billing;
    let mut values: Vec<&dyn Bound> = vec![&session, &total.model, provider, base_url, mode];
    let numbers = stored(&total);
    values.extend(numbers.iter().map(AsRef::as_ref));
    tx.also(&sql, values.as_slice())?;
    Ok(())
}

fn add_to_line(
    tx: &Tx<'_>,
    session: i64,
    (line, told): (&Line, Usage),
    call: Option<&str>,
) -> Result<(), Fault> {
    let key = "session = ?1 AND model = ?2 AND provider = ?3 AND base_url = ?4 AND mode = ?5 AND task = ?6";
    let sql = format!("SELECT {NUMBERS}, first_at FROM usage_lines WHERE {key}");
    let Line {
        model,
        provider,
        base_url,
        mode,
        task,
    } = line;
    let names = params![session, model, provider, base_url, mode, task];
    let found = tx.one(&sql, names, |row| Ok((numbers(row, 0)?, row.get(11)?)))?;
    let now = tx.now().ms();
    let (before, first_at): (Usage, i64) = found.unwrap_or((Usage::default(), now));
    let numbers = stored(&before.plus(told));
    let mut values: Vec<&dyn Bound> = names.to_vec();
    values.extend(numbers.iter().map(AsRef::as_ref));
    values.extend([&first_at as &dyn Bound, &now, &call]);
    let sql = format!(
        "INSERT INTO usage_lines (session, model, provider, base_url, mode, task, {NUMBERS}, \
         first_at, last_at, last_call) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
         ?14, ?15, ?16, ?17, ?18, ?19, ?20) \
         ON CONFLICT (session, model, provider, base_url, mode, task) DO UPDATE SET {NEW_NUMBERS}, \
         first_at = excluded.first_at, last_at = excluded.last_at, last_call = excluded.last_call"
    );
    tx.also(&sql, values.as_slice())?;
    Ok(())
}

/// The values of `NUMBERS`.
fn stored(used: &Usage) -> Vec<Box<dyn Bound>> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let money = |sum: Option<Micros>| sum.map(|sum| number(sum.count()));
    let (tokens, cost) = (used.tokens, &used.cost);
    vec![
        Box::new(number(tokens.input)),
        Box::new(number(tokens.output)),
        Box::new(number(tokens.cache_read)),
        Box::new(number(tokens.cache_write)),
        Box::new(number(tokens.reasoning)),
        Box::new(number(used.calls)),
        Box::new(money(cost.estimated)),
        Box::new(money(cost.actual)),
        Box::new(cost.status.clone()),
        Box::new(cost.source.clone()),
        Box::new(cost.pricing.clone()),
    ]
}

/// A sum from the columns of `NUMBERS`.
fn numbers(row: &Row<'_>, first: usize) -> Result<Usage, Fault> {
    let number = |place: usize| Ok::<u64, Fault>(row.get::<i64>(first + place)?.unsigned_abs());
    let money = |place: usize| {
        let sum: Option<i64> = row.get(first + place)?;
        Ok::<_, Fault>(sum.map(|sum| Micros::new(sum.unsigned_abs())))
    };
    Ok(Usage {
        tokens: Tokens {
            input: number(0)?,
            output: number(1)?,
            cache_read: number(2)?,
            cache_write: number(3)?,
            reasoning: number(4)?,
        },
        calls: number(5)?,
        cost: Cost {
            estimated: money(6)?,
            actual: money(7)?,
            status: row.get(first + 8)?,
            source: row.get(first + 9)?,
            pricing: row.get(first + 10)?,
        },
        ..Usage::default()
    })
}

fn lines(tx: &Tx<'_>, session: i64) -> Result<Vec<UsageLine>, Fault> {
    let sql = format!(
        "SELECT {NUMBERS}, model, provider, base_url, mode, task, first_at, last_at \
         FROM usage_lines WHERE session = ?1 ORDER BY model, provider, base_url, mode, task"
    );
    tx.all(&sql, [session], |row| {
        Ok(UsageLine {
            line: Line {
                model: row.get(11)?,
                provider: row.get(12)?,
                base_url: row.get(13)?,
                mode: row.get(14)?,
                task: row.get(15)?,
            },
            used: numbers(row, 0)?,
            first_at: rows::time(row, 16)?,
            last_at: rows::time(row, 17)?,
        })
    })
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
