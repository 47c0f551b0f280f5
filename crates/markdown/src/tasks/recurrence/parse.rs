//! The English that rrule 2.8.1 reads.
//!
//! A tokeniser that takes the longest token at each place (the earlier one in the table on a tie) and a
//! recursive descent over its symbols. Text that matches no token ends the reading without an error, which
//! is why `every weekend` means `every week`.

use super::until::parse_date;
use super::{Frequency, Rule, WeekdayOfPeriod};

/// A symbol of the rule language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Skip,
    Number,
    NumberAsText,
    Every,
    Days,
    Weekdays,
    Weeks,
    Hours,
    Minutes,
    Months,
    Years,
    On,
    At,
    The,
    First,
    Second,
    Third,
    Nth,
    Last,
    For,
    Times,
    Until,
    Weekday(u8),
    Month(u8),
    Comma,
}

/// Words and what they stand for. Several spellings of one symbol are listed longest first.
const WORDS: &[(&[&str], Symbol)] = &[
    (&["three", "one", "two"], Symbol::NumberAsText),
    (&["every"], Symbol::Every),
    (&["days", "day"], Symbol::Days),
    (&["weekdays", "weekday"], Symbol::Weekdays),
    (&["weeks", "week"], Symbol::Weeks),
    (&["hours", "hour"], Symbol::Hours),
    (&["minutes", "minute"], Symbol::Minutes),
    (&["months", "month"], Symbol::Months),
    (&["years", "year"], Symbol::Years),
    (&["on", "in"], Symbol::On),
    (&["at"], Symbol::At),
    (&["the"], Symbol::The),
    (&["first"], Symbol::First),
    (&["second"], Symbol::Second),
    (&["third"], Symbol::Third),
    (&["last"], Symbol::Last),
    (&["for"], Symbol::For),
    (&["times", "time"], Symbol::Times),
    (&["until", "til"], Symbol::Until),
    (&["monday", "mon", "mo"], Symbol::Weekday(0)),
    (&["tuesday", "tues", "tue", "tu"], Symbol::Weekday(1)),
    (&["wednesday", "wedn", "wed", "we"], Symbol::Weekday(2)),
    (&["thursday", "thur", "thu", "th"], Symbol::Weekday(3)),
    (&["friday", "fri", "fr"], Symbol::Weekday(4)),
    (&["saturday", "sat", "sa"], Symbol::Weekday(5)),
    (&["sunday", "sun", "su"], Symbol::Weekday(6)),
    (&["january", "jan"], Symbol::Month(1)),
    (&["february", "feb"], Symbol::Month(2)),
    (&["march", "mar"], Symbol::Month(3)),
    (&["april", "apr"], Symbol::Month(4)),
    (&["may"], Symbol::Month(5)),
    (&["june", "jun"], Symbol::Month(6)),
    (&["july", "jul"], Symbol::Month(7)),
    (&["august", "aug"], Symbol::Month(8)),
    (&["september", "sept", "sep"], Symbol::Month(9)),
    (&["october", "oct"], Symbol::Month(10)),
    (&["november", "nov"], Symbol::Month(11)),
    (&["december", "dec"], Symbol::Month(12)),
];

/// The longest token at the start of the text: its symbol, its length and its number, if it has one.
fn token(text: &str) -> Option<(Symbol, usize, u64)> {
    let mut best: Option<(Symbol, usize, u64)> = None;
    let mut offer = |symbol: Symbol, length: usize, number: u64| {
        if length > 0 && best.is_none_or(|(_, longest, _)| length > longest) {
            best = Some((symbol, length, number));
        }
    };
    let spaces = text.bytes().take_while(|b| *b == b' ').count();
    offer(Symbol::Skip, spaces, 0);

    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && !text.starts_with('0') {
        // A number too long for any calendar is as good as the largest.
        let number = text.get(..digits).and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX);
        offer(Symbol::Number, digits, number);
        let suffix = text.get(digits..).unwrap_or_default();
        if ["th", "nd", "rd", "st"].iter().any(|ending| starts_with(suffix, ending)) {
            offer(Symbol::Nth, digits + 2, number);
        }
    }
    for (spellings, symbol) in WORDS {
        if let Some(spelling) = spellings.iter().find(|spelling| starts_with(text, spelling)) {
            offer(*symbol, spelling.len(), 0);
        }
    }
    offer(Symbol::Comma, comma_length(text), 0);
    best
}

