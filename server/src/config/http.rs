//! Where the server listens and by which names it may be called.

use std::fmt;
use std::net::IpAddr;

use axum::http::uri::Authority;
use token::{OriginError, PublicOrigin};

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const PORT: Variable = Variable {
    name: "PORT",
    default: DefaultValue::Text("8000"),
    accepts: "a port number from 0 to 65535",
    effect: "The port to listen on. 0 takes any free one; the log's \"server started\" names it.",
    stage: Stage::Effective,
};
const HOST: Variable = Variable {
    name: "HOST",
    default: DefaultValue::Text("0.0.0.0"),
    accepts: "an IP address or a host name of this machine",
    effect: "The address to listen on.",
    stage: Stage::Effective,
};
const PUBLIC_URL: Variable = Variable {
    name: "PUBLIC_URL",
    default: DefaultValue::Found("`http://localhost:PORT`"),
    accepts: "an https URL without path, query or fragment (http only for loopback and private addresses)",
    effect: "The URL that clients use, without `/mcp`. Tokens are bound to it, the OAuth server calls \
             itself by it, and its host is accepted in `Host` and `Origin`. Plain http to another machine \
             is warned of: the token crosses the network in clear text.",
    stage: Stage::Effective,
};
const ALLOWED_HOSTS: Variable = Variable {
    name: "ALLOWED_HOSTS",
    default: DefaultValue::Unset,
    accepts: "host names or host:port pairs separated by commas",
    effect: "More names that requests may carry in `Host`, beside the host of `PUBLIC_URL` and \
             loopback: the name a gateway in front calls this server by. Other names are \
             answered with 403 (protection against DNS rebinding). A name without a port allows \
             every port.",
    stage: Stage::Effective,
};
const ALLOWED_ORIGINS: Variable = Variable {
    name: "ALLOWED_ORIGINS",
    default: DefaultValue::Unset,
    accepts: "origins separated by commas, for instance https://app.example.com or http://192.168.1.5:3000",
    effect: "Web pages that may call the server from a browser, beside those on an allowed host.",
    stage: Stage::Effective,
};
const TRUST_FORWARDED_HOPS: Variable = Variable {
    name: "TRUST_FORWARDED_HOPS",
    default: DefaultValue::Text("0"),
    accepts: "a whole number from 0 to 10",
    effect: "How many of the last elements of `Forwarded` (RFC 7239) were written by proxies in front: 1 \
             behind an API Gateway, 2 when a CDN stands before it and is the only way in. The client's \
             address for limits and the log is taken from the first of them; what a client puts before \
             is not looked at. With 0 the header is ignored.",
    stage: Stage::Effective,
};
const TRUST_PROXY_HOPS: Variable = Variable {
    name: "TRUST_PROXY_HOPS",
    default: DefaultValue::Text("0"),
    accepts: "a whole number from 0 to 10",
    effect: "The same for `X-Forwarded-For`, as reverse proxies and hosting platforms write it. Read when a \
             request has no trusted `Forwarded`.",
    stage: Stage::Effective,
};
const TRUST_FORWARDED_HEADER: Variable = Variable {
    name: "TRUST_FORWARDED_HEADER",
    default: DefaultValue::Text("false"),
    accepts: "true, false, 1 or 0",
    effect: "The older form of `TRUST_FORWARDED_HOPS`: true is read as 1 where that is 0.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "HTTP",
    variables: &[
        PORT,
        HOST,
        PUBLIC_URL,
        ALLOWED_HOSTS,
        ALLOWED_ORIGINS,
        TRUST_FORWARDED_HOPS,
        TRUST_PROXY_HOPS,
        TRUST_FORWARDED_HEADER,
    ],
};

/// A host name in lower case with an optional port; `None` as port means any port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostName {
    /// The name or address, without the brackets of an IPv6 address.
    pub(crate) name: String,
    /// The only port allowed, or any.
    pub(crate) port: Option<u16>,
}

/// The URL that clients use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicUrl {
    /// `None` as long as the listening port is not known (`PORT=0`).
    origin: Option<PublicOrigin>,
    /// Its host.
    pub(crate) host: HostName,
    /// Plain http to an address that is not loopback: worth a warning.
    pub(crate) plain_http_beyond_loopback: bool,
}

