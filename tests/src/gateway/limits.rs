//! What an HTTP API allows at most, whatever its settings: "Quotas for configuring and running an HTTP API" in
//! the Amazon API Gateway developer guide.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Request line and headers.
pub(super) const HEAD_BYTES: usize = 10_240;
/// The body of a request or of an answer.
pub(super) const PAYLOAD_BYTES: usize = 10 * 1024 * 1024;

/// The stage's throttle: a bucket that holds the burst and fills at the rate.
pub(super) struct Throttle {
    burst: f64,
    rate: f64,
    bucket: Mutex<(f64, Instant)>,
}

impl Throttle {
    pub(super) fn new((burst, rate): (f64, f64)) -> Self {
        Self { burst, rate, bucket: Mutex::new((burst, Instant::now())) }
    }

    /// Whether one more request may pass now.
    pub(super) fn admits(&self) -> bool {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let filled = self.rate.mul_add(now.duration_since(bucket.1).as_secs_f64(), bucket.0).min(self.burst);
        let admitted = filled >= 1.0;
        *bucket = (if admitted { filled - 1.0 } else { filled }, now);
        admitted
    }
}
