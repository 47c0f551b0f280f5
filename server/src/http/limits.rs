//! How often somebody may call the OAuth endpoints: by address for calls that nobody vouches for, by grant
//! for refreshes.
//!
//! A call is counted when it begins and given back when it turns out to be authenticated, so that guesses
//! sent all at once are counted as well as guesses sent one after the other.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::problem;

/// The time over which calls are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// Calls of one address that are not authenticated, in a [`WINDOW`].
const PER_ADDRESS: usize = 5;

/// Refreshes of one grant in a [`WINDOW`]: several processes of one client may each refresh for themselves.
const PER_GRANT: usize = 60;

/// How many calls are remembered in all, about 1.5 MB; of more, the oldest are forgotten.
const MOST_CALLS: usize = 20_000;

/// Counts calls. Shared by every endpoint that it limits.
#[derive(Debug)]
pub(crate) struct Limiter {
    addresses: Mutex<Calls<AddressKey>>,
    grants: Mutex<Calls<Box<str>>>,
}

/// Too many calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limited {
    /// How long until the next call is taken.
    pub(crate) retry_after: Duration,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            addresses: Mutex::new(Calls::new(PER_ADDRESS, MOST_CALLS)),
            grants: Mutex::new(Calls::new(PER_GRANT, MOST_CALLS)),
        }
    }
}

impl Limiter {
    /// Counts a call that nobody vouches for yet. It stays counted unless [`Self::succeeded`] follows.
    ///
    /// # Errors
    /// [`Limited`] when the address has used up its calls; such a call is not counted itself.
    pub(crate) fn check(&self, address: IpAddr) -> Result<(), Limited> {
        lock(&self.addresses).count(AddressKey::of(address), Instant::now())
    }

    /// Gives the last call of the address back: it was authenticated.
    pub(crate) fn succeeded(&self, address: IpAddr) {
        lock(&self.addresses).give_back(&AddressKey::of(address));
    }

    /// Counts an authenticated refresh of a grant.
    ///
    /// # Errors
    /// [`Limited`] when the grant has used up its refreshes.
    pub(crate) fn refreshed(&self, grant: &str) -> Result<(), Limited> {
        lock(&self.grants).count(grant.into(), Instant::now())
    }
}

impl Limited {
    /// The answer, and a record of it in the log. `path` is that of the endpoint, without its query.
    pub(crate) fn answer(self, address: IpAddr, path: &str) -> Response {
        let seconds = self.seconds();
        tracing::warn!(
            client.ip = address.to_string(),
            http.path = path,
            retry_after.s = seconds,
            "oauth_rate_limited"
        );
        let mut response = problem::plain(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_requests",
            &format!("too many requests: try again in {seconds} seconds"),
        );
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// Whole seconds after which a call is taken: never 0, which some clients take for "at once".
    fn seconds(self) -> u64 {
        let part = u64::from(self.retry_after.subsec_nanos() > 0);
        (self.retry_after.as_secs() + part).max(1)
    }
}

fn lock<T>(calls: &Mutex<T>) -> MutexGuard<'_, T> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whom an address stands for: one IPv4 address, or the IPv6 network of 64 bits that one customer has at
/// least, since its holder may take any address in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum AddressKey {
    Four(u32),
    Six(u64),
}

impl AddressKey {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::Four(address.to_bits()),
            IpAddr::V6(address) => Self::Six(network(address)),
        }
    }
}

/// The first 64 bits.
fn network(address: Ipv6Addr) -> u64 {
    let bits = address.to_bits() >> 64;
    u64::try_from(bits).unwrap_or(u64::MAX)
}

/// The calls of the last [`WINDOW`].
#[derive(Debug)]
struct Calls<K> {
    /// How many each may have.
    most: usize,
    /// How many there may be in all.
    capacity: usize,
    /// Of each, when it called, in that order. Never empty.
    by_key: HashMap<K, VecDeque<Instant>>,
    /// The same calls of all.
    all: VecDeque<(Instant, K)>,
}

impl<K: Hash + Eq + Clone> Calls<K> {
    fn new(most: usize, capacity: usize) -> Self {
        Self { most, capacity, by_key: HashMap::new(), all: VecDeque::new() }
    }

    fn count(&mut self, key: K, now: Instant) -> Result<(), Limited> {
        while self.all.front().is_some_and(|(begun, _)| now.saturating_duration_since(*begun) >= WINDOW) {
            self.forget_oldest();
        }
        let own = self.by_key.entry(key.clone()).or_default();
        if own.len() >= self.most
            && let Some(oldest) = own.front()
        {
            let waited = now.saturating_duration_since(*oldest);
            return Err(Limited { retry_after: WINDOW.saturating_sub(waited) });
        }
        own.push_back(now);
        self.all.push_back((now, key));
        if self.all.len() > self.capacity {
            self.forget_oldest();
        }
        Ok(())
    }

