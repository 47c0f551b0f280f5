//! What the character in a check box means: the status registry of the Tasks plugin.
//!
//! Source: the Tasks plugin 8.3.0. The registry lists statuses by symbol; of two with one symbol the first
//! counts. A symbol that is not listed is an unknown status of type `TODO` whose next symbol is `x`; that
//! holds for `X` too, which is therefore not done unless the registry says so.

use std::fmt;

/// What a status stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusType {
    /// Not begun.
    Todo,
    /// Begun.
    InProgress,
    /// Waiting.
    OnHold,
    /// Finished.
    Done,
    /// Given up.
    Cancelled,
    /// A check box that is no task.
    NonTask,
    /// The plugin's placeholder for "no status".
    Empty,
}

impl StatusType {
    /// The name used in the plugin's settings file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Todo => "TODO",
            Self::InProgress => "IN_PROGRESS",
            Self::OnHold => "ON_HOLD",
            Self::Done => "DONE",
            Self::Cancelled => "CANCELLED",
            Self::NonTask => "NON_TASK",
            Self::Empty => "EMPTY",
        }
    }

    /// The type with this name in the plugin's settings file; case counts.
    pub fn from_name(name: &str) -> Option<Self> {
        const ALL: [StatusType; 7] = [
            StatusType::Todo,
            StatusType::InProgress,
            StatusType::OnHold,
            StatusType::Done,
            StatusType::Cancelled,
            StatusType::NonTask,
            StatusType::Empty,
        ];
        ALL.into_iter().find(|status_type| status_type.name() == name)
    }

    /// Done, cancelled or no task at all: such a task neither blocks others nor is blocked.
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::NonTask)
    }
}

impl fmt::Display for StatusType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One status: a symbol and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The character between the brackets. Empty only where a registry names an empty next symbol.
    pub symbol: String,
    /// The name shown to the user.
    pub name: String,
    /// The symbol that toggling writes next; may name no registered status and may be empty.
    pub next: String,
    /// Whether Obsidian offers a command for it. Matters only for whether two statuses are the same.
    pub available_as_command: bool,
    /// What it means.
    pub status_type: StatusType,
}

impl Status {
    /// A status that Obsidian offers as a command, as the plugin's own are.
    pub fn new(symbol: &str, name: &str, next: &str, status_type: StatusType) -> Self {
        Self {
            symbol: symbol.to_owned(),
            name: name.to_owned(),
            next: next.to_owned(),
            available_as_command: true,
            status_type,
        }
    }

    /// What the plugin makes of a symbol that the registry does not list.
    pub fn unknown(symbol: &str) -> Self {
        Self { available_as_command: false, ..Self::new(symbol, "Unknown", "x", StatusType::Todo) }
    }
}

/// The registered statuses in the order of the settings: core statuses, then custom ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusRegistry {
    statuses: Vec<Status>,
}

impl Default for StatusRegistry {
    /// The plugin's own: `' '` Todo, `x` Done, `/` In Progress, `-` Cancelled.
    fn default() -> Self {
        Self::new([
            Status::new(" ", "Todo", "x", StatusType::Todo),
            Status::new("x", "Done", " ", StatusType::Done),
            Status::new("/", "In Progress", "x", StatusType::InProgress),
            Status::new("-", "Cancelled", " ", StatusType::Cancelled),
        ])
    }
}

impl StatusRegistry {
    /// A registry of these statuses; a later one with a symbol already present is left out.
    pub fn new(statuses: impl IntoIterator<Item = Status>) -> Self {
        let mut kept: Vec<Status> = Vec::new();
        for status in statuses {
            if kept.iter().all(|known| known.symbol != status.symbol) {
                kept.push(status);
            }
        }
        Self { statuses: kept }
    }

    /// The statuses in their order.
    pub fn statuses(&self) -> &[Status] {
        &self.statuses
    }

    /// The registered status with this symbol.
    pub fn registered(&self, symbol: &str) -> Option<&Status> {
        self.statuses.iter().find(|status| status.symbol == symbol)
    }

    /// The status a symbol has: the registered one, else an unknown one.
    pub fn status(&self, symbol: &str) -> Status {
        self.registered(symbol).cloned().unwrap_or_else(|| Status::unknown(symbol))
    }

    /// What a symbol means.
    pub fn status_type(&self, symbol: &str) -> StatusType {
        self.registered(symbol).map_or(StatusType::Todo, |status| status.status_type)
    }

    /// The first registered status of a type, for writing a task that is to have it.
    pub fn first_of(&self, status_type: StatusType) -> Option<&Status> {
        self.statuses.iter().find(|status| status.status_type == status_type)
    }

    /// The status that toggling leads to. An unregistered next symbol becomes an unknown status.
    pub fn next(&self, status: &Status) -> Status {
        self.registered(&status.next)
            .filter(|next| next.status_type != StatusType::Empty && !status.next.is_empty())
            .cloned()
            .unwrap_or_else(|| Status::unknown(&status.next))
    }

    /// The status of the next occurrence of a recurring task that has just got `done`: following the chain
    /// of next symbols, the first `TODO`, else the first `IN_PROGRESS`, else a space.
    pub fn next_for_recurrence(&self, done: &Status) -> Status {
        let first = self.next(done);
        self.first_in_chain(&first, StatusType::Todo)
            .or_else(|| self.first_in_chain(&first, StatusType::InProgress))
            .unwrap_or_else(|| self.status(" "))
    }

    fn first_in_chain(&self, first: &Status, wanted: StatusType) -> Option<Status> {
        let mut status = first.clone();
        let registered = self.statuses.iter().filter(|status| !status.symbol.is_empty()).count();
        // As many steps as there are statuses: a chain may be a loop.
        for _ in 0..registered.max(1) {
            if status.status_type == wanted {
                return Some(status);
            }
            status = self.next(&status);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capital_x_is_not_done_by_default() {
        let registry = StatusRegistry::default();
        assert_eq!(registry.status_type("x"), StatusType::Done);
        assert_eq!(registry.status_type("X"), StatusType::Todo);
        assert_eq!(registry.next(&registry.status("X")).symbol, "x");
    }

    #[test]
    fn the_first_of_two_with_one_symbol_counts() {
        let registry = StatusRegistry::new([
            Status::new("x", "Done", " ", StatusType::Done),
            Status::new("x", "Other", "/", StatusType::Todo),
        ]);
        assert_eq!(registry.statuses().len(), 1);
        assert_eq!(registry.status("x").name, "Done");
    }

    #[test]
    fn a_chain_without_todo_ends_at_a_space() {
        let registry = StatusRegistry::new([
            Status::new("x", "Done", "X", StatusType::Done),
            Status::new("X", "Checked", "x", StatusType::Done),
        ]);
        assert_eq!(registry.next_for_recurrence(&registry.status("x")).symbol, " ");
    }
}
