//! Fetching a document whose address a stranger chose, without doing the stranger's bidding elsewhere.
//!
//! Only `https`, no redirect, no proxy of the environment, a few kilobytes in a few seconds, and only from
//! addresses of the internet. Names are resolved once: the connection goes to the addresses that were judged,
//! so that a name cannot answer differently the second time (DNS rebinding).

use std::fmt::Debug;
use std::net::IpAddr;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::config::Config;
use ureq::http::{HeaderMap, Uri, header};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

use super::address::is_public;

/// The longest document.
const MOST_BYTES: u64 = 5 * 1024;

/// How long it may take, from the name to the last byte.
const PATIENCE: Duration = Duration::from_secs(5);

/// For how long a document is believed: what its server says, within these, or [`USUAL`].
const LEAST: u64 = 5 * 60;
const MOST: u64 = 24 * 60 * 60;
const USUAL: u64 = 60 * 60;

/// A document that was fetched.
#[derive(Debug)]
pub(super) struct Fetched {
    /// The JSON.
    pub(super) value: Value,
    /// For how long it is believed, in seconds.
    pub(super) fresh_for: u64,
}

/// Why there is no document. For the log; a client is told that it could not be fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// No answer, too long, too slow, or an address that is not public.
    #[error("{0}")]
    Transport(String),
    /// Another status than 200, redirects included.
    #[error("the answer was {0}")]
    Status(u16),
    /// Not JSON.
    #[error("the answer is not JSON")]
    NotJson,
}

/// Fetches documents.
#[derive(Debug, Clone)]
pub(super) struct Fetcher {
    agent: Agent,
}

impl Fetcher {
    /// `loopback` allows this machine, without TLS, and nothing else beside the internet: for development.
    pub(super) fn new(loopback: bool) -> Self {
        Self::over(PublicOnly { inner: DefaultResolver::default(), loopback })
    }

    fn over(resolver: impl Resolver) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .max_response_header_size(16 * 1024)
            .max_idle_connections(0)
            .user_agent(concat!("vault-cortex/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .build();
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), resolver) }
    }

    /// Fetches the document. Blocks, [`PATIENCE`] at most.
    ///
    /// # Errors
    /// One [`FetchError`] per rule.
    pub(super) fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        let transport = |error: ureq::Error| FetchError::Transport(error.to_string());
        let mut response = self.agent.get(url).call().map_err(transport)?;
        if response.status() != 200 {
            return Err(FetchError::Status(response.status().as_u16()));
        }
        let fresh_for = fresh_for(response.headers());
        let body = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(transport)?;
        let value = serde_json::from_slice(&body).map_err(|_| FetchError::NotJson)?;
        Ok(Fetched { value, fresh_for })
    }
}

/// `max-age` of `Cache-Control`, within limits.
fn fresh_for(headers: &HeaderMap) -> u64 {
    let directives = || {
        headers
            .get_all(header::CACHE_CONTROL)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|directive| directive.trim().to_ascii_lowercase())
    };
    if directives().any(|directive| directive == "no-store" || directive == "no-cache") {
        return LEAST;
    }
    directives()
        .find_map(|directive| directive.strip_prefix("max-age=")?.trim_matches('"').parse::<u64>().ok())
        .map_or(USUAL, |seconds| seconds.clamp(LEAST, MOST))
}

/// Gives out only addresses that strangers may send us to.
#[derive(Debug)]
struct PublicOnly<R> {
    inner: R,
    loopback: bool,
}

/// A name, or an address, that leads somewhere else than to the internet.
#[derive(Debug, thiserror::Error)]
#[error("the host is not on the public internet")]
struct NotPublic;

