//! `/healthz`: the process is up. How far the index is stands in the body, so that a container is
//! not restarted in the middle of its first indexing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::app::App;
use crate::search_service::Health;

/// Always 200 while the process can answer.
pub(super) async fn report(State(app): State<Arc<App>>) -> Response {
    Json(body(&app.search.health())).into_response()
}

/// The reason of a failure is not shown here: the route is open to everyone.
fn body(health: &Health) -> Value {
    match health {
        Health::Opening => json!({"ok": true, "state": "opening"}),
        Health::Indexing(progress) => json!({
            "ok": true,
            "state": "indexing",
            "indexing": {"done": progress.done, "total": progress.total},
        }),
        Health::Ready => json!({"ok": true, "state": "ready"}),
        Health::Unavailable(_) => json!({"ok": true, "state": "search_unavailable"}),
    }
}

#[cfg(test)]
mod tests {
    use search::Progress;

    use super::*;

    #[test]
    fn the_state_is_in_the_body_and_reasons_are_not() {
        assert_eq!(
            body(&Health::Indexing(Progress { done: 3, total: 9 })),
            json!({"ok": true, "state": "indexing", "indexing": {"done": 3, "total": 9}})
        );
        let hidden = body(&Health::Unavailable("/home/anna".to_owned())).to_string();
        assert!(!hidden.contains("anna"), "{hidden}");
    }
}
