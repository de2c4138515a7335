//! The tables of this release: their columns, their keys, and an order in which none refers to a later one.
//!
//! It is read from the tables that the migrations make, in a database of memory that is thrown away. Both engines have
//! the same tables and columns, which a test sees to, so one reading is enough.

use std::collections::BTreeSet;

use angelia_core::time::Timestamp;

use super::media::Way;
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::{Kind, Nothing};
use crate::sqlite::{connection, migrate};

/// How far the search index is: it is made from the rows by whoever uses the store.
const NOT_COPIED: [&str; 1] = ["search_state"];

/// The bytes of pictures and files, which are rows only where a server keeps them.
pub(super) const MEDIA_BYTES: &str = "media_bytes";

/// The boots that a store has seen.
pub(super) const BOOTS: &str = "nodes";

/// All tables that are copied, in an order in which none refers to a later one.
#[derive(Debug)]
pub(super) struct Shape(Vec<Table>);

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, Kind)>,
    /// The places of the columns that tell its rows apart, in the order of the key.
    pub(super) key: Vec<usize>,
    /// The other tables that its rows refer to.
    refers_to: BTreeSet<String>,
}

impl Shape {
    /// Those that the migrations of this release make.
    pub(super) fn of_this_release() -> Result<Self, StoreError> {
        let place = "the tables of this release";
        let conn = connection::in_memory().map_err(|fault| fault.said(place))?;
        migrate::migrate(&conn, place)?;
        let tx = Tx::on(&conn, Timestamp::from_ms(0));
        read(&tx).map_err(|fault| fault.said(place))
    }

    /// The same with or without the bytes of pictures and files, by what becomes of them.
    pub(super) fn with_media_bytes(self, way: Way) -> Self {
        let is_copied = |table: &Table| way == Way::RowsToRows || table.name != MEDIA_BYTES;
        Self(self.0.into_iter().filter(is_copied).collect())
    }

    pub(super) fn tables(&self) -> &[Table] {
        &self.0
    }

    /// The table of this name.
    pub(super) fn named(&self, name: &str) -> Option<&Table> {
        self.0.iter().find(|table| table.name == name)
    }
}

impl Table {
    /// Reads its rows in the order of its key, those behind a key if `from` is one.
    pub(super) fn select(&self, from: From) -> String {
        let names = listed(self.columns.iter().map(|(name, _)| name.as_str()));
        let key = listed(self.key_names());
        let places: Vec<String> = (1..=self.key.len())
            .map(|place| format!("?{place}"))
            .collect();
        let which = match from {
            From::Beginning => String::new(),
            From::Behind => format!(" WHERE ({key}) > ({})", places.join(", ")),
        };
        format!(
            "SELECT {names} FROM \"{}\"{which} ORDER BY {key}",
            self.name
        )
    }

    /// Reads the row with a key.
    pub(super) fn one(&self) -> String {
        let names = listed(self.columns.iter().map(|(name, _)| name.as_str()));
        let key = self.key_names().enumerate();
        let key: Vec<String> = key
            .map(|(place, name)| format!("\"{name}\" = ?{}", place + 1))
            .collect();
        let key = key.join(" AND ");
        format!("SELECT {names} FROM \"{}\" WHERE {key}", self.name)
    }

    pub(super) fn key_names(&self) -> impl Iterator<Item = &str> {
        let column = |place: &usize| self.columns[*place].0.as_str();
        self.key.iter().map(column)
    }
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// With the first row.
    Beginning,
    /// Behind the row of a key.
    Behind,
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

fn read(tx: &Tx<'_>) -> Result<Shape, Fault> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
               AND name NOT LIKE 'sqlite%' ORDER BY name";
    let names: Vec<String> = tx.all(sql, Nothing, |row| row.get(0))?;
    let copied = names
        .into_iter()
        .filter(|name| !NOT_COPIED.contains(&name.as_str()));
    let tables: Result<Vec<Table>, Fault> = copied.map(|name| table(tx, name)).collect();
    ordered(tables?).map(Shape)
}

fn table(tx: &Tx<'_>, name: String) -> Result<Table, Fault> {
    let sql = "SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid";
    let found: Vec<(String, String, i64)> = tx.all(sql, [&name], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })?;
    let mut key: Vec<(i64, usize)> = Vec::new();
    let mut columns = Vec::new();
    for (place, (column, kind, rank)) in found.into_iter().enumerate() {
        if rank > 0 {
            key.push((rank, place));
        }
        let kind = kind_named(&kind).ok_or_else(|| unknown(&name, &column, &kind))?;
        columns.push((column, kind));
    }
    key.sort_unstable();
    let refers = "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?1)";
    let refers: Vec<String> = tx.all(refers, [&name], |row| row.get(0))?;
    Ok(Table {
        refers_to: refers.into_iter().filter(|other| *other != name).collect(),
        name,
        columns,
        key: key.into_iter().map(|(_, place)| place).collect(),
    })
}

fn kind_named(name: &str) -> Option<Kind> {
    match name {
        "INTEGER" => Some(Kind::Number),
        "TEXT" => Some(Kind::Text),
        "BLOB" => Some(Kind::Bytes),
        _ => None,
    }
}

fn unknown(table: &str, column: &str, kind: &str) -> Fault {
    Fault::Undecodable(format!(
        "column `{column}` of `{table}` has a kind that is not copied, {kind}"
    ))
}

/// The tables so that each comes after those that it refers to.
fn ordered(mut left: Vec<Table>) -> Result<Vec<Table>, Fault> {
    let mut placed: Vec<Table> = Vec::new();
    while !left.is_empty() {
        let waits = |table: &Table| {
            left.iter()
                .any(|other| table.refers_to.contains(&other.name))
        };
        let Some(next) = left.iter().position(|table| !waits(table)) else {
            return Err(Fault::Undecodable(
                "its tables refer to each other in a circle".to_owned(),
            ));
        };
        placed.push(left.remove(next));
    }
    Ok(placed)
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
