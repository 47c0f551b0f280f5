//! Redirect URIs: which may be registered, and which of them a request means.
//!
//! Compared as text, never in a normal form: what a browser will open is exactly what was registered. The one
//! exception is the port of a loopback address (RFC 8252 section 7.3), extended to `localhost`, which clients
//! on the desktop publish without a port and use with any.

use url::{Host, Url};

/// The longest redirect URI. Those of clients that are in use have fewer than 100.
const MAX_BYTES: usize = 512;

/// Schemes of clients that are in use and that have no dot in them, which RFC 8252 section 7.1 asks for. Of the
/// others without one, any may be a program of the system that a redirect would start.
const KNOWN_SCHEMES: [&str; 3] = ["cursor", "vscode", "vscode-insiders"];

/// Why a redirect URI is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum RedirectUriError {
    /// Longer than [`MAX_BYTES`].
    #[error("it is longer than 512 bytes")]
    TooLong,
    /// Not an absolute URI, or with characters that no URI has.
    #[error("it is not an absolute URI in ASCII")]
    Malformed,
    /// RFC 6749 section 3.1.2.
    #[error("it has a fragment")]
    Fragment,
    /// A user name or password.
    #[error("it holds a user name or password")]
    UserInformation,
    /// `http` to another machine.
    #[error("http is for loopback addresses only")]
    PlainHttp,
    /// A scheme that is neither of the web nor an app's own.
    #[error("its scheme is not allowed: an app's own has a dot, as in com.example.app")]
    Scheme,
    /// `http` or `https` without a host.
    #[error("it has no host")]
    Host,
}

/// A redirect URI that may be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RedirectUri(String);

