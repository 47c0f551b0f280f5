//! Search that can be measured: labelled sets, queries made from a vault itself, grep for
//! comparison, and tables of the results.

mod dataset;
mod error;
mod metrics;
mod searcher;

pub use dataset::{Dataset, LabelledDocument, Query};
pub use error::EvalError;
pub use metrics::{CUT, QueryScore, Summary, judge, percentile, run, summarise};
pub use searcher::{Answer, EngineSearcher, Searcher};

#[cfg(test)]
mod figures;
