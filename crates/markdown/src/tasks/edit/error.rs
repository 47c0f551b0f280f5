//! What an edit of a task can be refused for.
//!
//! Error policy: an edit either does all it was asked for or changes nothing. Whatever would make text
//! vanish, or would not read back as what was meant, is refused with the piece named, so that the caller can
//! say what to change.

use crate::edit::{excerpt, list_names};
use crate::tasks::{Dropped, StatusType};

/// Why a task cannot be edited as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The line holds no task.
    #[error("no task at line {}", .line + 1)]
    NoTask {
        /// Zero-based line.
        line: usize,
    },
    /// No task line ends with the block id.
    #[error("no task with the block id \"{}\"", excerpt(.id))]
    UnknownBlockId {
        /// The id without `^`.
        id: String,
    },
    /// Several task lines end with the block id.
    #[error("the block id \"{}\" stands at the end of {} task lines: {}", excerpt(.id), .lines.len(), numbers(.lines))]
    AmbiguousBlockId {
        /// The id without `^`.
        id: String,
        /// Zero-based lines.
        lines: Vec<usize>,
    },
    /// A text for one line holds a line break.
    #[error("the text must be one line: \"{}\"", excerpt(.text))]
    LineBreak {
        /// The text.
        text: String,
    },
    /// A task needs a text.
    #[error("the description is empty")]
    EmptyDescription,
    /// Written after the text, the fields would be read differently: the text ends with what reads as a
    /// field or a block id.
    #[error("the description ends with what reads as a field or block id: pass \"{}\" as that field", excerpt(.piece))]
    ReadsAsField {
        /// The end of the text.
        piece: String,
    },
    /// Written as the plugin writes it, the repeat rule of the line reads as another one.
    #[error(
        "the recurrence of this line is none the Tasks plugin can write back (it would write \"{}\", which is another \
         rule): pass the recurrence that is meant, as \"every month on the 1st Monday and 3rd Monday\", or null",
        excerpt(.written)
    )]
    RuleChanges {
        /// What the plugin writes for the rule.
        written: String,
    },
    /// The plugin cannot read the repeat rule.
    #[error("\"{}\" is no repeat rule the Tasks plugin understands (try \"every week on Monday\")", excerpt(.rule))]
    NoRule {
        /// The rule.
        rule: String,
    },
    /// An id with other characters than the plugin reads.
    #[error("\"{}\" is no task id: ASCII letters, digits, `-` and `_` only", excerpt(.id))]
    NoTaskId {
        /// The id.
        id: String,
    },
    /// A block id with other characters than Obsidian reads.
    #[error("\"{}\" is no block id: ASCII letters, digits and `-` only", excerpt(.id))]
    NoBlockId {
        /// The id.
        id: String,
    },
    /// The note has the block id already: a link to it would lead to the first of the two only.
    #[error("the block id \"{}\" is taken: line {} ends with it", excerpt(.id), .line + 1)]
    BlockIdTaken {
        /// The id without `^`.
        id: String,
        /// Zero-based line.
        line: usize,
    },
    /// Rewriting the line would lose pieces that were not asked to change.
    #[error("rewriting the line would lose {}", list_pieces(.pieces))]
    WouldDrop {
        /// What would be lost.
        pieces: Vec<Dropped>,
    },
    /// The status registry has no status of the type.
    #[error("the Tasks settings have no status of type {status}")]
    NoStatus {
        /// The type.
        status: StatusType,
    },
    /// The status registry names an empty next symbol: the line would be no task any more.
    #[error("the Tasks settings name an empty symbol as the next status")]
    EmptySymbol,
    /// The task is removed on completion, and its sub-items would then belong to another one.
    #[error(
        "the task is to be deleted on completion, but has lines below it: clear on_completion or move them first"
    )]
    WouldOrphan,
    /// No heading has the name.
    #[error("no heading \"{}\"; there are: {}", excerpt(.heading), list_names(.available))]
    UnknownHeading {
        /// The name asked for.
        heading: String,
        /// The headings of the note (on a board: its lanes).
        available: Vec<String>,
    },
    /// Several headings have the name.
    #[error("the heading \"{}\" is there {} times, at lines {}", excerpt(.heading), .lines.len(), numbers(.lines))]
    AmbiguousHeading {
        /// The name asked for.
        heading: String,
        /// Zero-based lines.
        lines: Vec<usize>,
    },
    /// A board has several lanes whose cards count as done.
    #[error("the board has several done lanes ({}): pass the one as heading", list_names(.lanes))]
    SeveralDoneLanes {
        /// Their names.
        lanes: Vec<String>,
    },
    /// A task on a board needs a lane.
    #[error("a task on a Kanban board needs a heading (its lane); there are: {}", list_names(.available))]
    BoardNeedsLane {
        /// The lanes.
        available: Vec<String>,
    },
    /// Sub-tasks stay where they are.
    #[error("a sub-task cannot be moved or reordered")]
    SubTaskStays,
    /// A reordering needs a heading above the task.
    #[error("the task stands above the first heading: pass a heading to move it")]
    NoHeadingToReorder,
    /// On a board an indented line must not end with a block id: the Kanban plugin copies it onto the card.
    #[error(
        "on a Kanban board an indented line must not get a block id: the plugin would give it to the card"
    )]
    BlockIdOnBoard,
    /// A card in a lane marked `Complete` is done when it is made: it would recur or vanish at once.
    #[error(
        "cards in that lane count as done: a task that recurs or is to be deleted on completion would do so at once"
    )]
    DoneAtOnce,
    /// On a board text would stand where the Kanban plugin does not read it, and be lost on its next save.
    #[error(
        "the Kanban plugin would not read all of the board afterwards and lose the rest on its next save: only the \
         first list of a lane counts, and nothing may stand between its cards"
    )]
    LostOnSave,
    /// Nothing was asked for.
    #[error("nothing to change")]
    Nothing,
    /// The text around the place would swallow the task: it lies in code, a comment or the like.
    #[error("a line written there would not be read as a task")]
    NotReadThere,
}

fn numbers(lines: &[usize]) -> String {
    const MOST: usize = 50;
    let mut shown: Vec<String> = lines.iter().take(MOST).map(|line| (line + 1).to_string()).collect();
    if lines.len() > MOST {
        shown.push(format!("and {} more", lines.len() - MOST));
    }
    shown.join(", ")
}

fn list_pieces(pieces: &[Dropped]) -> String {
    pieces.iter().map(|piece| format!("\"{}\"", excerpt(&piece.text))).collect::<Vec<_>>().join(", ")
}
