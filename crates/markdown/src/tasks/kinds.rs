//! The small vocabularies of a task line: format, priority, what happens on completion.

/// How the fields of a task line are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Format {
    /// `📅 2026-03-10`, the plugin's default.
    #[default]
    Emoji,
    /// `[due:: 2026-03-10]`.
    Dataview,
}

impl Format {
    /// The name in the plugin's settings file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Emoji => "tasksPluginEmoji",
            Self::Dataview => "dataview",
        }
    }
}

/// Which formats a reader accepts. The plugin reads one per vault; an index reads both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Fields of this format; those of the other are text.
    Only(Format),
    /// Fields of both formats in one pass. Where one field is there in both, the vault's own format counts.
    Either(Format),
}

impl From<Format> for Reading {
    fn from(format: Format) -> Self {
        Self::Only(format)
    }
}

/// The fields of a task line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The text before the fields.
    Description,
    /// How urgent it is.
    Priority,
    /// When it was finished.
    Done,
    /// When it was given up.
    Cancelled,
    /// When it has to be finished.
    Due,
    /// When it is planned for.
    Scheduled,
    /// When work can begin.
    Start,
    /// When it was made.
    Created,
    /// The repeat rule.
    Recurrence,
    /// What happens on completion.
    OnCompletion,
    /// The id that others depend on.
    Id,
    /// Ids of the tasks that have to be finished first.
    DependsOn,
}

/// A piece of a task line that was read but would not be written back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// What it was read as.
    pub field: Field,
    /// The piece as written.
    pub text: String,
}

/// The priority of a task. A task without one is "normal", between medium and low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// 🔺
    Highest,
    /// ⏫
    High,
    /// 🔼
    Medium,
    /// 🔽
    Low,
    /// ⏬
    Lowest,
}

impl Priority {
    /// From most to least urgent.
    pub const ALL: [Self; 5] = [Self::Highest, Self::High, Self::Medium, Self::Low, Self::Lowest];

    /// The emoji of the emoji format.
    pub const fn emoji(self) -> char {
        match self {
            Self::Highest => '🔺',
            Self::High => '⏫',
            Self::Medium => '🔼',
            Self::Low => '🔽',
            Self::Lowest => '⏬',
        }
    }

    /// The name of the Dataview format, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Highest => "highest",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Lowest => "lowest",
        }
    }

    /// Sort order of a priority, or of none: highest 0, high 1, medium 2, none 3, low 4, lowest 5.
    pub const fn rank(priority: Option<Self>) -> u8 {
        match priority {
            Some(Self::Highest) => 0,
            Some(Self::High) => 1,
            Some(Self::Medium) => 2,
            None => 3,
            Some(Self::Low) => 4,
            Some(Self::Lowest) => 5,
        }
    }

    /// The priority with this name; case counts.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.name() == name)
    }

    /// The priority with this emoji.
    pub fn from_emoji(emoji: char) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.emoji() == emoji)
    }
}

/// What happens to a task line when it is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OnCompletion {
    /// It stays.
    Keep,
    /// It is removed from the note.
    Delete,
}

impl OnCompletion {
    /// The word written in a task line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Delete => "delete",
        }
    }

    /// The action a word names, in any case of letters.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Keep, Self::Delete].into_iter().find(|action| action.word().eq_ignore_ascii_case(word))
    }
}
