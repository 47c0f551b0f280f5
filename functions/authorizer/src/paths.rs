//! The routes that are open at the gateway. They have no authorizer there; should one be attached by mistake,
//! discovery and sign-in go on working, and the host authenticates what needs it.

const EXACT: [&str; 7] = ["/", "/healthz", "/setup", "/authorize", "/token", "/register", "/revoke"];
const BELOW: [&str; 4] = ["/.well-known/", "/oauth/", "/status/", "/files/"];

/// Whether a path is an open route beyond doubt.
pub(crate) fn is_open(path: &str) -> bool {
    means_itself(path) && (EXACT.contains(&path) || BELOW.iter().any(|start| path.starts_with(start)))
}

/// Whether a path means the same to everybody, however they normalise it: no dot segments, no empty ones, no
/// escapes that hide a dot, a separator or another escape (names of files come with harmless ones).
fn means_itself(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    path.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\;?#".contains(&byte))
        && !path.contains("//")
        && !path.split('/').any(|segment| matches!(segment, "." | ".."))
        && !["%2e", "%2f", "%5c", "%25", "%3b", "%00"].iter().any(|escape| lower.contains(escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_routes_are_open() {
        for path in [
            "/",
            "/healthz",
            "/authorize",
            "/token",
            "/register",
            "/revoke",
            "/setup",
            "/oauth/decide",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-authorization-server",
            "/status/index",
            "/files/abc",
            "/files/two%20words.pdf",
        ] {
            assert!(is_open(path), "{path}");
        }
    }

    #[test]
    fn everything_else_is_protected() {
        for path in [
            "",
            "/mcp",
            "/mcp/",
            "/MCP",
            "/Token",
            "/token/",
            "/tokens",
            "/authorize2",
            "//token",
            "/.well-known",
            "/.well-known/../mcp",
            "/.well-known/./x",
            "/.well-known//mcp",
            "/.well-known/%2e%2e/mcp",
            "/.well-known/..%2fmcp",
            "/oauth/..;/mcp",
            "/oauth/..\\mcp",
            "/files/../mcp",
            "/files/%2E%2E/mcp",
            "/files/%252e/mcp",
            "/status/x\u{0}",
            "/healthz?x",
            "token",
            "/mcp/.well-known/x",
            "/prod/token",
        ] {
            assert!(!is_open(path), "{path}");
        }
    }
}
