//! What comes out of a statement: rows of either engine, read by place.

use super::fault::Fault;
use crate::postgres::bind::unguarded;

/// One row that was found.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    /// A row of SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// A row of PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> Row<'r> {
    /// The value in this column.
    pub(crate) fn get<T: Column>(&self, column: usize) -> Result<T, Fault> {
        let cell = self.get_ref(column)?;
        T::read(cell).ok_or_else(|| {
            Fault::Undecodable(format!("column {column} of a row holds {}", cell.kind()))
        })
    }

    /// What stands in this column.
    pub(crate) fn get_ref(&self, column: usize) -> Result<Cell<'r>, Fault> {
        match self {
            Self::Sqlite(row) => Ok(Cell::of_sqlite(row.get_ref(column)?)),
            Self::Postgres(row) => crate::postgres::cell::read(row, column),
        }
    }
}

/// What stands in one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'r> {
    /// Nothing.
    Null,
    /// A whole number, or yes and no as one and zero.
    Number(i64),
    /// A number with a fraction.
    Real(f64),
    /// Words.
    Text(&'r str),
    /// Words that are written otherwise than they are (`postgres::bind`).
    Guarded(&'r str),
    /// Bytes.
    Bytes(&'r [u8]),
    /// Something else than any release wrote.
    Unreadable,
}

impl<'r> Cell<'r> {
    fn of_sqlite(value: rusqlite::types::ValueRef<'r>) -> Self {
        use rusqlite::types::ValueRef;
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Number(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => std::str::from_utf8(text).map_or(Self::Unreadable, Self::Text),
            ValueRef::Blob(bytes) => Self::Bytes(bytes),
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Number(_) => "a number that it should not",
            Self::Real(_) => "a fraction",
            Self::Text(_) | Self::Guarded(_) => "words",
            Self::Bytes(_) => "bytes",
            Self::Unreadable => "what cannot be read",
        }
    }

    /// The words.
    pub(crate) fn as_str(self) -> Result<&'r str, Fault> {
        if let Self::Text(text) | Self::Guarded(text) = self {
            return Ok(text);
        }
        let kind = self.kind();
        Err(Fault::Undecodable(format!(
            "where words should be, a row holds {kind}"
        )))
    }

    /// The words, if there are any.
    pub(crate) fn as_str_or_null(self) -> Result<Option<&'r str>, Fault> {
        if self == Self::Null {
            return Ok(None);
        }
        self.as_str().map(Some)
    }
}

/// What can be read from a column.
pub(crate) trait Column: Sized {
    /// The value, if that is what stands there.
    fn read(cell: Cell<'_>) -> Option<Self>;
}

impl Column for i64 {
    fn read(cell: Cell<'_>) -> Option<Self> {
        let Cell::Number(number) = cell else {
            return None;
        };
        Some(number)
    }
}

impl Column for u32 {
    fn read(cell: Cell<'_>) -> Option<Self> {
        Self::try_from(i64::read(cell)?).ok()
    }
}

impl Column for u64 {
    fn read(cell: Cell<'_>) -> Option<Self> {
        Self::try_from(i64::read(cell)?).ok()
    }
}

impl Column for i32 {
    fn read(cell: Cell<'_>) -> Option<Self> {
        Self::try_from(i64::read(cell)?).ok()
    }
}

impl Column for bool {
    fn read(cell: Cell<'_>) -> Option<Self> {
        Some(i64::read(cell)? != 0)
    }
}

impl Column for f64 {
    fn read(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Real(number) = cell {
            return Some(number);
        }
        i64::read(cell).map(|number| number as Self)
    }
}

impl Column for String {
    fn read(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Guarded(text) = cell {
            return Some(unguarded(text));
        }
        cell.as_str().ok().map(str::to_owned)
    }
}

impl Column for Vec<u8> {
    fn read(cell: Cell<'_>) -> Option<Self> {
        let Cell::Bytes(bytes) = cell else {
            return None;
        };
        Some(bytes.to_vec())
    }
}

impl<const N: usize> Column for [u8; N] {
    fn read(cell: Cell<'_>) -> Option<Self> {
        Vec::<u8>::read(cell)?.try_into().ok()
    }
}

impl<T: Column> Column for Option<T> {
    fn read(cell: Cell<'_>) -> Option<Self> {
        if cell == Cell::Null {
            return Some(None);
        }
        T::read(cell).map(Some)
    }
}