impl RedirectUri {
    /// Checks a URI that a client wants to register.
    ///
    /// # Errors
    /// One [`RedirectUriError`] per rule.
    pub(super) fn parse(text: &str) -> Result<Self, RedirectUriError> {
        if text.len() > MAX_BYTES {
            return Err(RedirectUriError::TooLong);
        }
        // What browsers strip or turn around (tabs, line ends, backslashes, spaces) would make the text
        // another URL than it seems.
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
        if text.is_empty() || !text.bytes().all(plain) {
            return Err(RedirectUriError::Malformed);
        }
        if text.contains('#') {
            return Err(RedirectUriError::Fragment);
        }
        let url = Url::parse(text).map_err(|_| RedirectUriError::Malformed)?;
        let on_the_web = matches!(url.scheme(), "http" | "https");
        if !on_the_web && !url.scheme().contains('.') && !KNOWN_SCHEMES.contains(&url.scheme()) {
            return Err(RedirectUriError::Scheme);
        }
        if on_the_web {
            // Browsers take `https:host` and `https:/host` for `https://host`.
            let scheme = text.len().min(url.scheme().len() + 3);
            if !text.get(..scheme).is_some_and(|start| start.ends_with("://")) || !url.has_host() {
                return Err(RedirectUriError::Host);
            }
        }
        if !url.username().is_empty() || url.password().is_some() || authority(text).contains('@') {
            return Err(RedirectUriError::UserInformation);
        }
        if url.scheme() == "http" && !is_loopback(&url) {
            return Err(RedirectUriError::PlainHttp);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text as it was registered.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a request with `requested` means this one.
    pub(super) fn matches(&self, requested: &str) -> bool {
        self.0 == requested
            || match (without_loopback_port(&self.0), without_loopback_port(requested)) {
                (Some(registered), Some(requested)) => registered == requested,
                _ => false,
            }
    }
}

/// Whether a redirect URI leads to a program on the machine of whoever opens it.
pub(super) fn is_on_loopback(uri: &str) -> bool {
    Url::parse(uri).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && is_loopback(&url))
}

/// Where a redirect URI that was registered leads, as the owner is shown it: host and port, or the scheme of an
/// app with its `:`.
pub(super) fn shown(uri: &str) -> String {
    let Ok(url) = Url::parse(uri) else { return String::new() };
    match (url.scheme(), url.host_str()) {
        ("http" | "https", Some(host)) => {
            url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
        }
        (scheme, _) => format!("{scheme}:"),
    }
}

/// The URI with more parameters.
pub(super) fn with_parameters(uri: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    let separator = match uri.find('?') {
        None => "?",
        Some(_) if uri.ends_with(['?', '&']) => "",
        Some(_) => "&",
    };
    format!("{uri}{separator}{}", query.finish())
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn authority(text: &str) -> &str {
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default()
}

/// Host and the rest of an `http` URI on loopback, without its port.
fn without_loopback_port(uri: &str) -> Option<(&str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    let (host, rest) = ["localhost", "127.0.0.1", "[::1]"].iter().find_map(|host| {
        let after = rest.strip_prefix(host)?;
        (after.is_empty() || after.starts_with([':', '/', '?'])).then_some((*host, after))
    })?;
    let Some(after_colon) = rest.strip_prefix(':') else { return Some((host, rest)) };
    let digits = after_colon.bytes().take_while(u8::is_ascii_digit).count();
    let (port, rest) = after_colon.split_at(digits);
    port.parse::<u16>().ok().filter(|port| *port != 0)?;
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn accepted(uri: &str) {
        assert_eq!(RedirectUri::parse(uri).as_ref().map(RedirectUri::as_str), Ok(uri));
    }

    #[track_caller]
    fn refused(uri: &str, error: RedirectUriError) {
        assert_eq!(RedirectUri::parse(uri), Err(error), "{uri:?}");
    }

    #[test]
    fn what_the_known_clients_register_is_accepted() {
        for uri in [
            "https://claude.ai/api/mcp/auth_callback",
            "https://chatgpt.com/connector/oauth/abc?x=1",
            "https://vscode.dev/redirect",
            "http://127.0.0.1/",
            "http://127.0.0.1:33418/",
            "http://localhost/callback",
            "http://localhost:8787/callback",
            "http://[::1]:1234/callback",
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "https://www.cursor.com/agents/mcp/oauth/callback",
            "vscode://ms.agent/callback",
            "vscode-insiders://ms.agent/callback",
            "com.example.app:/oauth",
            "com.example.app:callback",
        ] {
            accepted(uri);
        }
    }

    #[test]
    fn what_would_leak_or_run_is_refused() {
        use RedirectUriError::{Fragment, Host, Malformed, PlainHttp, Scheme, TooLong, UserInformation};
        for uri in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "about:blank",
            "blob:https://a.example/x",
            "view-source:https://a.example",
            "ftp://a.example/x",
            "ws://a.example/x",
            "ms-msdt:/id",
            "search-ms:query=x",
            "smb://a.example/x",
            "itms-services://?action=download-manifest",
            "tel:1",
            "mhtml:https://a.example/",
            "livescript:x",
            "feed:https://a.example/",
            "ssh://a.example",
            "app://callback",
        ] {
            refused(uri, Scheme);
        }
        for uri in ["http://a.example/cb", "http://192.168.1.2/cb", "http://localhost.evil.example/cb"] {
            refused(uri, PlainHttp);
        }
        for uri in ["https://u@a.example/", "https://u:p@a.example/", "https://@a.example/", "cursor://u@x/"]
        {
            refused(uri, UserInformation);
        }
        for uri in ["https://a.example/#x", "https://a.example/#", "cursor://a/b#c"] {
            refused(uri, Fragment);
        }
        for uri in [
            "",
            "/callback",
            "a.example/cb",
            "https://a.example/a b",
            "https://a.example\\@b.example/",
            "https://a.example/\n",
            "https://ä.example/",
            "https://",
            "https://a.example/{x}",
        ] {
            refused(uri, Malformed);
        }
        for uri in ["https:a.example/cb", "https:/a.example/cb", "http:localhost/cb"] {
            refused(uri, Host);
        }
        refused(&format!("https://a.example/{}", "a".repeat(MAX_BYTES)), TooLong);
    }

    #[track_caller]
    fn matching(registered: &str, requested: &str, expected: bool) {
        let registered = RedirectUri::parse(registered).unwrap();
        assert_eq!(registered.matches(requested), expected, "{registered:?} {requested}");
    }

    #[test]
    fn a_request_names_one_exactly() {
        let registered = "https://claude.ai/api/mcp/auth_callback";
        matching(registered, registered, true);
        for other in [
            "https://claude.ai/api/mcp/auth_callback/",
            "https://claude.ai/api/mcp/auth_callback?x=1",
            "https://claude.ai/api/mcp/auth_callback/../../evil",
            "https://claude.ai/api/mcp/auth",
            "https://claude.ai:443/api/mcp/auth_callback",
            "https://CLAUDE.ai/api/mcp/auth_callback",
            "http://claude.ai/api/mcp/auth_callback",
            "https://claude.ai@evil.example/api/mcp/auth_callback",
            "https://evil.example/api/mcp/auth_callback",
            "https://claude.ai/api/mcp/auth_callback#x",
        ] {
            matching(registered, other, false);
        }
    }

    #[test]
    fn a_loopback_address_has_any_port() {
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            matching(&format!("http://{host}/callback"), &format!("http://{host}:51234/callback"), true);
            matching(&format!("http://{host}:8787/callback"), &format!("http://{host}:51234/callback"), true);
            matching(&format!("http://{host}:8787/callback"), &format!("http://{host}/callback"), true);
            matching(&format!("http://{host}:8787/callback"), &format!("http://{host}:1/other"), false);
            matching(&format!("http://{host}/callback"), &format!("https://{host}:51234/callback"), false);
        }
        for other in [
            "http://127.0.0.1:1/callback",
            "http://localhost:/callback",
            "http://localhost:0/callback",
            "http://localhost:65536/callback",
            "http://localhost:80@evil.example/callback",
            "http://localhost@evil.example/callback",
            "http://localhost.evil.example/callback",
            "http://localhost:1.evil.example/callback",
            "http://localhost:1/callback?next=x",
            "http://localhost:1/callback#x",
            "HTTP://localhost:1/callback",
        ] {
            matching("http://localhost/callback", other, false);
        }
        matching("http://127.0.0.1", "http://127.0.0.1:5", true);
        matching("https://a.example/", "https://a.example:8443/", false);
    }

