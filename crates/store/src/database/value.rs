//! What goes into a statement: a few kinds of values, and lists of them.
//!
//! A value knows its kind even where it is missing: a server that is asked about `?1 IS NULL` alone could not
//! tell what `?1` would have been.

/// One value of a statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'v> {
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// Words.
    Text(&'v str),
    /// Bytes.
    Bytes(&'v [u8]),
    /// Nothing, where there could have been a value of this kind.
    Missing(Kind),
}

/// The kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A whole number.
    Number,
    /// Yes or no.
    Truth,
    /// Words.
    Text,
    /// Bytes.
    Bytes,
}

impl Value<'_> {
    /// Its kind.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Truth(_) => Kind::Truth,
            Self::Text(_) => Kind::Text,
            Self::Bytes(_) => Kind::Bytes,
            Self::Missing(kind) => kind,
        }
    }
}

/// A value that outlives the call it was given with, or is on its way from one store to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// Words.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Nothing, where there could have been a value of this kind.
    Missing(Kind),
}

impl Owned {
    /// A copy of the value.
    pub(crate) fn of(value: Value<'_>) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Truth(truth) => Self::Truth(truth),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_owned()),
            Value::Missing(kind) => Self::Missing(kind),
        }
    }

    /// The value.
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Self::Number(number) => Value::Number(*number),
            Self::Truth(truth) => Value::Truth(*truth),
            Self::Text(text) => Value::Text(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Missing(kind) => Value::Missing(*kind),
        }
    }
}

/// What may stand in a statement.
pub(crate) trait Bind {
    /// The kind of all values of this type.
    const KIND: Kind;

    /// The value.
    fn value(&self) -> Value<'_>;
}

/// The same without the kind, so that values of several types can be in one list.
pub(crate) trait Bound {
    /// The value.
    fn bound(&self) -> Value<'_>;
}

impl<T: Bind + ?Sized> Bound for T {
    fn bound(&self) -> Value<'_> {
        self.value()
    }
}

impl Bind for i64 {
    const KIND: Kind = Kind::Number;

    fn value(&self) -> Value<'_> {
        Value::Number(*self)
    }
}

impl Bind for u32 {
    const KIND: Kind = Kind::Number;

    fn value(&self) -> Value<'_> {
        Value::Number(i64::from(*self))
    }
}

impl Bind for i32 {
    const KIND: Kind = Kind::Number;

    fn value(&self) -> Value<'_> {
        Value::Number(i64::from(*self))
    }
}

/// More than any row holds is as much as a row can hold.
impl Bind for u64 {
    const KIND: Kind = Kind::Number;

    fn value(&self) -> Value<'_> {
        Value::Number(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl Bind for bool {
    const KIND: Kind = Kind::Truth;

    fn value(&self) -> Value<'_> {
        Value::Truth(*self)
    }
}

impl Bind for str {
    const KIND: Kind = Kind::Text;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Bind for String {
    const KIND: Kind = Kind::Text;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Bind for [u8] {
    const KIND: Kind = Kind::Bytes;

    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    const KIND: Kind = T::KIND;

    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl<T: Bind> Bind for Option<T> {
    const KIND: Kind = T::KIND;

    fn value(&self) -> Value<'_> {
        match self {
            Some(value) => value.value(),
            None => Value::Missing(T::KIND),
        }
    }
}

/// The values of a statement, in order.
pub(crate) trait Params {
    /// How many there are.
    fn count(&self) -> usize;

    /// The one at this place, from zero.
    fn at(&self, place: usize) -> Value<'_>;
}

impl<T: Bind, const N: usize> Params for [T; N] {
    fn count(&self) -> usize {
        N
    }

    fn at(&self, place: usize) -> Value<'_> {
        self[place].value()
    }
}

impl Params for &[&dyn Bound] {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, place: usize) -> Value<'_> {
        self[place].bound()
    }
}

impl Params for &[Owned] {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, place: usize) -> Value<'_> {
        self[place].value()
    }
}

/// No values at all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nothing;

impl Params for Nothing {
    fn count(&self) -> usize {
        0
    }

    fn at(&self, _: usize) -> Value<'_> {
        Value::Missing(Kind::Number)
    }
}

/// A list of values of several types.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::database::value::Bound),*] as &[&dyn $crate::database::value::Bound]
    };
}
pub(crate) use params;
