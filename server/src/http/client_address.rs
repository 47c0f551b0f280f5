//! Whose request it is: the address that limits count and the log names.
//!
//! Behind a proxy the connection's peer is the proxy. Which header says more, and how much of it trusted
//! proxies wrote, only the operator knows ([`ProxyTrust`]). A proxy appends what it saw behind whatever the
//! client sent, so elements are counted from the end, and nothing before the trusted ones is even parsed: a
//! client can put there what it likes, open quotes included.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::config::ProxyTrust;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the client, in every request's extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // The middleware stands before every handler; one address for all is the narrowest limit there is.
        Ok(parts.extensions.get().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// Finds the address out and leaves it in the request.
pub(super) async fn note(State(trust): State<ProxyTrust>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    // Every connection has a peer; without one all would share a limit, and nobody would escape it.
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = address_of(trust, request.headers(), peer);
    request.extensions_mut().insert(ClientAddress(address));
    next.run(request).await
}

/// The client's address as the trusted proxies saw it; the peer when they say nothing usable, so that
/// whatever cannot be understood shares the limit of the proxy.
fn address_of(trust: ProxyTrust, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
    let found = if trust.forwarded_hops > 0 && headers.contains_key(header::FORWARDED) {
        forwarded_for(headers, trust.forwarded_hops)
    } else if trust.proxy_hops > 0 {
        x_forwarded_for(headers, trust.proxy_hops)
    } else {
        None
    };
    found.unwrap_or(peer).to_canonical()
}

/// `for` of the element of `Forwarded` (RFC 7239) that is `hops` from the end.
fn forwarded_for(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    node_address(&for_value(&element_from_end(headers, &header::FORWARDED, hops, true)?)?)
}

/// The address of `X-Forwarded-For` that is `hops` from the end.
fn x_forwarded_for(headers: &HeaderMap, hops: usize) -> Option<IpAddr> {
    node_address(&element_from_end(headers, &X_FORWARDED_FOR, hops, false)?)
}

/// The element of a list header that is `hops` from the end, 1 being the last. Lines of the same name are
/// one list (RFC 9110, 5.3); empty elements do not count (5.6.1).
fn element_from_end(headers: &HeaderMap, name: &HeaderName, hops: usize, quotes: bool) -> Option<String> {
    let lines: Vec<&HeaderValue> = headers.get_all(name).iter().collect();
    let mut left = hops;
    for line in lines.into_iter().rev() {
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            let (before, element) = split_last(rest, b',', quotes);
            rest = before;
            let element = element.trim_ascii();
            if element.is_empty() {
                continue;
            }
            left = left.saturating_sub(1);
            if left == 0 {
                return String::from_utf8(element.to_vec()).ok();
            }
        }
    }
    None
}

/// What stands before and after the last separator outside of quotes. Read from the end, where the trusted
/// proxy wrote: there quotes are closed.
fn split_last(text: &[u8], separator: u8, quotes: bool) -> (&[u8], &[u8]) {
    let mut quoted = false;
    for (index, byte) in text.iter().enumerate().rev() {
        let before = text.get(..index).unwrap_or_default();
        if quotes && *byte == b'"' {
            let escapes = before.iter().rev().take_while(|&&byte| byte == b'\\').count();
            // An odd number of backslashes makes it a character of a quoted text.
            quoted ^= escapes % 2 == 0;
        } else if *byte == separator && !quoted {
            return (before, text.get(index + 1..).unwrap_or_default());
        }
    }
    (&[], text)
}

/// The value of the only `for` among the pairs of an element, without its quotes.
fn for_value(element: &str) -> Option<String> {
    let mut found = None;
    let mut rest = element.as_bytes();
    while !rest.is_empty() {
        let (before, pair) = split_last(rest, b';', true);
        rest = before;
        let (name, value) = std::str::from_utf8(pair).ok()?.split_once('=')?;
        if name.trim().eq_ignore_ascii_case("for") && found.replace(unquoted(value.trim())?).is_some() {
            return None;
        }
    }
    found
}

/// A token as it is, a quoted text without quotes and backslashes.
fn unquoted(value: &str) -> Option<String> {
    let Some(inner) = value.strip_prefix('"') else {
        return (!value.contains('"')).then(|| value.to_owned());
    };
    let inner = inner.strip_suffix('"')?;
    let mut text = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(letters.next()?),
            '"' => return None,
            letter => text.push(letter),
        }
    }
    Some(text)
}

