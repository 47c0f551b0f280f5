//! Which tasks wait for others.
//!
//! A task waits while any task with one of the ids it depends on, anywhere in the vault, is unfinished.
//! Finished are done, cancelled and non-tasks; ids that no task has do not block.

use std::collections::HashSet;

use super::status::StatusType;
use super::task::Task;

/// The ids of a vault's unfinished tasks and what they wait for.
#[derive(Debug, Clone, Default)]
pub struct Dependencies {
    unfinished: HashSet<String>,
    waited_for: HashSet<String>,
    known: HashSet<String>,
}

/// Length of the ids that the plugin makes.
const ID_LENGTH: usize = 6;

impl Dependencies {
    /// Collects the ids of all tasks, each with what its box means.
    pub fn new<'a>(tasks: impl IntoIterator<Item = (&'a Task, StatusType)>) -> Self {
        let mut all = Self::default();
        for (task, status_type) in tasks {
            all.add(task.id.as_deref(), &task.depends_on, status_type);
        }
        all
    }

    /// Adds one task by its id and the ids it depends on.
    pub fn add(&mut self, id: Option<&str>, depends_on: &[String], status_type: StatusType) {
        if let Some(id) = id {
            self.known.insert(id.to_owned());
        }
        if !status_type.is_finished() {
            self.unfinished.extend(id.map(str::to_owned));
            self.waited_for.extend(depends_on.iter().cloned());
        }
    }

    /// Whether a task waits for another one.
    pub fn is_blocked(&self, depends_on: &[String], status_type: StatusType) -> bool {
        !status_type.is_finished() && depends_on.iter().any(|id| self.unfinished.contains(id))
    }

    /// Whether an unfinished task waits for this one.
    pub fn is_blocking(&self, id: Option<&str>, status_type: StatusType) -> bool {
        !status_type.is_finished() && id.is_some_and(|id| self.waited_for.contains(id))
    }

    /// A new id like the plugin's: six characters of `0-9a-z` not in use yet. `random` gives the chance.
    pub fn new_id(&self, mut random: impl FnMut() -> u64) -> String {
        const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        loop {
            let mut number = random();
            let mut id = String::with_capacity(ID_LENGTH);
            for _ in 0..ID_LENGTH {
                let digit = usize::try_from(number % 36).ok().and_then(|index| DIGITS.get(index));
                id.push(char::from(digit.copied().unwrap_or(b'0')));
                number /= 36;
            }
            if !self.known.contains(&id) {
                return id;
            }
        }
    }
}

/// Whether the text can be a task's id: ASCII letters, digits, `_` and `-`.
pub fn is_task_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::Settings;

    #[track_caller]
    fn check(lines: &[&str], expected_blocked: &[bool]) {
        let settings = Settings::default();
        let tasks: Vec<Task> = lines.iter().filter_map(|line| Task::read(line, &settings, None)).collect();
        let all = Dependencies::new(tasks.iter().map(|task| (task, settings.status_of(task))));
        let blocked: Vec<bool> =
            tasks.iter().map(|task| all.is_blocked(&task.depends_on, settings.status_of(task))).collect();
        assert_eq!(blocked, expected_blocked);
    }

    #[test]
    fn blocked_by_unfinished_tasks_only() {
        check(&["- [ ] a 🆔 q1", "- [ ] b ⛔ q1,zz"], &[false, true]);
        check(&["- [-] a 🆔 q1", "- [ ] b ⛔ q1"], &[false, false]);
        check(&["- [x] a 🆔 q1", "- [ ] a 🆔 q1", "- [ ] b ⛔ q1"], &[false, false, true]);
        check(&["- [ ] a 🆔 q1", "- [x] b ⛔ q1"], &[false, false]);
        check(&["- [ ] b ⛔ zz"], &[false]);
    }

    #[test]
    fn new_ids_avoid_those_in_use() {
        let settings = Settings::default();
        let task = Task::read("- [x] a 🆔 000000", &settings, None).expect("a task");
        let all = Dependencies::new([(&task, StatusType::Done)]);
        let mut numbers = [0, 36 * 36].into_iter();
        assert_eq!(all.new_id(|| numbers.next().unwrap_or(7)), "001000");
    }
}
