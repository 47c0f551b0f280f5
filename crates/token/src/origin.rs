//! The deployment a token is bound to: the origin of `PUBLIC_URL` (RFC 6454), in one spelling.

use std::net::Ipv6Addr;

/// Where the protocol is spoken, below the origin.
const ENDPOINT: &str = "/mcp";

/// Why a URL is not the origin of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// The scheme is neither `https` nor `http`.
    #[error("the URL must begin with https:// or http://")]
    Scheme,
    /// It holds a user name or password.
    #[error("the URL must not hold a user name or password")]
    UserInformation,
    /// There is no host, or it holds characters that no host has.
    #[error("the URL has no usable host")]
    Host,
    /// The port is not a number from 1 to 65535.
    #[error("the URL's port must be a number from 1 to 65535")]
    Port,
    /// There is a path, query or fragment: a token is bound to an origin, and two deployments below one
    /// origin would take each other's tokens.
    #[error("the URL must be an origin, without path, query or fragment")]
    Path,
}

/// The origin of `PUBLIC_URL`: scheme and host in lower case, no port where it is the scheme's own. A host name
/// beyond ASCII stays as given; both spellings of one (Unicode and `xn--`) are two deployments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicOrigin(String);

impl PublicOrigin {
    /// Reads a URL that is an origin, with or without a trailing `/`.
    ///
    /// # Errors
    /// One [`OriginError`] per rule.
    pub fn parse(url: &str) -> Result<Self, OriginError> {
        let (origin, rest) = split(url)?;
        if matches!(rest, "" | "/") { Ok(Self(origin)) } else { Err(OriginError::Path) }
    }

    /// The origin, without a trailing `/`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `iss` of tokens and of the metadata: the origin with a trailing `/`, as the reference deployment signs.
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("{}/", self.0)
    }

    /// `aud` of tokens: the URL of the endpoint (RFC 8707).
    #[must_use]
    pub fn audience(&self) -> String {
        format!("{}{ENDPOINT}", self.0)
    }

    /// Whether a client's `resource` (RFC 8707) means this deployment: the endpoint or the origin, in any
    /// spelling, with or without a trailing `/`.
    #[must_use]
    pub fn is_resource(&self, url: &str) -> bool {
        split(url).is_ok_and(|(origin, rest)| {
            origin == self.0
                && (matches!(rest, "" | "/") || rest.strip_suffix('/').unwrap_or(rest) == ENDPOINT)
        })
    }
}

/// Origin, normalised, and whatever follows the authority, as it is.
fn split(url: &str) -> Result<(String, &str), OriginError> {
    let (scheme, rest) = url.split_once("://").ok_or(OriginError::Scheme)?;
    let (scheme, default_port) = match scheme {
        _ if scheme.eq_ignore_ascii_case("https") => ("https", 443),
        _ if scheme.eq_ignore_ascii_case("http") => ("http", 80),
        _ => return Err(OriginError::Scheme),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end).ok_or(OriginError::Host)?;
    if authority.contains('@') {
        return Err(OriginError::UserInformation);
    }
    let (host, port) = split_port(authority);
    let host = normalise_host(host)?;
    let port = match port {
        None | Some("") => default_port,
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse::<u16>().ok().filter(|&port| port != 0).ok_or(OriginError::Port)?
        }
        Some(_) => return Err(OriginError::Port),
    };
    let origin =
        if port == default_port { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{port}") };
    Ok((origin, rest))
}

/// Host and port of an authority without user information. An IPv6 address is in brackets.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    let after_brackets = authority.rfind(']').map_or(0, |end| end + 1);
    match authority.rfind(':') {
        Some(colon) if colon >= after_brackets => {
            let (host, port) = authority.split_at(colon);
            (host, port.strip_prefix(':'))
        }
        _ => (authority, None),
    }
}

