//! Values that go into statements and come out of rows.

use crate::error::StoreError;

/// A parameter or a column.
///
/// Text goes in as UTF-8. A NUL character in it is stored as U+FFFD, as CommonMark reads it: the
/// client library cuts text at a NUL when it reads it back, and a silent cut is worse. Bytes that must
/// come back exactly belong into a blob.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A 64-bit integer; booleans are 0 and 1.
    Integer(i64),
    /// A 64-bit float. SQLite stores NaN as NULL.
    Real(f64),
    /// UTF-8 text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl Value {
    /// What kind of value this is, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real number",
            Self::Text(_) => "text",
            Self::Blob(_) => "a blob",
        }
    }
}

/// Builds a slice of [`Value`]s from anything that converts: `params![path, size, None::<i64>]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::Value::from($value)),*] as &[$crate::Value] };
}

macro_rules! value_from {
    ($($from:ty => |$value:ident| $into:expr),* $(,)?) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self { $into }
        })*
    };
}

value_from! {
    i64 => |value| Self::Integer(value),
    i32 => |value| Self::Integer(i64::from(value)),
    u32 => |value| Self::Integer(i64::from(value)),
    u16 => |value| Self::Integer(i64::from(value)),
    u8 => |value| Self::Integer(i64::from(value)),
    bool => |value| Self::Integer(i64::from(value)),
    f64 => |value| Self::Real(value),
    f32 => |value| Self::Real(f64::from(value)),
    String => |value| Self::Text(value),
    &str => |value| Self::Text(value.to_owned()),
    &String => |value| Self::Text(value.clone()),
    Vec<u8> => |value| Self::Blob(value),
    &[u8] => |value| Self::Blob(value.to_vec()),
    &Vec<u8> => |value| Self::Blob(value.clone()),
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(value: [u8; N]) -> Self {
        Self::Blob(value.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(value: &[u8; N]) -> Self {
        Self::Blob(value.to_vec())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A type a column can be read as. Numbers are checked, never wrapped.
pub trait FromValue: Sized {
    /// What the type is called in messages.
    const WANTED: &'static str;

    /// The value as this type, or the value back when it is something else.
    ///
    /// # Errors
    /// Returns the value unchanged when it does not fit.
    fn from_value(value: Value) -> Result<Self, Value>;
}

/// Reads `value` of column `index` as `T`.
pub(crate) fn convert<T: FromValue>(index: usize, value: Value) -> Result<T, StoreError> {
    T::from_value(value).map_err(|value| StoreError::Column { index, wanted: T::WANTED, found: value.kind() })
}

macro_rules! integer_from_value {
    ($($type:ty => $wanted:literal),* $(,)?) => {
        $(impl FromValue for $type {
            const WANTED: &'static str = $wanted;

            fn from_value(value: Value) -> Result<Self, Value> {
                match value {
                    Value::Integer(number) => Self::try_from(number).map_err(|_| value),
                    other => Err(other),
                }
            }
        })*
    };
}

integer_from_value! {
    i64 => "a 64-bit integer",
    i32 => "a 32-bit integer",
    u64 => "a non-negative integer",
    u32 => "a non-negative 32-bit integer",
    u16 => "a non-negative 16-bit integer",
    u8 => "a non-negative 8-bit integer",
    usize => "a non-negative integer",
}

impl FromValue for f64 {
    const WANTED: &'static str = "a number";

    #[expect(clippy::cast_precision_loss, reason = "SQLite converts integers to reals the same way")]
    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Real(number) => Ok(number),
            Value::Integer(number) => Ok(number as Self),
            other => Err(other),
        }
    }
}

impl FromValue for bool {
    const WANTED: &'static str = "a boolean";

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Integer(0) => Ok(false),
            Value::Integer(1) => Ok(true),
            other => Err(other),
        }
    }
}

impl FromValue for String {
    const WANTED: &'static str = "text";

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Text(text) => Ok(text),
            other => Err(other),
        }
    }
}

impl FromValue for Vec<u8> {
    const WANTED: &'static str = "a blob";

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Blob(bytes) => Ok(bytes),
            other => Err(other),
        }
    }
}

impl FromValue for Value {
    const WANTED: &'static str = "a value";

    fn from_value(value: Value) -> Result<Self, Value> {
        Ok(value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const WANTED: &'static str = T::WANTED;

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Null => Ok(None),
            other => T::from_value(other).map(Some),
        }
    }
}
