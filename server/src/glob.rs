//! Path patterns with `*` and `**` and nothing else: every other character stands for itself,
//! since names hold brackets and question marks.

/// A pattern over a path: `*` is any text within a name, a segment `**` is any number of folders.
pub(crate) struct Glob {
    segments: Vec<Segment>,
}

enum Segment {
    /// `**`.
    AnyFolders,
    /// A name: the texts between its stars.
    Name(Vec<String>),
}

impl Glob {
    /// Reads a pattern. Every text is one.
    pub(crate) fn new(pattern: &str) -> Self {
        let mut segments = Vec::new();
        for segment in pattern.trim_matches('/').split('/') {
            if segment == "**" {
                // Two in a row mean what one means.
                if !matches!(segments.last(), Some(Segment::AnyFolders)) {
                    segments.push(Segment::AnyFolders);
                }
            } else {
                segments.push(Segment::Name(segment.split('*').map(str::to_owned).collect()));
            }
        }
        Self { segments }
    }

    /// Whether the whole path matches. Takes at most segments × segments steps.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        // reachable[n]: the pattern so far can have used up the first n names.
        let mut reachable = vec![false; names.len() + 1];
        if let Some(first) = reachable.first_mut() {
            *first = true;
        }
        for (position, segment) in self.segments.iter().enumerate() {
            let last = position + 1 == self.segments.len();
            let mut next = vec![false; names.len() + 1];
            match segment {
                Segment::AnyFolders => {
                    let mut open = false;
                    for (index, can) in reachable.iter().enumerate() {
                        // At the end of a pattern `**` stands for files, so for at least one name.
                        let here = open || (*can && !last);
                        open |= *can;
                        if let Some(slot) = next.get_mut(index) {
                            *slot = here;
                        }
                    }
                }
                Segment::Name(parts) => {
                    for (index, name) in names.iter().enumerate() {
                        let can = reachable.get(index).copied().unwrap_or(false);
                        if can
                            && matches_name(parts, name)
                            && let Some(slot) = next.get_mut(index + 1)
                        {
                            *slot = true;
                        }
                    }
                }
            }
            reachable = next;
        }
        reachable.last().copied().unwrap_or(false)
    }
}

/// Whether a name is the parts in order with anything between them.
fn matches_name(parts: &[String], name: &str) -> bool {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return name.is_empty() };
    if parts.len() == 1 {
        return name == first;
    }
    let Some(rest) = name.strip_prefix(first.as_str()) else { return false };
    let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
    for part in parts.get(1..parts.len() - 1).unwrap_or_default() {
        let Some((_, after)) = rest.split_once(part.as_str()) else { return false };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(pattern: &str, matching: &[&str], others: &[&str]) {
        let glob = Glob::new(pattern);
        for path in matching {
            assert!(glob.matches(path), "{pattern} should match {path}");
        }
        for path in others {
            assert!(!glob.matches(path), "{pattern} should not match {path}");
        }
    }

    #[test]
    fn a_star_stays_within_a_name() {
        case("*.md", &["a.md", ".md", "a b.md"], &["x/a.md", "a.txt"]);
        case("a*c*e.md", &["ace.md", "abcde.md", "acce.md"], &["ae.md", "ace.md.md/x", "a/c/e.md"]);
        case("*", &["a", ""], &["a/b"]);
        case("Projects/*", &["Projects/a.md"], &["Projects/x/a.md", "projects/a.md", "Projects"]);
    }

    #[test]
    fn two_stars_cross_folders() {
        case("**/*.md", &["a.md", "x/a.md", "x/y/a.md"], &["a.txt"]);
        case("x/**", &["x/a", "x/y/a"], &["x", "y/x/a"]);
        case("x/**/a.md", &["x/a.md", "x/y/a.md", "x/y/z/a.md"], &["a.md", "x/b.md"]);
        case("**", &["a", "a/b"], &[]);
        case("**/2026/**/*.md", &["2026/a.md", "x/2026/y/z/a.md"], &["x/2025/a.md"]);
    }

    #[test]
    fn other_characters_stand_for_themselves() {
        case("a?[b].md", &["a?[b].md"], &["axb.md", "a?b.md"]);
        case("a**b.md", &["ab.md", "axyb.md"], &["a/b.md"]);
        case("{a,b}.md", &["{a,b}.md"], &["a.md"]);
    }

    #[test]
    fn overlapping_ends_do_not_count_twice() {
        case("ab*ba", &["abba", "abxba"], &["aba", "ab"]);
    }

    #[test]
    fn hostile_patterns_stay_quick() {
        let glob = Glob::new(&"**/a*".repeat(90));
        assert!(!glob.matches(&"a/".repeat(2_000)));
        let stars = Glob::new(&format!("{}b", "a*".repeat(240)));
        assert!(!stars.matches(&"a".repeat(250)));
    }
}
