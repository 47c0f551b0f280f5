//! Texts that adapt to what is served.
//!
//! A text may hold parts that are only there while some tools are: `{vault_search? Find a path
//! with vault_search.}` vanishes when `vault_search` is not served, `{a&b? …}` when either is
//! not. So no text ever sends a model to a tool that it cannot call.

/// Renders a text for the tools that are served. Parts do not nest.
pub(crate) fn render(template: &str, serves: impl Fn(&str) -> bool) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, part)) = rest.split_once('{') {
        text.push_str(before);
        let Some((part, after)) = part.split_once('}') else {
            text.push('{');
            rest = part;
            continue;
        };
        match part.split_once('?') {
            Some((names, shown)) if names.split('&').all(is_name) => {
                if names.split('&').all(&serves) {
                    text.push_str(shown);
                }
            }
            _ => {
                text.push('{');
                text.push_str(part);
                text.push('}');
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text.trim().to_owned()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::render;

    #[track_caller]
    fn case(template: &str, served: &[&str], expected: &str) {
        assert_eq!(render(template, |name| served.contains(&name)), expected);
    }

    #[test]
    fn parts_vanish_with_their_tools() {
        case("Reads.{find? Use find.} End.", &["find"], "Reads. Use find. End.");
        case("Reads.{find? Use find.} End.", &[], "Reads. End.");
        case("{a&b?both}{a?one}", &["a"], "one");
        case("{a&b?both}{a?one}", &["a", "b"], "bothone");
    }

    #[test]
    fn other_braces_are_text() {
        case("{before, on, after} {A? b}", &[], "{before, on, after} {A? b}");
        case("open { end", &[], "open { end");
    }
}
