//! Task lines as people write them: some with fields, in either format, some below another, and boards.

use std::fmt::Write;

use super::random::Random;

/// So many of a hundred notes are boards.
pub(super) const BOARDS_PERCENT: usize = 1;

const BOXES: [char; 8] = [' ', ' ', ' ', ' ', ' ', '/', 'x', '-'];

/// A task line with these words, without line break.
pub(super) fn line(random: &mut Random, words: &str, tags: &[&'static str]) -> String {
    let mark = random.pick(&BOXES);
    let mut line = format!("- [{mark}] {words}");
    if random.chance(30) {
        let _ = write!(line, " #{}", random.pick(tags));
    }
    let emoji = random.chance(70);
    let field = |line: &mut String, symbol: &str, key: &str, value: &str| {
        let _ = if emoji { write!(line, " {symbol} {value}") } else { write!(line, "  [{key}:: {value}]") };
    };
    if random.chance(15) {
        let (symbol, name) = [("⏫", "high"), ("🔼", "medium"), ("🔽", "low")][random.below(3)];
        field(&mut line, symbol, "priority", if emoji { "" } else { name });
        line.truncate(line.trim_end().len());
    }
    if random.chance(8) {
        field(&mut line, "🔁", "repeat", "every week");
    }
    for (percent, symbol, key) in [(30, "➕", "created"), (15, "⏳", "scheduled"), (45, "📅", "due")] {
        if random.chance(percent) {
            let day = day(random);
            field(&mut line, symbol, key, &day);
        }
    }
    if mark == 'x' {
        let day = day(random);
        field(&mut line, "✅", "completion", &day);
    }
    line
}

/// A day within the years of the vault.
pub(crate) fn day(random: &mut Random) -> String {
    format!("{}-{:02}-{:02}", random.between(2023, 2026), random.between(1, 12), random.between(1, 28))
}
