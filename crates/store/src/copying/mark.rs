//! The mark of an unfinished copy: a table that is there from its first moment until it was checked.
//!
//! The row without a name says what it is a copy of. The others say how far each table is, and are written with
//! the rows they speak of. Nobody else writes them: whoever finds another state than it left is not alone.

use angelia_core::copying::Mark;
use serde::{Deserialize, Serialize};

use super::end::End;
use super::shape::Shape;
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Nothing, Owned, params};
use crate::postgres::line::Line;

/// Both engines read it.
const MAKE: &str = "CREATE TABLE copying (name TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)";

/// The name of the row that says what it is a copy of.
const HEAD: &str = "";

const BODY: &str = "SELECT body FROM copying WHERE name = ?1";

/// What is written of the head.
#[derive(Serialize, Deserialize)]
struct Head {
    from: String,
    boots: String,
}

/// How far a table is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Step {
    /// Rows that were copied.
    pub(super) rows: u64,
    /// The key of the last of them.
    pub(super) after: Option<Vec<KeyPart>>,
    /// Whether these are all.
    pub(super) state: State,
}

/// Whether a table is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Not all of it.
    #[default]
    Open,
    /// All of it.
    Done,
}

/// A part of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum KeyPart {
    Number(i64),
    Text(String),
}

impl KeyPart {
    /// The part of a key that stands in a row. Keys have numbers and words alone.
    pub(super) fn of(value: &Owned) -> Result<Self, Fault> {
        match value {
            Owned::Number(number) => Ok(Self::Number(*number)),
            Owned::Text(text) => Ok(Self::Text(text.clone())),
            Owned::Truth(_) | Owned::Bytes(_) | Owned::Missing(_) => Err(Fault::Undecodable(
                "a key holds neither a number nor words".to_owned(),
            )),
        }
    }

    /// The same as a value of a statement.
    pub(super) fn owned(&self) -> Owned {
        match self {
            Self::Number(number) => Owned::Number(*number),
            Self::Text(text) => Owned::Text(text.clone()),
        }
    }
}

/// What the store is an unfinished copy of, if it is one.
pub(crate) fn of_tx(tx: &Tx<'_>) -> Result<Option<Mark>, Fault> {
    let there = match tx.engine() {
        Engine::Sqlite => {
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'copying'"
        }
        Engine::Postgres => THERE,
    };
    if tx.number(there, Nothing)? == 0 {
        return Ok(None);
    }
    tx.one(BODY, [HEAD], head)
}

const THERE: &str = "SELECT CASE WHEN to_regclass('copying') IS NULL THEN 0 ELSE 1 END";

/// The same on a connection to a server.
pub(crate) fn of_line(line: &mut Line) -> Result<Option<Mark>, Fault> {
    let there = line.query(THERE, &Nothing)?;
    let there: Option<i32> = there.first().map(|row| row.try_get(0)).transpose()?;
    if there != Some(1) {
        return Ok(None);
    }
    let found = line.query(BODY, &[HEAD])?;
    found
        .first()
        .map(|row| head(&Row::Postgres(row)))
        .transpose()
}

fn head(row: &Row<'_>) -> Result<Mark, Fault> {
    let head: Head = parsed(&row.get::<String>(0)?)?;
    let boots = head.boots.parse();
    Ok(Mark {
        from: head.from,
        boots: boots.map_err(|error| Fault::Undecodable(format!("{error}: {}", head.boots)))?,
    })
}

fn parsed<T: serde::de::DeserializeOwned>(body: &str) -> Result<T, Fault> {
    let parsed = serde_json::from_str(body);
    parsed.map_err(|error| Fault::Undecodable(format!("the mark of a copy: {error}")))
}

fn said<T: Serialize>(body: &T) -> Result<String, Fault> {
    let said = serde_json::to_string(body);
    said.map_err(|error| Fault::Undecodable(format!("the mark of a copy: {error}")))
}

/// Marks a target that has no mark yet.
pub(super) fn put(target: &End, mark: &Mark) -> Result<(), StoreError> {
    target.write(|tx| {
        tx.run(MAKE, Nothing)?;
        put_head(tx, mark)
    })
}

fn put_head(tx: &Tx<'_>, mark: &Mark) -> Result<(), Fault> {
    let head = Head {
        from: mark.from.clone(),
        boots: mark.boots.to_string(),
    };
    let sql = "INSERT INTO copying (name, body) VALUES (?1, ?2)";
    tx.run(sql, params![HEAD, said(&head)?]).map(drop)
}

/// Empties an unfinished copy and marks it anew.
pub(super) fn renew(target: &End, mark: &Mark) -> Result<(), StoreError> {
    // It may have been killed before its tables were there.
    target.make_tables()?;
    let shape = Shape::of_this_release()?;
    target.write(|tx| {
        for table in shape.tables().iter().rev() {
            tx.run(&format!("DELETE FROM \"{}\"", table.name), Nothing)?;
        }
        tx.run("DELETE FROM copying", Nothing)?;
        put_head(tx, mark)
    })
}

/// The target is a store from now on.
pub(super) fn take_away(target: &End) -> Result<(), StoreError> {
    target.write(|tx| tx.run("DROP TABLE copying", Nothing).map(drop))
}

/// How far a table is.
pub(super) fn step(target: &End, table: &str) -> Result<Step, StoreError> {
    target.read(|tx| {
        let body: Option<String> = tx.one(BODY, [table], |row| row.get(0))?;
        body.map_or_else(|| Ok(Step::default()), |body| parsed(&body))
    })
}

/// Writes down how far a table is, in the transaction of its rows; whether nobody else did meanwhile.
pub(super) fn advance(
    tx: &Tx<'_>,
    table: &str,
    (before, after): (&Step, &Step),
) -> Result<bool, Fault> {
    let (was, is) = (said(before)?, said(after)?);
    let changed = match *before == Step::default() {
        true => tx.run(
            "INSERT INTO copying (name, body) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![table, is],
        )?,
        false => tx.run(
            "UPDATE copying SET body = ?2 WHERE name = ?1 AND body = ?3",
            params![table, is, was],
        )?,
    };
    Ok(changed == 1)
}