/// The address of a node: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, or an IPv6 address
/// without its brackets, as some proxies write it. `unknown` and names that hide an address are none.
fn node_address(node: &str) -> Option<IpAddr> {
    if let Ok(address) = node.parse() {
        return Some(address);
    }
    let (host, port) = match node.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            // Brackets are for IPv6 alone.
            host.parse::<Ipv6Addr>().ok()?;
            (host, if port.is_empty() { None } else { Some(port.strip_prefix(':')?) })
        }
        None => {
            let (host, port) = node.split_once(':')?;
            (host, Some(port))
        }
    };
    if port.is_some_and(|port| !is_port(port)) {
        return None;
    }
    host.parse().ok()
}

/// A port, or a name that hides one (RFC 7239, section 6).
fn is_port(port: &str) -> bool {
    let digits = (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    let hidden = port.strip_prefix('_').is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    });
    digits || hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: &str = "10.0.0.9";

    #[track_caller]
    fn case(forwarded_hops: usize, proxy_hops: usize, headers: &[(&'static str, &str)], expected: &str) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let found = address_of(ProxyTrust { forwarded_hops, proxy_hops }, &map, PEER.parse().unwrap());
        assert_eq!(found.to_string(), expected, "{headers:?}");
    }

    /// One trusted hop of `Forwarded`.
    #[track_caller]
    fn forwarded(value: &str, expected: &str) {
        case(1, 0, &[("forwarded", value)], expected);
    }

    /// One trusted hop of `X-Forwarded-For`.
    #[track_caller]
    fn x_forwarded(value: &str, expected: &str) {
        case(0, 1, &[("x-forwarded-for", value)], expected);
    }

    #[test]
    fn no_header_is_believed_unless_it_is_trusted() {
        let all = [("forwarded", "for=192.0.2.1"), ("x-forwarded-for", "192.0.2.2")];
        case(0, 0, &all, PEER);
        case(1, 0, &all, "192.0.2.1");
        case(0, 1, &all, "192.0.2.2");
        case(1, 1, &all, "192.0.2.1");
        case(1, 0, &all[1..], PEER);
        case(0, 1, &all[..1], PEER);
        case(1, 1, &all[1..], "192.0.2.2");
        case(1, 0, &[("x-real-ip", "192.0.2.3"), ("x-client-ip", "192.0.2.3")], PEER);
    }

    #[test]
    fn what_the_gateway_writes_is_read() {
        forwarded(
            "by=3.122.1.1;for=192.0.2.1;host=abc.execute-api.eu-central-1.amazonaws.com;proto=https",
            "192.0.2.1",
        );
        forwarded("For=192.0.2.1", "192.0.2.1");
        forwarded("proto=https ; for = 192.0.2.1 ; by=x", "192.0.2.1");
        forwarded("for=\"192.0.2.1\"", "192.0.2.1");
        forwarded("for=\"192.0.2.1:4711\"", "192.0.2.1");
        forwarded("for=192.0.2.1:4711", "192.0.2.1");
        forwarded("for=\"[2001:DB8::1]\"", "2001:db8::1");
        forwarded("for=\"[2001:db8::1]:4711\"", "2001:db8::1");
        forwarded("for=2001:db8::1", "2001:db8::1");
        forwarded("for=[2001:db8::1]", "2001:db8::1");
        forwarded("for=\"192.0.2.1:_hidden\"", "192.0.2.1");
        forwarded("for=\"\\192.0.2.1\"", "192.0.2.1");
        forwarded("for=\"[::ffff:192.0.2.1]\"", "192.0.2.1");
    }

    #[test]
    fn what_tells_no_address_is_the_peers() {
        for value in [
            "for=unknown",
            "for=_hidden",
            "for=\"_hidden:80\"",
            "for=",
            "for=\"\"",
            "by=192.0.2.1",
            "for",
            "192.0.2.1",
            "",
            ",",
            "for=192.0.2.1;for=192.0.2.2",
            "for=\"192.0.2.1",
            "for=192.0.2.1\"",
            "for=\"192.0.2.1\"x",
            "for=\"[2001:db8::1\"",
            "for=\"[192.0.2.1]\"",
            "for=\"[2001:db8::1]4711\"",
            "for=192.0.2.1:port",
            "for=192.0.2.1:123456",
            "for=192.0.2.1:",
            "for=192.0.2.300",
            "for=192.0.2.1 192.0.2.2",
            "for=example.com",
        ] {
            forwarded(value, PEER);
        }
        case(1, 0, &[("forwarded", "for=\u{ff}192.0.2.1")], PEER);
    }

    #[test]
    fn elements_that_a_client_prepends_are_not_looked_at() {
        let real = "for=192.0.2.1;proto=https";
        for forged in [
            "for=6.6.6.6",
            "for=6.6.6.6, for=7.7.7.7",
            "for=\"6.6.6.6, for=7.7.7.7\"",
            "for=\"6.6.6.6",
            "for=6.6.6.6;x=\"",
            "x=\"\\",
            "x=\"\\\\",
            "\"",
            "\\",
            ",,, ,",
            "for=6.6.6.6;",
            ";;=;",
            "unknown",
        ] {
            forwarded(&format!("{forged}, {real}"), "192.0.2.1");
            forwarded(&format!("{forged},{real}"), "192.0.2.1");
            case(1, 0, &[("forwarded", forged), ("forwarded", real)], "192.0.2.1");
            case(
                2,
                0,
                &[("forwarded", forged), ("forwarded", real), ("forwarded", "for=5.5.5.5")],
                "192.0.2.1",
            );
            case(2, 0, &[("forwarded", &format!("{forged}, {real}, for=5.5.5.5"))], "192.0.2.1");
        }
    }

    #[test]
    fn commas_and_semicolons_in_quotes_part_nothing() {
        forwarded("host=\"a, for=6.6.6.6\";for=192.0.2.1", "192.0.2.1");
        forwarded("for=192.0.2.1;host=\"a,b;for=6.6.6.6\"", "192.0.2.1");
        forwarded("for=192.0.2.1;host=\"a\\\",for=6.6.6.6\"", "192.0.2.1");
        forwarded("for=192.0.2.1;host=\"a\\\\\"", "192.0.2.1");
    }

    #[test]
    fn hops_are_counted_from_the_end_and_fewer_are_none() {
        let chain = "for=6.6.6.6, for=192.0.2.1, for=198.51.100.7";
        case(1, 0, &[("forwarded", chain)], "198.51.100.7");
        case(2, 0, &[("forwarded", chain)], "192.0.2.1");
        case(3, 0, &[("forwarded", chain)], "6.6.6.6");
        case(4, 0, &[("forwarded", chain)], PEER);
        case(2, 0, &[("forwarded", "for=6.6.6.6")], PEER);
        case(2, 0, &[("forwarded", "for=192.0.2.1, , for=5.5.5.5, ,")], "192.0.2.1");
        case(
            2,
            0,
            &[("forwarded", "for=192.0.2.1"), ("x-other", "y"), ("forwarded", "for=5.5.5.5")],
            "192.0.2.1",
        );
        case(0, 2, &[("x-forwarded-for", "6.6.6.6, 192.0.2.1, 198.51.100.7")], "192.0.2.1");
        case(0, 2, &[("x-forwarded-for", "6.6.6.6")], PEER);
        case(0, 2, &[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-for", "198.51.100.7")], "192.0.2.1");
    }

    #[test]
    fn a_forwarded_that_tells_nothing_is_not_made_up_for_by_the_other_header() {
        case(1, 1, &[("forwarded", "for=_hidden"), ("x-forwarded-for", "6.6.6.6")], PEER);
    }

    #[test]
    fn x_forwarded_for_has_addresses_alone() {
        x_forwarded("192.0.2.1", "192.0.2.1");
        x_forwarded("6.6.6.6, 192.0.2.1", "192.0.2.1");
        x_forwarded("192.0.2.1:4711", "192.0.2.1");
        x_forwarded("2001:db8::1", "2001:db8::1");
        x_forwarded("[2001:db8::1]:4711", "2001:db8::1");
        x_forwarded("\"6.6.6.6, 192.0.2.1", "192.0.2.1");
        for value in ["", "unknown", "\"192.0.2.1\"", "for=192.0.2.1", "192.0.2.1 192.0.2.2", "-"] {
            x_forwarded(value, PEER);
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_client_sends_the_gateways_word_counts(forged in "[ -~]{0,60}") {
            let mut headers = HeaderMap::new();
            let value = format!("{forged}, by=9.9.9.9;for=192.0.2.1;proto=https");
            headers.append(header::FORWARDED, HeaderValue::from_str(&value).unwrap());
            let trust = ProxyTrust { forwarded_hops: 1, proxy_hops: 1 };
            let found = address_of(trust, &headers, PEER.parse().unwrap());
            proptest::prop_assert_eq!(found.to_string(), "192.0.2.1");
        }
    }
}