/// Length of a run of commas, "and" and "or" with the spaces after each.
fn comma_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        let after = rest.strip_prefix(',').or_else(|| {
            let word = ["and", "or"].iter().find(|word| starts_with(rest, word))?;
            rest.get(word.len()..)
        });
        match after {
            Some(after) => rest = after.trim_start_matches(' '),
            None => return text.len() - rest.len(),
        }
    }
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// The reader: one symbol of lookahead over the rest of the text.
struct Reader<'a> {
    /// What follows the current symbol.
    rest: &'a str,
    symbol: Option<Symbol>,
    number: u64,
    /// Nothing more can be read.
    exhausted: bool,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str) -> Self {
        Self { rest: text, symbol: None, number: 0, exhausted: false }
    }

    /// Moves to the next symbol; `false` when there is none.
    fn advance(&mut self) -> bool {
        self.symbol = None;
        loop {
            if self.exhausted {
                return false;
            }
            let Some((symbol, length, number)) = token(self.rest) else {
                self.exhausted = true;
                return false;
            };
            self.rest = self.rest.get(length..).unwrap_or_default();
            self.exhausted = self.rest.is_empty();
            if symbol != Symbol::Skip {
                self.symbol = Some(symbol);
                self.number = number;
                return true;
            }
        }
    }

    fn accept(&mut self, symbol: Symbol) -> bool {
        let here = self.symbol == Some(symbol);
        if here {
            self.advance();
        }
        here
    }

    fn accept_number(&mut self) -> Option<u64> {
        let number = self.number;
        self.accept(Symbol::Number).then_some(number)
    }

    const fn is_done(&self) -> bool {
        self.exhausted && self.symbol.is_none()
    }

    const fn weekday(&self) -> Option<u8> {
        match self.symbol {
            Some(Symbol::Weekday(weekday)) => Some(weekday),
            _ => None,
        }
    }

    const fn month(&self) -> Option<u8> {
        match self.symbol {
            Some(Symbol::Month(month)) => Some(month),
            _ => None,
        }
    }

    /// `Ok(None)` when no ordinal stands here, `Err` when it is out of range.
    fn ordinal(&mut self) -> Result<Option<i32>, NoRule> {
        let value = match self.symbol {
            Some(Symbol::Last) => {
                self.advance();
                return Ok(Some(-1));
            }
            Some(Symbol::First) => {
                self.advance();
                return Ok(Some(1));
            }
            Some(Symbol::Second) => 2,
            Some(Symbol::Third) => 3,
            Some(Symbol::Nth) => match i32::try_from(self.number) {
                Ok(number) if number <= 366 => number,
                _ => return Err(NoRule),
            },
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(if self.accept(Symbol::Last) { -value } else { value }))
    }
}

/// The text is no rule.
struct NoRule;

/// Reads a rule's text; `None` when rrule would throw or read nothing.
pub(super) fn parse(text: &str) -> Option<Rule> {
    let mut reader = Reader::new(text);
    if !reader.advance() {
        return None;
    }
    rule(&mut reader).ok()
}

fn rule(reader: &mut Reader<'_>) -> Result<Rule, NoRule> {
    if !reader.accept(Symbol::Every) {
        return Err(NoRule);
    }
    let interval = reader.accept_number().unwrap_or(1);
    if reader.is_done() {
        return Err(NoRule);
    }
    let mut rule = Rule {
        frequency: Frequency::Yearly,
        interval,
        weekdays: Vec::new(),
        month_days: Vec::new(),
        months: Vec::new(),
        week_numbers: Vec::new(),
        hours: Vec::new(),
        until: None,
        count: None,
    };
    match reader.symbol {
        Some(Symbol::Days) => {
            rule.frequency = Frequency::Daily;
            if reader.advance() {
                at(reader, &mut rule)?;
                end(reader, &mut rule)?;
            }
        }
        Some(Symbol::Weekdays) => {
            rule.frequency = Frequency::Weekly;
            rule.weekdays = working_days();
            reader.advance();
            at(reader, &mut rule)?;
            end(reader, &mut rule)?;
        }
        Some(Symbol::Weeks) => {
            rule.frequency = Frequency::Weekly;
            if reader.advance() {
                on(reader, &mut rule)?;
                at(reader, &mut rule)?;
                end(reader, &mut rule)?;
            }
        }
        Some(unit @ (Symbol::Hours | Symbol::Minutes | Symbol::Months | Symbol::Years)) => {
            rule.frequency = match unit {
                Symbol::Hours => Frequency::Hourly,
                Symbol::Minutes => Frequency::Minutely,
                Symbol::Months => Frequency::Monthly,
                _ => Frequency::Yearly,
            };
            if reader.advance() {
                on(reader, &mut rule)?;
                end(reader, &mut rule)?;
            }
        }
        Some(Symbol::Weekday(_)) => weekday_list(reader, &mut rule)?,
        Some(Symbol::Month(_)) => month_list(reader, &mut rule)?,
        _ => return Err(NoRule),
    }
    Ok(rule)
}

