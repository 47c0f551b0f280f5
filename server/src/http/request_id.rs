//! A short id for each request, so that log records belong together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The id of a request: given by a proxy in `X-Request-Id`, or counted here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RequestId(Option<Arc<str>>);

static COUNTER: AtomicU64 = AtomicU64::new(1);

impl RequestId {
    /// Takes an id that came with the request when it is short and harmless, else makes one.
    pub(super) fn of(given: Option<&str>) -> Self {
        let harmless = |id: &&str| {
            (1..=64).contains(&id.len())
                && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:=+/".contains(&byte))
        };
        let id = match given.filter(harmless) {
            Some(id) => Arc::from(id),
            None => Arc::from(format!("r{}", COUNTER.fetch_add(1, Ordering::Relaxed)).as_str()),
        };
        Self(Some(id))
    }

    /// The id, empty when there was no request (a call over a pipe).
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::RequestId;

    #[test]
    fn a_given_id_is_taken_only_when_it_is_harmless() {
        assert_eq!(
            RequestId::of(Some("1-67891233-abcdef012345678912345678")).as_str(),
            "1-67891233-abcdef012345678912345678"
        );
        for bad in ["", "a b", "x\"}", "ä", &"x".repeat(65)] {
            assert!(RequestId::of(Some(bad)).as_str().starts_with('r'), "{bad}");
        }
        assert_ne!(RequestId::of(None), RequestId::of(None));
    }
}
