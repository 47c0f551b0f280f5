//! What is offered while an argument is typed.

use vault::VaultPath;

use super::Prompt;
use super::arguments::Argument;
use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

/// The most values that the protocol lets an answer have.
const MOST_VALUES: usize = 100;
/// How many days are offered.
const MOST_DAYS: usize = 30;
/// How many days are looked for on disk at most, and how far back.
const MOST_LOOKS: usize = 400;
const MOST_YEARS: usize = 20;

/// The values offered for an argument.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The first of them.
    pub(crate) values: Vec<String>,
    /// How many there are.
    pub(crate) total: usize,
}

impl Prompt {
    /// The values for an argument of which `typed` is there already. May block.
    ///
    /// # Errors
    /// For an argument that the prompt does not have.
    pub(crate) fn complete(
        &self,
        call: &Call<'_>,
        argument: &str,
        typed: &str,
    ) -> Result<Completion, ToolError> {
        let Some(argument) = self.arguments.iter().find(|known| known.name() == argument) else {
            let names: Vec<&str> = self.arguments.iter().map(|known| known.name()).collect();
            let hint = match names.as_slice() {
                [] => "it takes none".to_owned(),
                names => format!("allowed are {}", names.join(", ")),
            };
            return Err(ToolError::UnknownArgument { name: argument.chars().take(100).collect(), hint });
        };
        let mut values = match argument {
            Argument::File => files(call, typed)?,
            Argument::Date => days(call, typed),
            Argument::MaxChars => lengths(call.app.max_answer_chars, typed),
        };
        let total = values.len();
        values.truncate(MOST_VALUES);
        Ok(Completion { values, total })
    }
}

/// The memory files whose names begin with what is typed, then those that hold it.
fn files(call: &Call<'_>, typed: &str) -> Result<Vec<String>, ToolError> {
    let typed = VaultPath::fold(typed.trim());
    let paths = call.memory_files()?;
    let names = paths.iter().map(|path| (VaultPath::fold(path.stem()), path.stem()));
    let mut names: Vec<(bool, &str)> = names
        .filter(|(key, _)| key.contains(&typed))
        .map(|(key, name)| (!key.starts_with(&typed), name))
        .collect();
    names.sort_unstable();
    Ok(names.into_iter().map(|(_, name)| name.to_owned()).collect())
}

/// Today, then the last days that have a daily note.
fn days(call: &Call<'_>, typed: &str) -> Vec<String> {
    let typed = typed.trim();
    let today = call.app.today();
    let settings = call.app.daily_notes();
    let is_there = |path: &VaultPath| {
        call.who.sees(path) && call.app.vault.real_path(path).is_ok_and(|real| call.who.sees(&real))
    };
    let mut days = Vec::new();
    let mut looks = 0;
    let mut day = today;
    for _ in 0..MOST_YEARS * 366 {
        let shown = day.to_string();
        if shown.starts_with(typed) {
            if day == today {
                days.push(shown);
            } else {
                looks += 1;
                if settings.path_of(day).is_ok_and(|path| is_there(&path)) {
                    days.push(shown);
                }
            }
        }
        let Ok(before) = day.yesterday() else { break };
        if days.len() >= MOST_DAYS || looks >= MOST_LOOKS {
            break;
        }
        day = before;
    }
    days
}

/// A few lengths up to the longest answer.
fn lengths(limit: usize, typed: &str) -> Vec<String> {
    const SOME: [usize; 5] = [2_000, 5_000, 10_000, 20_000, 40_000];
    let some = SOME.into_iter().filter(|length| *length < limit).chain([limit]);
    some.map(|length| length.to_string()).filter(|length| length.starts_with(typed.trim())).collect()
}