fn normalise_host(host: &str) -> Result<String, OriginError> {
    if let Some(rest) = host.strip_prefix('[') {
        let address = rest.strip_suffix(']').ok_or(OriginError::Host)?;
        return address
            .parse::<Ipv6Addr>()
            .map(|address| format!("[{address}]"))
            .map_err(|_| OriginError::Host);
    }
    let usable = |character: char| match character {
        '-' | '.' | '_' => true,
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        _ => !character.is_control() && !character.is_whitespace(),
    };
    if host.is_empty() || host.starts_with('.') || !host.chars().all(usable) {
        return Err(OriginError::Host);
    }
    Ok(host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn origin(url: &str, expected: &str) {
        assert_eq!(PublicOrigin::parse(url).unwrap().as_str(), expected);
    }

    #[track_caller]
    fn refused(url: &str, error: OriginError) {
        assert_eq!(PublicOrigin::parse(url).unwrap_err(), error);
    }

    #[test]
    fn one_origin_has_one_spelling() {
        origin("https://vault.example.com", "https://vault.example.com");
        origin("https://vault.example.com/", "https://vault.example.com");
        origin("HTTPS://Vault.Example.COM", "https://vault.example.com");
        origin("https://vault.example.com:443/", "https://vault.example.com");
        origin("https://vault.example.com:0443", "https://vault.example.com");
        origin("https://vault.example.com:", "https://vault.example.com");
        origin("http://localhost:80", "http://localhost");
        origin("https://vault.example.com:80", "https://vault.example.com:80");
        origin("http://localhost:8000", "http://localhost:8000");
        origin("http://127.0.0.1:8000/", "http://127.0.0.1:8000");
        origin("http://[0:0:0:0:0:0:0:1]:8000", "http://[::1]:8000");
        origin("https://[2001:DB8::1]", "https://[2001:db8::1]");
    }

    #[test]
    fn international_names_stay_as_given() {
        origin("https://xn--mller-kva.example", "https://xn--mller-kva.example");
        origin("https://müller.example", "https://müller.example");
        origin("https://MÜLLER.Example", "https://mÜller.example");
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for url in [
            "",
            "vault.example.com",
            "//vault.example.com",
            "ftp://a.b",
            "wss://a.b",
            "https:/a.b",
            " https://a.b",
        ] {
            refused(url, OriginError::Scheme);
        }
        for url in [
            "https://",
            "https:///mcp",
            "https://:443",
            "https://[::1",
            "https://[x]",
            "https://a b",
            "https://a\\b",
            "https://a,b",
            "https://.a",
            "https://a%2eb",
            "https://[::1]x:1",
        ] {
            refused(url, OriginError::Host);
        }
        for url in ["https://u@a.b", "https://u:p@a.b", "https://a.b@c.d"] {
            refused(url, OriginError::UserInformation);
        }
        for url in ["https://a.b:0", "https://a.b:65536", "https://a.b:x", "https://a.b:-1", "https://a.b:+1"]
        {
            refused(url, OriginError::Port);
        }
        for url in [
            "https://a.b/mcp",
            "https://a.b//",
            "https://a.b?",
            "https://a.b#",
            "https://a.b/?x",
            "https://a.b/./",
        ] {
            refused(url, OriginError::Path);
        }
    }

    #[test]
    fn issuer_and_audience_are_those_of_the_reference_deployment() {
        let origin = PublicOrigin::parse("https://Vault.example.com:443").unwrap();
        assert_eq!(origin.issuer(), "https://vault.example.com/");
        assert_eq!(origin.audience(), "https://vault.example.com/mcp");
    }

    #[test]
    fn a_resource_is_the_endpoint_or_the_origin() {
        let origin = PublicOrigin::parse("https://vault.example.com").unwrap();
        for url in [
            "https://vault.example.com",
            "https://vault.example.com/",
            "https://vault.example.com/mcp",
            "https://vault.example.com/mcp/",
            "HTTPS://VAULT.example.com:443/mcp",
        ] {
            assert!(origin.is_resource(url), "{url}");
        }
        for url in [
            "http://vault.example.com/mcp",
            "https://vault.example.com:8443/mcp",
            "https://vault.example.com.evil.example/mcp",
            "https://evil.example/vault.example.com/mcp",
            "https://vault.example.com@evil.example/mcp",
            "https://vault.example.com/MCP",
            "https://vault.example.com/mcp//",
            "https://vault.example.com/mcp?x",
            "https://vault.example.com/mcp#x",
            "https://vault.example.com/mcp/x",
            "https://vault.example.com/x/../mcp",
            "vault.example.com/mcp",
            "",
        ] {
            assert!(!origin.is_resource(url), "{url}");
        }
    }

    proptest! {
        #[test]
        fn a_normalised_origin_is_its_own_normal_form(url in "(?i:https?)://[\\PC]{0,20}(:[0-9]{0,5})?/?") {
            if let Ok(origin) = PublicOrigin::parse(&url) {
                prop_assert_eq!(PublicOrigin::parse(origin.as_str()), Ok(origin.clone()));
                prop_assert_eq!(PublicOrigin::parse(&origin.issuer()), Ok(origin.clone()));
                prop_assert!(origin.is_resource(&origin.audience()));
                prop_assert!(origin.is_resource(&url));
            }
        }

        #[test]
        fn any_text_is_an_origin_or_an_error(url in "\\PC{0,60}") {
            let _ = PublicOrigin::parse(&url);
        }
    }
}
