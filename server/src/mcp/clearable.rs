//! Arguments for which null means "clear", unlike everywhere else, where it means "left out".

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// A change of a value that may be cleared. The advertised schema takes null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Clearable<T> {
    /// It was not given: the value stays.
    #[default]
    Keep,
    /// Null was given.
    Clear,
    /// A value was given.
    Set(T),
}

/// The mark by which [`super::schema`] knows it.
pub(crate) const CLEARABLE: &str = "x-clearable";

impl<T> Clearable<T> {
    /// `None` to keep, `Some(None)` to clear.
    pub(crate) fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }

    /// The same with the value turned into another.
    pub(crate) fn try_map<U, E>(self, turn: impl FnOnce(T) -> Result<U, E>) -> Result<Clearable<U>, E> {
        Ok(match self {
            Self::Keep => Clearable::Keep,
            Self::Clear => Clearable::Clear,
            Self::Set(value) => Clearable::Set(turn(value)?),
        })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Clearable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Clearable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>();
        schema.insert(CLEARABLE.to_owned(), true.into());
        schema
    }
}
