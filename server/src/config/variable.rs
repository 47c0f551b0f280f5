//! What the documentation says about an environment variable, beside the code that reads it.
//!
//! Every variable is one [`Variable`] constant. Reading goes through that constant, error
//! messages quote it and `docs/CONFIG.md` is printed from it, so that the three cannot drift.

/// One environment variable: its name, default, rule and effect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variable {
    /// The name in the environment.
    pub(crate) name: &'static str,
    /// What holds when it is unset or empty.
    pub(crate) default: DefaultValue,
    /// The values it takes, as an error message says it: "a port number from 0 to 65535".
    pub(crate) accepts: &'static str,
    /// What it does, one sentence.
    pub(crate) effect: &'static str,
    /// Whether anything uses the value yet.
    pub(crate) stage: Stage,
}

/// The value of a variable that is unset or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultValue {
    /// This text, read as if it had been set.
    Text(&'static str),
    /// Found out at start; the text says how.
    Found(&'static str),
    /// None: the feature is off.
    Unset,
    /// None: the server does not start without a value.
    Required,
}

/// Whether a variable has an effect in this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It has.
    Effective,
    /// It is checked, so that a wrong value shows early, but nothing reads it yet.
    Checked,
}

/// The variables of one concern, under a heading of the reference page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VariableGroup {
    /// The heading.
    pub(crate) title: &'static str,
    /// Its variables, in the order of the page.
    pub(crate) variables: &'static [Variable],
}
