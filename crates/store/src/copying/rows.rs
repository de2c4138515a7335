//! Rows from one end to the other, so many at a time.

use std::ops::ControlFlow;

use angelia_core::limits;

use super::end::End;
use super::mark::{self, KeyPart, State, Step};
use super::shape::{From, Shape, Table};
use super::{CopyError, Copying, Counted};
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::row::{Cell, Row};
use crate::database::value::{Kind, Nothing, Owned};
use crate::postgres::bind::unguarded;

/// How many rows each table has.
pub(super) fn counted(end: &End, shape: &Shape) -> Result<Vec<Counted>, StoreError> {
    end.read(|tx| {
        let count = |table: &Table| {
            let sql = format!("SELECT count(*) FROM \"{}\"", table.name);
            Ok(Counted {
                table: table.name.clone(),
                rows: tx.number(&sql, Nothing)?.unsigned_abs(),
            })
        };
        shape.tables().iter().map(count).collect()
    })
}

/// Copies what is missing of a table; how many rows it has.
pub(super) fn copy(
    copying: &Copying,
    table: &Table,
    tell: &mut dyn FnMut(u64),
) -> Result<u64, CopyError> {
    let step = mark::step(&copying.target, &table.name)?;
    if step.state == State::Done {
        return Ok(step.rows);
    }
    let from = match &step.after {
        None => From::Beginning,
        Some(_) => From::Behind,
    };
    let key: Vec<Owned> = step.after.iter().flatten().map(KeyPart::owned).collect();
    let mut load = Load {
        target: &copying.target,
        table,
        step,
        rows: Vec::new(),
        bytes: 0,
    };
    let mut failed = None;
    copying.source.read(|tx| {
        tx.stream(&table.select(from), key.as_slice(), |row| {
            load.take(row)?;
            if !load.is_full() {
                return Ok(ControlFlow::Continue(()));
            }
            // What goes wrong at the target is not to be said of the source.
            failed = load.put(State::Open).err();
            tell(load.step.rows);
            Ok(match failed {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            })
        })
    })?;
    failed.map_or(Ok(()), Err)?;
    load.put(State::Done)?;
    Ok(load.step.rows)
}

/// Rows on their way.
struct Load<'c> {
    target: &'c End,
    table: &'c Table,
    step: Step,
    rows: Vec<Vec<Owned>>,
    bytes: usize,
}

impl Load<'_> {
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let row = owned(self.table, row)?;
        self.bytes += row.iter().map(weight).sum::<usize>();
        self.rows.push(row);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= limits::COPY_BATCH_ROWS || self.bytes >= limits::COPY_BATCH_BYTES
    }

    /// Writes the rows, and how far the table is with them.
    fn put(&mut self, state: State) -> Result<(), CopyError> {
        let after = match self.rows.last() {
            Some(row) => {
                Some(key(self.table, row).map_err(|fault| fault.said(&self.target.place))?)
            }
            None => self.step.after.clone(),
        };
        let next = Step {
            rows: self.step.rows + self.rows.len() as u64,
            after,
            state,
        };
        let alone = self.target.write(|tx| {
            let steps = (&self.step, &next);
            if !mark::advance(tx, &self.table.name, steps)? {
                return Ok(false);
            }
            tx.load(&self.table.name, &self.table.columns, &self.rows)?;
            Ok(true)
        })?;
        if !alone {
            return Err(CopyError::Overtaken(self.target.place.clone()));
        }
        self.rows.clear();
        self.bytes = 0;
        self.step = next;
        Ok(())
    }
}

/// What a value takes in memory, about.
fn weight(value: &Owned) -> usize {
    let content = match value {
        Owned::Number(_) | Owned::Truth(_) | Owned::Missing(_) => 0,
        Owned::Text(text) => text.len(),
        Owned::Bytes(bytes) => bytes.len(),
    };
    size_of::<Owned>() + content
}

/// The row, to be kept.
pub(super) fn owned(table: &Table, row: &Row<'_>) -> Result<Vec<Owned>, Fault> {
    let columns = table.columns.iter().enumerate();
    columns
        .map(|(place, (name, kind))| {
            let cell = row.get_ref(place)?;
            value(cell, *kind).ok_or_else(|| {
                let table = &table.name;
                Fault::Undecodable(format!(
                    "a row of `{table}` holds in `{name}` what no release wrote"
                ))
            })
        })
        .collect()
}

fn value(cell: Cell<'_>, kind: Kind) -> Option<Owned> {
    match (cell, kind) {
        (Cell::Null, _) => Some(Owned::Missing(kind)),
        (Cell::Number(number), Kind::Number) => Some(Owned::Number(number)),
        (Cell::Text(text), Kind::Text) => Some(Owned::Text(text.to_owned())),
        (Cell::Guarded(text), Kind::Text) => Some(Owned::Text(unguarded(text))),
        (Cell::Bytes(bytes), Kind::Bytes) => Some(Owned::Bytes(bytes.to_vec())),
        _ => None,
    }
}

/// The key of a row.
pub(super) fn key(table: &Table, row: &[Owned]) -> Result<Vec<KeyPart>, Fault> {
    let parts = table.key.iter();
    parts.map(|place| KeyPart::of(&row[*place])).collect()
}
