//! What is left of a body when the answer is ready, read before the answer goes out.
//!
//! A refusal (401, 413, 415, 429 and the like) is decided before the body is read. Most clients write the
//! whole body before they read an answer: if the server answered and closed with bytes unread, the
//! system would reset the connection, and the client would see a broken pipe instead of the 401 upon which it
//! gets a new token. So the rest is read and thrown away, within bounds, and the connection stays usable.
//! Beyond the bounds the answer says `Connection: close`.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

/// The most that is read and thrown away: more than the longest body that is taken, so that one which is
/// too long by accident is told so.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where a body comes back to when whoever had it lets it go.
#[derive(Clone, Default)]
struct Place(Arc<Mutex<Option<Left>>>);

/// A body that was let go before its end.
struct Left {
    body: Body,
    /// Whether any of it was asked for.
    begun: bool,
}

/// The body of a request, which comes back to its [`Place`] when it is dropped.
struct Lent {
    body: Body,
    begun: bool,
    place: Place,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.begun = true;
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if !self.body.is_end_stream() {
            let left = Left { body: std::mem::take(&mut self.body), begun: self.begun };
            *self.place.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
        }
    }
}

/// Reads what the handlers left of the body, or says that the connection ends.
pub(super) async fn rest(request: Request, next: Next) -> Response {
    // RFC 9110 section 10.1.1: such a client has not sent the body yet and does without it after a refusal.
    let waits = request.headers().contains_key(header::EXPECT);
    let place = Place::default();
    let lent_to = place.clone();
    let request = request.map(|body| Body::new(Lent { body, begun: false, place: lent_to }));
    let mut response = next.run(request).await;
    let left = place.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(left) = left else { return response };
    let is_usable = if waits && !left.begun { false } else { is_read_out(left.body).await };
    if !is_usable {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Reads and throws away; whether the end was reached.
async fn is_read_out(mut body: Body) -> bool {
    // What is known to be too much is not begun.
    if body.size_hint().lower() > MOST_BYTES {
        return false;
    }
    let reading = async {
        let mut read = 0_u64;
        loop {
            match std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
                None => return true,
                Some(Err(_)) => return false,
                Some(Ok(frame)) => {
                    read = read.saturating_add(frame.data_ref().map_or(0, |data| data.len() as u64));
                    if read > MOST_BYTES {
                        return false;
                    }
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap_or(false)
}
