//! A condition in SQL with its parameters, built from fixed pieces of text. Nothing a caller sends
//! ever becomes SQL.

use store::Value;

/// `AND`-ed pieces of SQL, each with its parameters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Condition {
    sql: String,
    params: Vec<Value>,
}

impl Condition {
    /// Adds `piece`, in which every `?` is the next of `params`.
    pub(crate) fn and(&mut self, piece: &str, params: impl IntoIterator<Item = Value>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push('(');
        self.sql.push_str(piece);
        self.sql.push(')');
        self.params.extend(params);
    }

    /// As SQL; true when nothing was added.
    pub(crate) fn sql(&self) -> &str {
        if self.sql.is_empty() { "TRUE" } else { &self.sql }
    }

    /// The parameters, in the order of their `?`.
    pub(crate) fn params(&self) -> &[Value] {
        &self.params
    }

    /// The parameters, after and before others.
    pub(crate) fn params_between(&self, before: &[Value], after: &[Value]) -> Vec<Value> {
        [before, &self.params, after].concat()
    }
}

/// The piece that `column` begins with a prefix, and the bounds it takes.
pub(crate) fn begins_with(column: &str, prefix: &str) -> (String, [Value; 2]) {
    // Nothing sorts after the last code point, and no path or tag can hold it.
    (format!("{column} >= ? AND {column} < ?"), [prefix.into(), format!("{prefix}\u{10ffff}").into()])
}

/// The piece that the folded path in `column` lies in a folder or below it.
pub(crate) fn in_folder(column: &str, folder_key: &str) -> (String, [Value; 2]) {
    // `0` is the character after `/`.
    (
        format!("{column} > ? AND {column} < ?"),
        [format!("{folder_key}/").into(), format!("{folder_key}0").into()],
    )
}