/// How many hops of which header trusted proxies wrote. 0: the header is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProxyTrust {
    /// `TRUST_FORWARDED_HOPS`, default 0, or 1 by `TRUST_FORWARDED_HEADER`: of `Forwarded`.
    pub(crate) forwarded_hops: usize,
    /// `TRUST_PROXY_HOPS`, default 0: of `X-Forwarded-For`.
    pub(crate) proxy_hops: usize,
}

/// Where the server listens and by which names it may be called.
#[derive(Debug, Clone)]
pub(crate) struct HttpConfig {
    /// `PORT`, default 8000; 0 takes any free port.
    pub(crate) port: u16,
    /// `HOST`, default 0.0.0.0.
    pub(crate) host: String,
    /// `PUBLIC_URL`, default `http://localhost:PORT`.
    pub(crate) public_url: PublicUrl,
    /// `ALLOWED_HOSTS`, default none: names beside the public one and loopback.
    pub(crate) allowed_hosts: Vec<HostName>,
    /// `ALLOWED_ORIGINS`, default none: origins beside those on an allowed host, in lower case.
    pub(crate) allowed_origins: Vec<String>,
    /// Whom to believe about the client's address.
    pub(crate) proxy_trust: ProxyTrust,
}

impl HttpConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let port = Self::port_of(environment)?;
        let public_url = match environment.text(&PUBLIC_URL)? {
            Some(url) => PublicUrl::parse(&url)?,
            None => PublicUrl::of_localhost(port)?,
        };
        let allowed_hosts = environment
            .list(&ALLOWED_HOSTS)?
            .unwrap_or_default()
            .iter()
            .map(|entry| HostName::parse(entry).ok_or_else(|| ConfigError::invalid(&ALLOWED_HOSTS, entry)))
            .collect::<Result<_, _>>()?;
        let allowed_origins = environment
            .list(&ALLOWED_ORIGINS)?
            .unwrap_or_default()
            .iter()
            .map(|entry| parse_origin(entry).ok_or_else(|| ConfigError::invalid(&ALLOWED_ORIGINS, entry)))
            .collect::<Result<_, _>>()?;
        let hops = |variable| {
            environment.integer(variable, 0..=10).map(|hops| usize::try_from(hops).unwrap_or(usize::MAX))
        };
        let (forwarded_hops, proxy_hops) = (hops(&TRUST_FORWARDED_HOPS)?, hops(&TRUST_PROXY_HOPS)?);
        let old_switch = environment.boolean(&TRUST_FORWARDED_HEADER)?;
        let forwarded_hops = if old_switch { forwarded_hops.max(1) } else { forwarded_hops };
        let proxy_trust = ProxyTrust { forwarded_hops, proxy_hops };
        let host = environment.required_text(&HOST)?;
        if host.contains(|character: char| character.is_whitespace() || character == '/') {
            return Err(ConfigError::invalid(&HOST, &host));
        }
        Ok(Self { port, host, public_url, allowed_hosts, allowed_origins, proxy_trust })
    }

    /// `PORT` alone: all that the health check needs.
    pub(crate) fn port_of(environment: &Environment) -> Result<u16, ConfigError> {
        let port = environment.integer(&PORT, 0..=u64::from(u16::MAX))?;
        Ok(u16::try_from(port).unwrap_or(u16::MAX))
    }
}

impl HostName {
    /// Reads `name`, `name:port`, `1.2.3.4`, `[::1]:port` or `::1`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self { name: address.to_string(), port: None });
        }
        if text.contains(['/', '@', '*']) {
            return None;
        }
        let authority = text.parse::<Authority>().ok()?;
        if authority.as_str().ends_with(':') {
            return None;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        (!name.is_empty()).then(|| Self { name, port: authority.port_u16() })
    }

    /// Whether the name means this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        self.name == "localhost"
            || self.name.ends_with(".localhost")
            || self.name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Whether this entry of a list allows `other`, as it came in a request.
    pub(crate) fn allows(&self, other: &Self) -> bool {
        self.name == other.name && self.port.is_none_or(|port| other.port == Some(port))
    }
}

impl PublicUrl {
    fn of_localhost(port: u16) -> Result<Self, ConfigError> {
        Ok(Self {
            origin: if port == 0 { None } else { Some(localhost(port)?) },
            host: HostName { name: "localhost".to_owned(), port: None },
            plain_http_beyond_loopback: false,
        })
    }