    fn forget_oldest(&mut self) {
        let Some((_, key)) = self.all.pop_front() else { return };
        if let Some(own) = self.by_key.get_mut(&key) {
            own.pop_front();
            if own.is_empty() {
                self.by_key.remove(&key);
            }
        }
    }

    fn give_back(&mut self, key: &K) {
        // Looked for from the end: the call that is given back has just been made.
        let Some(index) = self.all.iter().rposition(|(_, other)| other == key) else { return };
        self.all.remove(index);
        if let Some(own) = self.by_key.get_mut(key) {
            own.pop_back();
            if own.is_empty() {
                self.by_key.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn address(text: &str) -> AddressKey {
        AddressKey::of(text.parse().unwrap())
    }

    #[test]
    fn the_sixth_call_within_a_minute_waits_until_the_first_is_a_minute_old() {
        let mut calls = Calls::new(PER_ADDRESS, MOST_CALLS);
        let start = Instant::now();
        for second in 0..5 {
            assert_eq!(calls.count("a", start + seconds(second)), Ok(()));
        }
        assert_eq!(calls.count("a", start + seconds(10)), Err(Limited { retry_after: seconds(50) }));
        assert_eq!(calls.count("b", start + seconds(10)), Ok(()), "others are not concerned");
        let nearly = start + seconds(60) - Duration::from_millis(1);
        let limited = calls.count("a", nearly).unwrap_err();
        assert_eq!(limited.seconds(), 1, "a part of a second is a second");
        assert_eq!(calls.count("a", start + seconds(60)), Ok(()), "what was promised holds");
        assert_eq!(
            calls.count("a", start + seconds(60)),
            Err(Limited { retry_after: seconds(1) }),
            "the window slides: the second call is from second 1"
        );
    }

    #[test]
    fn refused_calls_do_not_lengthen_the_wait() {
        let mut calls = Calls::new(1, MOST_CALLS);
        let start = Instant::now();
        calls.count("a", start).unwrap();
        for second in 1..60 {
            let limited = calls.count("a", start + seconds(second)).unwrap_err();
            assert_eq!(limited.seconds(), 60 - second);
        }
        assert_eq!(calls.count("a", start + seconds(60)), Ok(()));
    }

    #[test]
    fn a_call_given_back_is_as_if_it_had_not_been_and_a_guess_in_parallel_is_counted() {
        let mut calls = Calls::new(2, MOST_CALLS);
        let now = Instant::now();
        calls.count("a", now).unwrap();
        calls.count("b", now).unwrap();
        calls.count("a", now).unwrap();
        assert!(calls.count("a", now).is_err(), "both are under way");
        calls.give_back(&"a");
        assert_eq!(calls.count("a", now), Ok(()));
        calls.give_back(&"a");
        calls.give_back(&"a");
        calls.give_back(&"a");
        calls.give_back(&"nobody");
        assert_eq!((calls.by_key.len(), calls.all.len()), (1, 1), "b is left");
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_are_forgotten() {
        let mut calls = Calls::new(1, 100);
        let now = Instant::now();
        for key in 0..10_000 {
            calls.count(key, now).unwrap();
        }
        assert_eq!((calls.by_key.len(), calls.all.len()), (100, 100));
        assert!(calls.count(9_999, now).is_err());
        assert_eq!(calls.count(0, now), Ok(()));
        calls.count(20_000, now + WINDOW).unwrap();
        assert_eq!((calls.by_key.len(), calls.all.len()), (1, 1), "a minute later nothing is left of them");
    }

    #[test]
    fn a_network_is_one_caller() {
        assert_eq!(address("2001:db8:1:2::1"), address("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(
            address("::ffff:192.0.2.1"),
            address("192.0.2.1"),
            "one machine, seen through two sockets"
        );
        assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
    }

    #[tokio::test]
    async fn the_answer_is_json_and_says_when_to_come_again() {
        let limited = Limited { retry_after: Duration::from_millis(41_200) };
        let response = limited.answer("192.0.2.1".parse().unwrap(), "/token");
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[header::RETRY_AFTER], "42");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        let body = to_bytes(response.into_body(), 1_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"], "too_many_requests");
        assert_eq!(Limited { retry_after: Duration::ZERO }.seconds(), 1);
    }

    #[test]
    fn grants_have_more_calls_than_addresses_and_each_its_own() {
        let limiter = Limiter::default();
        for _ in 0..PER_GRANT {
            limiter.refreshed("grant-1").unwrap();
        }
        assert!(limiter.refreshed("grant-1").is_err());
        assert!(limiter.refreshed("grant-2").is_ok());
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        for _ in 0..PER_ADDRESS {
            limiter.check(address).unwrap();
        }
        assert!(limiter.check(address).is_err());
        limiter.succeeded(address);
        assert!(limiter.check(address).is_ok());
    }
}