    #[test]
    fn loopback_is_told_from_everything_else() {
        for uri in ["http://localhost:1/cb", "http://127.0.0.1/", "http://[::1]:1234/callback"] {
            assert!(is_on_loopback(uri), "{uri}");
        }
        for uri in
            ["https://localhost.evil.example/", "https://a.example/localhost", "cursor://localhost/x", ""]
        {
            assert!(!is_on_loopback(uri), "{uri}");
        }
    }

    #[test]
    fn where_it_leads_is_shown() {
        assert_eq!(shown("https://claude.ai/api/x"), "claude.ai");
        assert_eq!(shown("https://a.example:8443/x"), "a.example:8443");
        assert_eq!(shown("http://localhost:51234/cb"), "localhost:51234");
        assert_eq!(shown("http://[::1]:51234/cb"), "[::1]:51234");
        assert_eq!(shown("cursor://anysphere.cursor-mcp/x"), "cursor:");
    }

    #[test]
    fn parameters_are_added_to_those_that_are_there() {
        let with = |uri| with_parameters(uri, &[("code", "a b"), ("state", "&=#")]);
        assert_eq!(with("https://a.example/cb"), "https://a.example/cb?code=a+b&state=%26%3D%23");
        assert_eq!(with("https://a.example/cb?x=1"), "https://a.example/cb?x=1&code=a+b&state=%26%3D%23");
        assert_eq!(with("https://a.example/cb?"), "https://a.example/cb?code=a+b&state=%26%3D%23");
        assert_eq!(with("com.example:/cb"), "com.example:/cb?code=a+b&state=%26%3D%23");
    }
}
