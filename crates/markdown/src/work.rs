//! A meter of work, for tests: searches report how many bytes or steps they looked at, so that a test can
//! hold "linear" without a clock. Outside of tests it is nothing.

/// Reports work done.
#[inline]
pub(crate) fn spend(units: usize) {
    #[cfg(test)]
    meter::SPENT.with(|spent| spent.set(spent.get() + units));
    #[cfg(not(test))]
    let _ = units;
}

#[cfg(test)]
mod meter {
    thread_local! {
        pub(super) static SPENT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
}

/// What a piece of code answers, and the work it reported.
#[cfg(test)]
pub(crate) fn measure<T>(run: impl FnOnce() -> T) -> (T, usize) {
    meter::SPENT.with(|spent| spent.set(0));
    let answer = run();
    (answer, meter::SPENT.with(std::cell::Cell::get))
}

#[cfg(test)]
mod tests {
    use super::measure;
    use crate::{document, plain};

    /// Size of the inputs: quadratic work on it is a thousand times what is allowed.
    const SIZE: usize = 50_000;
    /// Units of work allowed for each byte.
    const PER_BYTE: usize = 50;

    #[track_caller]
    fn check(text: &str) {
        let shown: String = text.chars().take(30).collect();
        let (_, spent) = measure(|| document::parse(text));
        assert!(spent <= PER_BYTE * text.len(), "{} for each byte of {shown:?}", spent / text.len());
        let (_, spent) = measure(|| plain::plain(text, 0..text.len()));
        assert!(spent <= PER_BYTE * text.len(), "{} for each byte of {shown:?} (plain)", spent / text.len());
    }

    /// The pattern, as often as it fits.
    #[track_caller]
    fn repeated(pattern: &str) {
        check(&pattern.repeat(SIZE / pattern.len()));
    }

    #[test]
    fn unclosed_marks() {
        for pattern in [
            "[[",
            "[[a",
            "![[",
            "[",
            "![",
            "]",
            "](",
            "[a](",
            "[a](b",
            "[a](<b",
            "[a](b \"",
            "[a](b '",
            "[a](b (",
            "[a](b(",
            "[a]( ",
            "[a](\\",
            "`",
            "` ",
            "$a ",
            "$",
            "$$",
            "$$ ",
            "%%",
            "%% ",
            "%%%",
            "<",
            "<a",
            "<a ",
            "<a b=\"",
            "<a b='",
            "<a b='\" ",
            "<a x=\"<a ",
            "<!--",
            "<!-- ",
            "<?",
            "<!A",
            "<![CDATA[",
            "</",
            "<a@",
            "<https:",
            "*",
            "**a",
            "_a ",
            "a_",
            "*a _b ",
            "~~",
            "==",
            "#",
            "#a/",
            "#_",
            "_#a_",
            "\\",
            "^[",
            "[^",
            "[^a",
            "[^a]: ",
            "|",
            "| ",
            "\\|",
            "&",
            "[[a]",
            "[[ ]]",
            "[[]]",
            "[[|",
            "a]]",
            "\u{a0}#",
        ] {
            repeated(pattern);
            repeated(&format!("{pattern}\n"));
            repeated(&format!("> {pattern}\n"));
            repeated(&format!("- {pattern}\n"));
            repeated(&format!("{pattern}\n\n"));
            repeated(&format!("| {pattern} |\n|---|\n"));
        }
    }

    #[test]
    fn one_mark_and_much_after_it() {
        let long = "a".repeat(SIZE);
        let lines = "a\n".repeat(SIZE / 2);
        for start in
            ["[[", "[a](<", "[a](b \"", "`", "``` ", "$a", "$$\n", "%%\n", "<!-- ", "<a b=\"", "#", "---\n"]
        {
            check(&format!("{start}{long}"));
            check(&format!("{start}{lines}"));
        }
    }

    #[test]
    fn backtick_runs_of_every_length() {
        let mut text = String::new();
        for length in 1..=600 {
            text.push_str(&"`".repeat(length));
            text.push(' ');
        }
        check(&text);
    }

    #[test]
    fn deep_containers() {
        let depth = SIZE / 20;
        for mark in ["> ", ">", "- ", "* ", "+ ", "1. ", "- [ ] ", "- > ", "> - ", "[^a]: ", "-\t"] {
            let nest = mark.repeat(depth);
            check(&nest);
            check(&format!("{nest}x"));
            // Blank lines, quote marks and lazy lines after it must not walk the whole stack each.
            for after in ["\n", "x\n", ">\n", "> x\n", "- x\n", "\t\n", "%%\n", "# x\n\n"] {
                check(&format!("{nest}x\n{}", after.repeat(SIZE / after.len())));
                check(&format!("> {nest}x\n{}", after.repeat(SIZE / after.len())));
            }
        }
    }

    #[test]
    fn stairs_of_list_items() {
        let mut text = String::new();
        let mut depth = 0;
        while text.len() < 4 * SIZE {
            text.push_str(&"  ".repeat(depth));
            text.push_str("- x\n");
            depth += 1;
        }
        check(&text);
    }

    #[test]
    fn lines_that_look_like_block_starts() {
        for line in [
            "- - - - - - - - - - x",
            "***x",
            "---",
            "===",
            "a\n---",
            "a\n===",
            "|---|",
            "|a|\n|---|",
            "| --- | x",
            "```",
            "~~~",
            "``` `",
            "<div>",
            "<!--\n-->",
            "<script>",
            "    x",
            "\tx\n",
            "# x",
            "#",
            "%%",
            "$$",
            "1. x",
            "2. x",
            "- ",
            "-",
            ">",
            "[a]: b",
            "[^a]: b",
            "^a",
            "x ^a",
            "> [!a]",
            "> [!a",
        ] {
            repeated(&format!("{line}\n"));
            repeated(&format!("> {line}\n"));
            repeated(&format!("- {line}\n"));
        }
        repeated("- * ");
        repeated("* - + ");
        repeated("    ");
        repeated("\t");
        repeated("\r");
        repeated("\n");
        repeated("\r\n");
    }
}
