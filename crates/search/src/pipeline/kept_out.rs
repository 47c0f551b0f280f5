//! The rows of `skipped` by the place that each is judged with.
//!
//! They are kept in memory: every change in the vault asks for some of them, and a vault can have
//! thousands (a folder of packages that link to each other).

use std::collections::{BTreeMap, BTreeSet};

use super::skipped::Place;

/// Path on disk and reason, as `skipped` has them.
pub(super) type Row = (String, String);

/// The rows, and which of them are not as they were when they were stored last.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The keys are places of single rows, never [`Place::Below`].
    by_place: BTreeMap<Place, BTreeSet<Row>>,
    /// Rows that were put in or taken out, and whether they are stored.
    touched: BTreeMap<Row, bool>,
}

impl Rows {
    /// Rows as they are stored.
    pub(super) fn stored(rows: Vec<Row>) -> Self {
        let mut by_place: BTreeMap<Place, BTreeSet<Row>> = BTreeMap::new();
        for row in rows {
            by_place.entry(Place::of(&row.0)).or_default().insert(row);
        }
        Self { by_place, touched: BTreeMap::new() }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Place, &Row)> {
        self.by_place.iter().flat_map(|(place, rows)| rows.iter().map(move |row| (place, row)))
    }

    /// The rows of the place of a single row.
    pub(super) fn of(&self, place: &Place) -> impl Iterator<Item = &Row> {
        self.by_place.get(place).into_iter().flatten()
    }

    /// Replaces the rows of a place by those of `found` that are its own.
    pub(super) fn replace(&mut self, place: &Place, found: impl IntoIterator<Item = Row>) {
        let old = match place {
            Place::Below(folder) => {
                let keys: Vec<Place> =
                    self.by_place.keys().filter(|key| key.is_below(folder)).cloned().collect();
                keys.iter().filter_map(|key| self.by_place.remove(key)).flatten().collect()
            }
            _ => self.by_place.remove(place).unwrap_or_default(),
        };
        for row in old {
            self.touched.entry(row).or_insert(true);
        }
        for row in found {
            let key = Place::of(&row.0);
            let own = match place {
                Place::Below(folder) => key.is_below(folder),
                _ => key == *place,
            };
            if own {
                self.touched.entry(row.clone()).or_insert(false);
                self.by_place.entry(key).or_default().insert(row);
            }
        }
    }

    /// The rows to delete and to insert so that what is stored is this; from then on it counts as stored.
    pub(super) fn take_changes(&mut self) -> (Vec<Row>, Vec<Row>) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for (row, stored) in std::mem::take(&mut self.touched) {
            let there = self.by_place.get(&Place::of(&row.0)).is_some_and(|rows| rows.contains(&row));
            match (stored, there) {
                (true, false) => gone.push(row),
                (false, true) => new.push(row),
                _ => {}
            }
        }
        (gone, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(&str, &str)]) -> Vec<Row> {
        rows.iter().map(|(path, reason)| ((*path).to_owned(), (*reason).to_owned())).collect()
    }

    const STORED: [(&str, &str); 5] = [
        ("a", "broken_link"),
        ("a/b", "broken_link"),
        ("a/back\\slash", "bad_name"),
        ("ab/c", "not_regular"),
        ("back\\slash", "bad_name"),
    ];

    #[track_caller]
    fn check(place: &Place, found: &[(&str, &str)], gone: &[(&str, &str)], new: &[(&str, &str)]) {
        let mut held = Rows::stored(rows(&STORED));
        held.replace(place, rows(found));
        assert_eq!(held.take_changes(), (rows(gone), rows(new)), "{place:?}");
        assert_eq!(held.take_changes(), (vec![], vec![]), "stored once");
    }

    #[test]
    fn a_place_replaces_its_own_rows_alone() {
        let at = |path: &str| Place::of(path);
        check(&at("a"), &[("a", "broken_link")], &[], &[]);
        check(&at("a"), &[("a", "linked_twice")], &[("a", "broken_link")], &[("a", "linked_twice")]);
        check(&at("a"), &[("ab", "not_regular")], &[("a", "broken_link")], &[]);
        check(&at("n"), &[("n", "not_regular")], &[], &[("n", "not_regular")]);
        let unspellable = Place::Unspellable("a".to_owned());
        check(&unspellable, &[], &[("a/back\\slash", "bad_name")], &[]);
        check(&unspellable, &[("a/back\\slash", "bad_name"), ("a/b", "x")], &[], &[]);
        let below = Place::Below("a".to_owned());
        check(&below, &[("ab/d", "x")], &[("a/b", "broken_link"), ("a/back\\slash", "bad_name")], &[]);
        check(&Place::Below(String::new()), &STORED, &[], &[]);
        check(&Place::Below(String::new()), &[], &STORED, &[]);
    }

    #[test]
    fn what_is_taken_out_and_put_back_is_no_change() {
        let mut held = Rows::stored(rows(&STORED));
        held.replace(&Place::Below(String::new()), []);
        held.replace(&Place::Below("a".to_owned()), rows(&STORED));
        held.replace(&Place::of("ab/c"), rows(&STORED));
        let gone = rows(&[("a", "broken_link"), ("back\\slash", "bad_name")]);
        assert_eq!(held.take_changes(), (gone, vec![]));
    }
}
