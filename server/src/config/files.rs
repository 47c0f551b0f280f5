//! Limits for files that are not notes, and the search rungs above keywords. Nothing uses these
//! values in this version; they are checked so that a wrong one does not wait for an upgrade.

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const MAX_FILE_BYTES: Variable = Variable {
    name: "MAX_FILE_BYTES",
    default: DefaultValue::Text("52428800"),
    accepts: "a whole number of bytes from 1 up",
    effect: "The largest file that is read.",
    stage: Stage::Checked,
};
const MAX_IMAGE_OUTPUT_BYTES: Variable = Variable {
    name: "MAX_IMAGE_OUTPUT_BYTES",
    default: DefaultValue::Text("49152"),
    accepts: "a whole number of bytes from 1 up",
    effect: "The largest image in an answer, before it is encoded.",
    stage: Stage::Checked,
};
const MAX_PDF_RENDER_PAGES: Variable = Variable {
    name: "MAX_PDF_RENDER_PAGES",
    default: DefaultValue::Text("5"),
    accepts: "a whole number from 1 up",
    effect: "The most pages of a PDF shown as images.",
    stage: Stage::Checked,
};
const EMBEDDING_ENABLED: Variable = Variable {
    name: "EMBEDDING_ENABLED",
    default: DefaultValue::Text("true"),
    accepts: "true, false, 1 or 0",
    effect: "Search by meaning beside keywords. This version searches by keywords.",
    stage: Stage::Checked,
};
const RERANK_MODE: Variable = Variable {
    name: "RERANK_MODE",
    default: DefaultValue::Text("blended"),
    accepts: "none or blended",
    effect: "Whether a second model orders the best results anew.",
    stage: Stage::Checked,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "Files and models",
    variables: &[
        MAX_FILE_BYTES,
        MAX_IMAGE_OUTPUT_BYTES,
        MAX_PDF_RENDER_PAGES,
        EMBEDDING_ENABLED,
        RERANK_MODE,
    ],
};

/// Checks the variables.
pub(crate) fn check(environment: &Environment) -> Result<(), ConfigError> {
    for variable in [&MAX_FILE_BYTES, &MAX_IMAGE_OUTPUT_BYTES, &MAX_PDF_RENDER_PAGES] {
        environment.integer(variable, 1..=u64::MAX)?;
    }
    environment.boolean(&EMBEDDING_ENABLED)?;
    environment.choice(&RERANK_MODE, &[("none", ()), ("blended", ())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_name_their_variable() {
        for (name, value) in [
            ("MAX_FILE_BYTES", "0"),
            ("MAX_IMAGE_OUTPUT_BYTES", "48 KiB"),
            ("MAX_PDF_RENDER_PAGES", "-1"),
            ("EMBEDDING_ENABLED", "yes"),
            ("RERANK_MODE", "full"),
        ] {
            let error = check(&Environment::of_pairs([(name, value)])).unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
        assert_eq!(check(&Environment::default()), Ok(()));
    }
}