    fn parse(text: &str) -> Result<Self, ConfigError> {
        let invalid = |reason: &dyn fmt::Display| ConfigError::invalid_because(&PUBLIC_URL, text, reason);
        let origin = PublicOrigin::parse(text).map_err(|error| invalid(&error))?;
        let (scheme, authority) =
            origin.as_str().split_once("://").ok_or_else(|| invalid(&OriginError::Scheme))?;
        let host = HostName::parse(authority).ok_or_else(|| invalid(&OriginError::Host))?;
        let plain = scheme != "https";
        if plain && !host.is_loopback() && !is_private(&host.name) {
            return Err(invalid(&"http sends the token in clear text"));
        }
        Ok(Self {
            plain_http_beyond_loopback: plain && !host.is_loopback(),
            // The port a proxy listens on is not the one it calls us by: any port is right.
            host: HostName { name: host.name, port: None },
            origin: Some(origin),
        })
    }

    /// The origin. `port` is the port listened on, for the default URL.
    ///
    /// # Errors
    /// When the URL is the default one and `port` is 0.
    pub(crate) fn origin(&self, port: u16) -> Result<PublicOrigin, ConfigError> {
        match &self.origin {
            Some(origin) => Ok(origin.clone()),
            None => localhost(port),
        }
    }
}

fn localhost(port: u16) -> Result<PublicOrigin, ConfigError> {
    let url = format!("http://localhost:{port}");
    PublicOrigin::parse(&url).map_err(|error| ConfigError::invalid_because(&PUBLIC_URL, &url, error))
}

/// An address of a network of one's own: not routed on the internet.
fn is_private(name: &str) -> bool {
    match name.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            let shared = address.octets()[0] == 100 && (64..128).contains(&address.octets()[1]);
            address.is_private() || address.is_link_local() || shared
        }
        Ok(IpAddr::V6(address)) => address.is_unique_local() || address.is_unicast_link_local(),
        Err(_) => false,
    }
}

