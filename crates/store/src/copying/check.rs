//! Whether a table holds the same at both ends.
//!
//! Both are read row by row and added up (`core::copying::checksum`). Only where the sums differ is each row looked
//! for at the other end, to name the first that is not the same.

use std::fmt;
use std::ops::ControlFlow;

use angelia_core::copying::checksum::{self, RowHash, Sum};

use super::end::End;
use super::mark::KeyPart;
use super::rows::{key, owned};
use super::shape::{From, Table};
use super::{CopyError, Copying};
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::value::{Nothing, Owned};

/// How often progress is told, in rows.
const TELL_EVERY: u64 = 5_000;

/// The first row in which two stores differ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the copy is not the same as {from}: in table `{table}` the row with {key} {how}; nothing was marked as usable. \
     Look whether another program writes to either of them, then begin anew with `--start-over`"
)]
pub struct Difference {
    /// The source.
    pub from: String,
    /// The table.
    pub table: String,
    /// The key of the row, in words.
    pub key: String,
    /// What is wrong with it.
    pub how: How,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// The copy does not have it.
    Missing,
    /// Only the copy has it.
    Extra,
    /// It stands otherwise in this column.
    Otherwise(String),
    /// It was found nowhere on a second look.
    Gone,
}

impl fmt::Display for How {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => out.write_str("is missing in the copy"),
            Self::Extra => out.write_str("is in the copy alone"),
            Self::Otherwise(column) => write!(out, "has something else in `{column}`"),
            Self::Gone => out.write_str("changed while it was looked at"),
        }
    }
}

/// The sum of a table that is the same at both ends.
pub(super) fn table(
    copying: &Copying,
    table: &Table,
    tell: &mut dyn FnMut(u64),
) -> Result<Sum, CopyError> {
    // Each end is a half of the way.
    let there = sum(&copying.source, table, &mut |rows| tell(rows / 2))?;
    let here = sum(&copying.target, table, &mut |rows| {
        tell(there.rows() / 2 + rows / 2);
    })?;
    if there == here {
        return Ok(there);
    }
    Err(difference(copying, table)?.into())
}

/// All rows of a table, added up.
pub(super) fn sum(end: &End, table: &Table, tell: &mut dyn FnMut(u64)) -> Result<Sum, StoreError> {
    let mut sum = Sum::default();
    end.read(|tx| {
        tx.stream(&table.select(From::Beginning), Nothing, |row| {
            sum.add(hash(&owned(table, row)?));
            if sum.rows().is_multiple_of(TELL_EVERY) {
                tell(sum.rows());
            }
            Ok(ControlFlow::Continue(()))
        })
    })?;
    tell(sum.rows());
    Ok(sum)
}

fn hash(row: &[Owned]) -> RowHash {
    RowHash::of(row.iter().map(|value| match value {
        Owned::Number(number) => checksum::Cell::Number(*number),
        Owned::Truth(truth) => checksum::Cell::Number(i64::from(*truth)),
        Owned::Text(text) => checksum::Cell::Text(text),
        Owned::Bytes(bytes) => checksum::Cell::Bytes(bytes),
        Owned::Missing(_) => checksum::Cell::Nothing,
    }))
}

fn difference(copying: &Copying, table: &Table) -> Result<Difference, CopyError> {
    let (source, target) = (&copying.source, &copying.target);
    let lost = first(source, target, table, |row, other| match other {
        None => Some(How::Missing),
        Some(other) => otherwise(table, row, other),
    })?;
    let found = match lost {
        Some(lost) => Some(lost),
        None => first(target, source, table, |_, other| {
            other.is_none().then_some(How::Extra)
        })?,
    };
    let (key, how) = found.unwrap_or_else(|| ("any key".to_owned(), How::Gone));
    Ok(Difference {
        from: source.place.clone(),
        table: table.name.clone(),
        key,
        how,
    })
}

/// The first row of one end of which something is wrong at the other.
fn first(
    one: &End,
    other: &End,
    table: &Table,
    wrong: impl Fn(&[Owned], Option<&[Owned]>) -> Option<How>,
) -> Result<Option<(String, How)>, CopyError> {
    let (mut found, mut failed) = (None, None);
    one.read(|tx| {
        tx.stream(&table.select(From::Beginning), Nothing, |row| {
            let row = owned(table, row)?;
            let parts = key(table, &row)?;
            let at_other = match fetched(other, table, &parts) {
                Ok(at_other) => at_other,
                Err(error) => {
                    failed = Some(error);
                    return Ok(ControlFlow::Break(()));
                }
            };
            found = wrong(&row, at_other.as_deref()).map(|how| (named(table, &parts), how));
            Ok(match found {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            })
        })
    })?;
    failed.map_or(Ok(found), |error| Err(error.into()))
}

fn fetched(end: &End, table: &Table, parts: &[KeyPart]) -> Result<Option<Vec<Owned>>, StoreError> {
    let key: Vec<Owned> = parts.iter().map(KeyPart::owned).collect();
    let read = |row: &Row<'_>| -> Result<Vec<Owned>, Fault> { owned(table, row) };
    end.read(|tx| tx.one(&table.one(), key.as_slice(), read))
}

fn otherwise(table: &Table, row: &[Owned], other: &[Owned]) -> Option<How> {
    let mut pairs = row.iter().zip(other).zip(&table.columns);
    let ((_, _), (name, _)) = pairs.find(|((one, other), _)| one != other)?;
    Some(How::Otherwise(name.clone()))
}

fn named(table: &Table, parts: &[KeyPart]) -> String {
    let named: Vec<String> = table
        .key_names()
        .zip(parts)
        .map(|(name, part)| match part {
            KeyPart::Number(number) => format!("{name} = {number}"),
            KeyPart::Text(text) => format!("{name} = {text:?}"),
        })
        .collect();
    named.join(", ")
}
