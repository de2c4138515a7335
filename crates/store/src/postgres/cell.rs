//! What stands in a column of a row of PostgreSQL.

use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::bind::is_guarded;
use crate::database::fault::Fault;
use crate::database::row::Cell;

/// What stands in this column. Yes and no are one and zero, as they are on SQLite.
pub(crate) fn read(row: &Row, column: usize) -> Result<Cell<'_>, Fault> {
    let Some(kind) = row.columns().get(column).map(tokio_postgres::Column::type_) else {
        return Err(Fault::Undecodable(format!("a row has no column {column}")));
    };
    Ok(match *kind {
        Type::INT8 => or_null(row.try_get(column)?, Cell::Number),
        Type::INT4 => or_null(row.try_get(column)?, |number: i32| {
            Cell::Number(number.into())
        }),
        Type::BOOL => or_null(row.try_get(column)?, |truth: bool| {
            Cell::Number(truth.into())
        }),
        Type::FLOAT8 => or_null(row.try_get(column)?, Cell::Real),
        Type::TEXT | Type::VARCHAR => or_null(row.try_get(column)?, words),
        Type::BYTEA => or_null(row.try_get(column)?, Cell::Bytes),
        _ => Cell::Unreadable,
    })
}

fn or_null<'r, T>(value: Option<T>, cell: impl FnOnce(T) -> Cell<'r>) -> Cell<'r> {
    value.map_or(Cell::Null, cell)
}

fn words(text: &str) -> Cell<'_> {
    if is_guarded(text) {
        Cell::Guarded(text)
    } else {
        Cell::Text(text)
    }
}
