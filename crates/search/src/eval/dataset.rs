//! Labelled sets in the layout of BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::Value;

use super::error::EvalError;

/// A document of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledDocument {
    /// Its name in the judgements.
    pub id: String,
    /// Its title, often empty.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// A query with what is right for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Its name.
    pub id: String,
    /// What is searched for.
    pub text: String,
    /// What the set says of it: difficulty, kind.
    pub labels: BTreeMap<String, String>,
    /// Documents judged relevant, with their gain; higher is better. Others are not relevant.
    pub relevant: HashMap<String, f64>,
}

/// A labelled set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dataset {
    /// Its name: that of its folder.
    pub name: String,
    /// What is searched.
    pub documents: Vec<LabelledDocument>,
    /// The queries that have at least one relevant document.
    pub queries: Vec<Query>,
}

impl Dataset {
    /// Reads a set from its folder.
    ///
    /// # Errors
    /// A file that is missing or a line that is malformed, by name.
    pub fn load(folder: &Path) -> Result<Self, EvalError> {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut documents = Vec::new();
        for_each_line(&folder.join("corpus.jsonl"), |line| {
            let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            documents.push(LabelledDocument {
                id: text(&value, "_id").ok_or("no `_id`")?,
                title: text(&value, "title").unwrap_or_default(),
                text: text(&value, "text").ok_or("no `text`")?,
            });
            Ok(())
        })?;
        let mut judgements = judgements(&folder.join("qrels.tsv"))?;
        let mut queries = Vec::new();
        for_each_line(&folder.join("queries.jsonl"), |line| {
            let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let id = text(&value, "_id").ok_or("no `_id`")?;
            let labels = value.get("metadata").and_then(Value::as_object);
            let relevant = judgements.remove(&id).unwrap_or_default();
            if !relevant.is_empty() {
                queries.push(Query {
                    text: text(&value, "text").ok_or("no `text`")?,
                    labels: labels
                        .into_iter()
                        .flatten()
                        .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
                        .collect(),
                    relevant,
                    id,
                });
            }
            Ok(())
        })?;
        Ok(Self { name, documents, queries })
    }
}

/// `query-id TAB corpus-id TAB score`, with a line of headings; only what is relevant is kept.
fn judgements(path: &Path) -> Result<HashMap<String, HashMap<String, f64>>, EvalError> {
    let mut judgements: HashMap<String, HashMap<String, f64>> = HashMap::new();
    let mut first = true;
    for_each_line(path, |line| {
        if std::mem::take(&mut first) {
            return Ok(());
        }
        let mut columns = line.split('\t');
        let (Some(query), Some(document), Some(score), None) =
            (columns.next(), columns.next(), columns.next(), columns.next())
        else {
            return Err("three columns are wanted".to_owned());
        };
        let score: f64 = score.trim().parse().map_err(|_| format!("no number: {score}"))?;
        if score > 0.0 {
            judgements.entry(query.to_owned()).or_default().insert(document.to_owned(), score);
        }
        Ok(())
    })?;
    Ok(judgements)
}

fn for_each_line(path: &Path, mut each: impl FnMut(&str) -> Result<(), String>) -> Result<(), EvalError> {
    let content =
        std::fs::read_to_string(path).map_err(|source| EvalError::Read { path: path.to_owned(), source })?;
    for (number, line) in (1..).zip(content.lines()) {
        if !line.trim().is_empty() {
            each(line).map_err(|reason| EvalError::Format { path: path.to_owned(), line: number, reason })?;
        }
    }
    Ok(())
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a test makes its files")]
    fn set(corpus: &str, queries: &str, qrels: &str) -> Result<Dataset, EvalError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("corpus.jsonl", corpus), ("queries.jsonl", queries), ("qrels.tsv", qrels)] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        Dataset::load(folder.path())
    }

    #[test]
    fn a_set_is_read_and_queries_without_answer_are_left_out() {
        let set = set(
            "{\"_id\":\"a\",\"title\":\"T\",\"text\":\"one\"}\n{\"_id\":\"b\",\"text\":\"two\"}\n",
            "{\"_id\":\"q\",\"text\":\"x\",\"metadata\":{\"kind\":\"easy\"}}\n{\"_id\":\"r\",\"text\":\"y\"}\n",
            "query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t0\nr\ta\t0\n",
        )
        .unwrap();
        assert_eq!(set.documents.len(), 2);
        assert_eq!(set.queries.len(), 1);
        assert_eq!(set.queries[0].labels["kind"], "easy");
        assert_eq!(set.queries[0].relevant, HashMap::from([("a".to_owned(), 2.0)]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = set("{\"_id\":\"a\",\"text\":\"one\"}\n{\"text\":1}\n", "", "h\n").unwrap_err();
        assert!(error.to_string().contains("corpus.jsonl line 2: no `_id`"), "{error}");
        let error = set("", "", "h\nq\ta\n").unwrap_err();
        assert!(error.to_string().contains("qrels.tsv line 2: three columns"), "{error}");
        assert!(Dataset::load(Path::new("/nowhere")).is_err());
    }
}
