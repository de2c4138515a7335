//! Values on their way to PostgreSQL.
//!
//! A text there cannot hold the character zero, which a message may. It is written with a sign that texts do
//! not have, because it is no character, and read back as what it was.

use std::borrow::Cow;
use std::error::Error;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::database::value::{Kind, Value};

/// Before what is written otherwise than it is.
const SIGN: char = '\u{fdd3}';
const SIGN_ALONE: &str = "\u{fdd3}";

/// The character zero, and the sign itself.
const ZERO: &str = "\u{fdd3}0";
const SIGN_ITSELF: &str = "\u{fdd3}1";

/// The type of a value in a statement.
pub(super) const fn kind(kind: Kind) -> Type {
    match kind {
        Kind::Number => Type::INT8,
        Kind::Truth => Type::BOOL,
        Kind::Text => Type::TEXT,
        Kind::Bytes => Type::BYTEA,
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Number(number) => number.to_sql(ty, out),
            Self::Truth(truth) => truth.to_sql(ty, out),
            Self::Text(text) => guarded(text).as_ref().to_sql(ty, out),
            Self::Bytes(bytes) => bytes.to_sql(ty, out),
            Self::Missing(_) => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Each value is checked by the type that it is of.
        true
    }

    to_sql_checked!();
}

/// The text as PostgreSQL can hold it.
fn guarded(text: &str) -> Cow<'_, str> {
    if text.contains(['\0', SIGN]) {
        let signed = text.replace(SIGN, SIGN_ITSELF);
        return Cow::Owned(signed.replace('\0', ZERO));
    }
    Cow::Borrowed(text)
}

/// Whether a text of PostgreSQL is not what was given to it.
pub(super) fn is_guarded(text: &str) -> bool {
    text.contains(SIGN)
}

/// What was given to PostgreSQL as this text.
pub(crate) fn unguarded(text: &str) -> String {
    text.replace(ZERO, "\0").replace(SIGN_ITSELF, SIGN_ALONE)
}

#[cfg(test)]
#[path = "bind_tests.rs"]
mod tests;
