//! Search that can be measured: labelled sets, queries made from a vault itself, grep for
//! comparison, and tables of the results.

mod bootstrap;
mod dataset;
mod error;
mod grep;
mod known_item;
mod measure;
mod metrics;
mod notes;
mod random;
mod report;
mod searcher;

pub use bootstrap::{Difference, paired_bootstrap};
pub use dataset::{Dataset, LabelledDocument, Query};
pub use error::EvalError;
pub use grep::{Grep, Strategy};
pub use known_item::{KIND, KINDS, KnownItemOptions, known_item_queries};
pub use measure::{measure_known_items, measure_labelled};
pub use metrics::{CUT, QueryScore, Summary, judge, percentile, run, summarise};
pub use notes::KnownNote;
pub use report::{Columns, Table};
pub use searcher::{Answer, EngineSearcher, IndexSearcher, Searcher};

#[cfg(test)]
mod figures;