/// `scheme://host[:port]` in lower case and without the scheme's own port, or `null`.
pub(crate) fn parse_origin(text: &str) -> Option<String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("null") {
        return Some("null".to_owned());
    }
    let (scheme, rest) = text.split_once("://")?;
    let host = HostName::parse(rest.strip_suffix('/').unwrap_or(rest))?;
    let scheme = scheme.to_ascii_lowercase();
    let scheme_is_a_word = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    if !scheme_is_a_word {
        return None;
    }
    let name = if host.name.contains(':') { format!("[{}]", host.name) } else { host.name };
    let own_port = match scheme.as_str() {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    Some(match host.port.filter(|port| Some(*port) != own_port) {
        Some(port) => format!("{scheme}://{name}:{port}"),
        None => format!("{scheme}://{name}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn public_url(text: &str, expected: Option<&str>) {
        let found = PublicUrl::parse(text).ok().and_then(|url| url.origin(1).ok());
        assert_eq!(found.as_ref().map(PublicOrigin::as_str), expected, "{text}");
    }

    #[test]
    fn public_urls() {
        public_url("https://vault.example.com", Some("https://vault.example.com"));
        public_url("https://Vault.Example.com/", Some("https://vault.example.com"));
        public_url("https://example.com/cortex/", None);
        public_url("https://example.com/mcp", None);
        public_url("http://localhost:8000", Some("http://localhost:8000"));
        public_url("http://127.0.0.1:8000", Some("http://127.0.0.1:8000"));
        public_url("http://[::1]:8000", Some("http://[::1]:8000"));
        public_url("http://192.168.1.20:8000", Some("http://192.168.1.20:8000"));
        public_url("http://100.101.102.103:8000", Some("http://100.101.102.103:8000"));
        public_url("http://vault.example.com", None);
        public_url("http://8.8.8.8:8000", None);
        public_url("ftp://vault.example.com", None);
        public_url("vault.example.com", None);
        public_url("https://", None);
        public_url("https://user:secret@example.com", None);
        public_url("https://example.com/?a=b", None);
    }

    #[test]
    fn plain_http_beyond_this_machine_is_remembered_for_a_warning() {
        assert!(PublicUrl::parse("http://10.0.0.1:80").unwrap().plain_http_beyond_loopback);
        assert!(!PublicUrl::parse("http://localhost").unwrap().plain_http_beyond_loopback);
        assert!(!PublicUrl::parse("https://10.0.0.1").unwrap().plain_http_beyond_loopback);
    }

    #[test]
    fn the_default_public_url_follows_the_port() {
        let config = HttpConfig::from_environment(&Environment::of_pairs([("PORT", "9000")])).unwrap();
        assert_eq!(config.public_url.origin(9000).unwrap().as_str(), "http://localhost:9000");
        let any = HttpConfig::from_environment(&Environment::of_pairs([("PORT", "0")])).unwrap();
        assert_eq!(any.public_url.origin(41_234).unwrap().as_str(), "http://localhost:41234");
        assert!(any.public_url.origin(0).is_err());
    }

    #[test]
    fn a_path_in_the_public_url_is_refused_with_the_reason() {
        let error = PublicUrl::parse("https://example.com/cortex").unwrap_err().to_string();
        assert!(error.starts_with("PUBLIC_URL is ") && error.contains("without path"), "{error}");
    }

    #[track_caller]
    fn trust(pairs: &[(&str, &str)], forwarded_hops: usize, proxy_hops: usize) {
        let config = HttpConfig::from_environment(&Environment::of_pairs(pairs.iter().copied())).unwrap();
        assert_eq!(config.proxy_trust, ProxyTrust { forwarded_hops, proxy_hops }, "{pairs:?}");
    }

    #[test]
    fn the_older_switch_is_one_hop_unless_more_are_named() {
        trust(&[], 0, 0);
        trust(&[("TRUST_FORWARDED_HOPS", "2"), ("TRUST_PROXY_HOPS", "1")], 2, 1);
        trust(&[("TRUST_FORWARDED_HEADER", "true")], 1, 0);
        trust(&[("TRUST_FORWARDED_HEADER", "true"), ("TRUST_FORWARDED_HOPS", "2")], 2, 0);
        trust(&[("TRUST_FORWARDED_HEADER", "false"), ("TRUST_FORWARDED_HOPS", "1")], 1, 0);
    }

    #[track_caller]
    fn origin(text: &str, expected: Option<&str>) {
        assert_eq!(parse_origin(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn origins() {
        origin("https://App.example.com", Some("https://app.example.com"));
        origin("https://app.example.com:443", Some("https://app.example.com"));
        origin("http://localhost:3000/", Some("http://localhost:3000"));
        origin("http://[::1]:3000", Some("http://[::1]:3000"));
        origin("null", Some("null"));
        origin("chrome-extension://abcdef", Some("chrome-extension://abcdef"));
        origin("app.example.com", None);
        origin("https://a.example/path", None);
        origin("https://", None);
        origin("*", None);
    }

    #[track_caller]
    fn refused(name: &'static str, value: &str) {
        let error = HttpConfig::from_environment(&Environment::of_pairs([(name, value)])).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }

    #[test]
    fn wrong_values_name_their_variable() {
        refused("PORT", "65536");
        refused("PORT", "http");
        refused("HOST", "a b");
        refused("PUBLIC_URL", "http://example.com");
        refused("ALLOWED_HOSTS", "https://example.com");
        refused("ALLOWED_HOSTS", "*");
        refused("ALLOWED_ORIGINS", "*");
        refused("ALLOWED_ORIGINS", "example.com");
        refused("TRUST_PROXY_HOPS", "-1");
        refused("TRUST_FORWARDED_HOPS", "99");
        refused("TRUST_FORWARDED_HEADER", "maybe");
    }

    #[test]
    fn host_names() {
        let any = HostName::parse("Example.com").unwrap();
        assert!(any.allows(&HostName::parse("example.com:8443").unwrap()));
        let one = HostName::parse("example.com:8000").unwrap();
        assert!(one.allows(&HostName::parse("EXAMPLE.com:8000").unwrap()));
        assert!(!one.allows(&HostName::parse("example.com").unwrap()));
        assert!(HostName::parse("[::1]:80").unwrap().is_loopback());
        assert!(HostName::parse("127.9.9.9").unwrap().is_loopback());
        assert!(!HostName::parse("localhost.evil.com").unwrap().is_loopback());
        assert!(HostName::parse("example.com:").is_none());
        assert!(HostName::parse("").is_none());
    }
}
