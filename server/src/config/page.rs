//! `docs/CONFIG.md`, printed from the variables themselves.

use std::fmt::Write as _;

use super::GROUPS;
use super::variable::{DefaultValue, Stage, Variable};

const HEAD: &str = "\
# Configuration

<!-- Printed by `vault-cortex reference config`; edit the code beside each variable instead. -->

Everything is set by environment variables, read once at start. A variable that is empty counts as
unset. A wrong value stops the start: the message names the variable, what it got and what is
allowed; all mistakes are named at once.
";

const TAIL: &str = "
## Read but without effect yet

These are checked at start, so that a mistake shows now, but nothing in this version uses them.
";

/// The reference page.
pub(crate) fn page() -> String {
    let mut page = HEAD.to_owned();
    for group in GROUPS {
        let effective = || group.variables.iter().filter(|variable| variable.stage == Stage::Effective);
        if effective().next().is_some() {
            let _ = write!(page, "\n## {}\n\n", group.title);
            table(&mut page, effective());
        }
    }
    page.push_str(TAIL);
    page.push('\n');
    let checked = GROUPS.iter().flat_map(|group| group.variables);
    table(&mut page, checked.filter(|variable| variable.stage == Stage::Checked));
    page
}

fn table<'a>(page: &mut String, variables: impl Iterator<Item = &'a Variable>) {
    page.push_str("| Variable | Default | Takes | What it does |\n| --- | --- | --- | --- |\n");
    for variable in variables {
        let default = match variable.default {
            DefaultValue::Text(text) => format!("`{text}`"),
            DefaultValue::Found(text) => text.to_owned(),
            DefaultValue::Unset => "unset".to_owned(),
            DefaultValue::Required => "required".to_owned(),
        };
        let _ = writeln!(
            page,
            "| `{}` | {default} | {} | {} |",
            variable.name,
            variable.accepts.replace('|', "\\|"),
            variable.effect.replace('|', "\\|"),
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_docs_is_the_printed_one() {
        let committed = include_str!("../../../docs/CONFIG.md");
        assert!(committed == super::page(), "docs/CONFIG.md is out of date: run `make docs`");
    }
}