impl<R: Resolver> Resolver for PublicOnly<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let addresses = self.inner.resolve(uri, config, timeout)?;
        let host = uri.host().unwrap_or_default();
        // Only what names this machine, so that no other name can point at it.
        let loopback = self.loopback && super::is_loopback_host(host);
        let allowed = |address: IpAddr| is_public(address) || (loopback && address.is_loopback());
        // One address that is not public spoils the name: nobody has both for a good reason.
        if addresses.iter().all(|address| allowed(address.ip())) {
            Ok(addresses)
        } else {
            Err(ureq::Error::Other(Box::new(NotPublic)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A resolver that answers with these.
    #[derive(Debug)]
    struct Fixed(Vec<SocketAddr>);

    impl Resolver for Fixed {
        fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut addresses = self.empty();
            for address in &self.0 {
                addresses.push(*address);
            }
            Ok(addresses)
        }
    }

    /// A server that answers every connection with these bytes, `pause` after each, and counts them.
    fn server(answer: Vec<u8>, pause: Duration) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                counter.fetch_add(1, Ordering::SeqCst);
                let mut request = [0; 4096];
                let _ = stream.read(&mut request);
                if pause.is_zero() {
                    let _ = stream.write_all(&answer);
                } else {
                    for byte in &answer {
                        if stream.write_all(&[*byte]).is_err() {
                            break;
                        }
                        std::thread::sleep(pause);
                    }
                }
            }
        });
        (address, asked)
    }

    fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn a_document_is_fetched_and_believed_for_a_while() {
        let (address, _) =
            server(answer("200 OK", "cache-control: public, max-age=7200\r\n", "{}"), Duration::ZERO);
        let fetched = Fetcher::new(true).fetch(&format!("http://{address}/x")).unwrap();
        assert_eq!((fetched.value, fetched.fresh_for), (serde_json::json!({}), 7200));
    }

    #[test]
    fn redirects_errors_and_pages_are_no_documents() {
        let (elsewhere, asked) = server(answer("200 OK", "", "{}"), Duration::ZERO);
        for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
            let location = format!("location: http://{elsewhere}/\r\n");
            let (address, _) = server(answer(status, &location, ""), Duration::ZERO);
            let error = Fetcher::new(true).fetch(&format!("http://{address}/x")).unwrap_err();
            assert!(matches!(error, FetchError::Status(300..400)), "{error}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0, "a redirect was followed");
        let (address, _) = server(answer("403 Forbidden", "", "{}"), Duration::ZERO);
        assert!(matches!(
            Fetcher::new(true).fetch(&format!("http://{address}/x")),
            Err(FetchError::Status(403))
        ));
        let (address, _) = server(answer("200 OK", "", "<html>"), Duration::ZERO);
        assert!(matches!(Fetcher::new(true).fetch(&format!("http://{address}/x")), Err(FetchError::NotJson)));
    }

    #[test]
    fn a_huge_body_is_not_read() {
        let body = format!("{{\"a\":\"{}\"}}", "a".repeat(6_000));
        let (address, _) = server(answer("200 OK", "", &body), Duration::ZERO);
        let error = Fetcher::new(true).fetch(&format!("http://{address}/x")).unwrap_err();
        assert!(matches!(error, FetchError::Transport(_)), "{error}");
        // Nor one that says it is short, or says nothing.
        let endless = format!("HTTP/1.1 200 OK\r\n\r\n{body}").into_bytes();
        let (address, _) = server(endless, Duration::ZERO);
        assert!(Fetcher::new(true).fetch(&format!("http://{address}/x")).is_err());
    }

    #[test]
    fn a_slow_body_is_not_waited_for() {
        let body = "a".repeat(1_000);
        let (address, _) = server(answer("200 OK", "", &body), Duration::from_millis(50));
        let begun = std::time::Instant::now();
        assert!(Fetcher::new(true).fetch(&format!("http://{address}/x")).is_err());
        assert!(begun.elapsed() < PATIENCE + Duration::from_secs(3), "{:?}", begun.elapsed());
    }

    #[track_caller]
    fn not_asked(url: &str, loopback: bool) {
        let error = Fetcher::new(loopback).fetch(url).unwrap_err().to_string();
        assert!(error.contains("not on the public internet"), "{url}: {error}");
    }

    #[test]
    fn addresses_nearer_than_the_internet_are_not_asked() {
        let (address, asked) = server(answer("200 OK", "", "{}"), Duration::ZERO);
        let port = address.port();
        for host in
            ["127.0.0.1", "localhost", "127.1.2.3", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0"]
        {
            not_asked(&format!("http://{host}:{port}/x"), false);
        }
        for host in [
            "10.0.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
            "[64:ff9b::a9fe:a9fe]",
            "0.0.0.0",
            "[::]",
            "[::ffff:127.0.0.1]",
        ] {
            not_asked(&format!("http://{host}:{port}/x"), true);
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_name_that_leads_inwards_is_not_asked() {
        let (address, asked) = server(answer("200 OK", "", "{}"), Duration::ZERO);
        let public: SocketAddr = "203.0.114.1:443".parse().unwrap();
        for addresses in [vec![address], vec![public, address], vec!["10.1.2.3:443".parse().unwrap()]] {
            let fetcher = Fetcher::over(PublicOnly { inner: Fixed(addresses), loopback: true });
            let error = fetcher.fetch("http://client.example/metadata").unwrap_err().to_string();
            assert!(error.contains("not on the public internet"), "{error}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn how_long_a_document_is_believed_has_limits() {
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CACHE_CONTROL, value.parse().unwrap());
            fresh_for(&headers)
        };
        assert_eq!(of("max-age=1"), LEAST);
        assert_eq!(of("public, Max-Age=600"), 600);
        assert_eq!(of("max-age=99999999"), MOST);
        assert_eq!(of("no-store"), LEAST);
        assert_eq!(of("max-age=x"), USUAL);
        assert_eq!(fresh_for(&HeaderMap::new()), USUAL);
    }
}
