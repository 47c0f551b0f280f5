//! The routes that are open at the gateway. They have no authorizer there; should one be attached by mistake,
//! discovery and sign-in go on working, and the host authenticates what needs it.

const EXACT: [&str; 9] =
    ["/", "/healthz", "/setup", "/authorize", "/token", "/register", "/revoke", "/status", "/oauth/decide"];
const BELOW: [&str; 4] = ["/.well-known/", "/oauth/", "/status/", "/files/"];

/// Whether a path is an open route beyond doubt: with escapes, dots or empty segments it could mean another
/// one to whoever normalises it, and is none.
pub(crate) fn is_open(path: &str) -> bool {
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic() && !b"%\\;?#".contains(&byte))
        && !path.contains("//")
        && !path.split('/').any(|segment| matches!(segment, "." | ".."));
    // Names of files come escaped; below `/files/` no other route can be meant as long as no dots are.
    let escaped_file = path.strip_prefix("/files/").is_some_and(|rest| {
        rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\;?#".contains(&byte))
            && !rest.contains("//")
            && !rest.to_ascii_lowercase().contains("%2e")
            && !rest.to_ascii_lowercase().contains("%2f")
            && !rest.to_ascii_lowercase().contains("%5c")
            && !rest.to_ascii_lowercase().contains("%25")
            && !rest.split('/').any(|segment| matches!(segment, "." | ".."))
    });
    (plain && (EXACT.contains(&path) || BELOW.iter().any(|start| path.starts_with(start)))) || escaped_file
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