/// `every Monday, Thursday …`
fn weekday_list(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    rule.frequency = Frequency::Weekly;
    rule.weekdays.extend(reader.weekday().map(|weekday| WeekdayOfPeriod { weekday, nth: None }));
    if !reader.advance() {
        return Ok(());
    }
    while reader.accept(Symbol::Comma) {
        let weekday = reader.weekday().ok_or(NoRule)?;
        rule.weekdays.push(WeekdayOfPeriod { weekday, nth: None });
        reader.advance();
    }
    at(reader, rule)?;
    month_days(reader, rule)?;
    end(reader, rule)
}

/// `every January, July …`
fn month_list(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    rule.frequency = Frequency::Yearly;
    rule.months.extend(reader.month());
    if !reader.advance() {
        return Ok(());
    }
    while reader.accept(Symbol::Comma) {
        rule.months.push(reader.month().ok_or(NoRule)?);
        reader.advance();
    }
    on(reader, rule)?;
    end(reader, rule)
}

/// `on the 1st, 15th`, `on the last Friday`, `in week 5`, `in March`
fn on(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    let on = reader.accept(Symbol::On);
    let the = reader.accept(Symbol::The);
    if !(on || the) {
        return Ok(());
    }
    loop {
        let nth = reader.ordinal()?;
        let weekday = reader.weekday();
        let month = reader.month();
        if let Some(nth) = nth {
            if let Some(weekday) = weekday {
                reader.advance();
                rule.weekdays.push(WeekdayOfPeriod { weekday, nth: Some(nth) });
            } else {
                rule.month_days.push(nth);
                reader.accept(Symbol::Days);
            }
        } else if let Some(weekday) = weekday {
            reader.advance();
            rule.weekdays.push(WeekdayOfPeriod { weekday, nth: None });
        } else if reader.accept(Symbol::Weekdays) {
            if rule.weekdays.is_empty() {
                rule.weekdays = working_days();
            }
        } else if reader.accept(Symbol::Weeks) {
            rule.week_numbers = vec![reader.accept_number().ok_or(NoRule)?];
            while reader.accept(Symbol::Comma) {
                rule.week_numbers.push(reader.accept_number().ok_or(NoRule)?);
            }
        } else if let Some(month) = month {
            reader.advance();
            rule.months.push(month);
        } else {
            return Ok(());
        }
        let more = reader.accept(Symbol::Comma) || reader.accept(Symbol::The) || reader.accept(Symbol::On);
        if !more {
            return Ok(());
        }
    }
}

/// `at 10, 14`
fn at(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    if !reader.accept(Symbol::At) {
        return Ok(());
    }
    loop {
        rule.hours = vec![reader.accept_number().ok_or(NoRule)?];
        while reader.accept(Symbol::Comma) {
            rule.hours.push(reader.accept_number().ok_or(NoRule)?);
        }
        if !(reader.accept(Symbol::Comma) || reader.accept(Symbol::At)) {
            return Ok(());
        }
    }
}

/// Days of the month after a list of weekdays. The symbol after each ordinal is skipped, whatever it is.
fn month_days(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    reader.accept(Symbol::On);
    reader.accept(Symbol::The);
    let Some(nth) = reader.ordinal()? else {
        return Ok(());
    };
    rule.month_days = vec![nth];
    reader.advance();
    while reader.accept(Symbol::Comma) {
        rule.month_days.push(reader.ordinal()?.ok_or(NoRule)?);
        reader.advance();
    }
    Ok(())
}

/// `until June 1, 2026` or `for 5 times`
fn end(reader: &mut Reader<'_>, rule: &mut Rule) -> Result<(), NoRule> {
    if reader.symbol == Some(Symbol::Until) {
        rule.until = Some(parse_date(reader.rest).ok_or(NoRule)?);
    } else if reader.accept(Symbol::For) {
        rule.count = Some(reader.accept_number().ok_or(NoRule)?);
    }
    Ok(())
}

fn working_days() -> Vec<WeekdayOfPeriod> {
    (0..5).map(|weekday| WeekdayOfPeriod { weekday, nth: None }).collect()
}
