//! Limits for files that are not notes, and the search rungs above keywords.

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const MAX_FILE_BYTES: Variable = Variable {
    name: "MAX_FILE_BYTES",
    default: DefaultValue::Text("52428800"),
    accepts: "a whole number of bytes from 1 up",
    effect: "The largest file that vault_read_file reads. The size is known before anything is read.",
    stage: Stage::Effective,
};
const MAX_IMAGE_OUTPUT_BYTES: Variable = Variable {
    name: "MAX_IMAGE_OUTPUT_BYTES",
    default: DefaultValue::Text("49152"),
    accepts: "a whole number of bytes from 1 up",
    effect: "The largest image in an answer, before it is encoded as base64, which makes it a third \
             longer.",
    stage: Stage::Effective,
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

/// Limits for files that are not notes. Variables that nothing uses yet are checked and forgotten.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileLimits {
    /// `MAX_FILE_BYTES`, default 52,428,800: the largest file that is read.
    pub(crate) max_file_bytes: u64,
    /// `MAX_IMAGE_OUTPUT_BYTES`, default 49,152: the largest image in an answer.
    pub(crate) max_image_output_bytes: u64,
}

impl FileLimits {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let bytes = |variable| environment.integer(variable, 1..=u64::MAX);
        bytes(&MAX_PDF_RENDER_PAGES)?;
        environment.boolean(&EMBEDDING_ENABLED)?;
        environment.choice(&RERANK_MODE, &[("none", ()), ("blended", ())])?;
        Ok(Self {
            max_file_bytes: bytes(&MAX_FILE_BYTES)?,
            max_image_output_bytes: bytes(&MAX_IMAGE_OUTPUT_BYTES)?,
        })
    }
}

#[cfg(test)]
impl Default for FileLimits {
    fn default() -> Self {
        Self { max_file_bytes: 52_428_800, max_image_output_bytes: 49_152 }
    }
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
            let environment = Environment::of_pairs([(name, value)]);
            let error = FileLimits::from_environment(&environment).unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
        let limits = FileLimits::from_environment(&Environment::default()).unwrap();
        assert_eq!((limits.max_file_bytes, limits.max_image_output_bytes), (50 << 20, 48 << 10));
    }
}
