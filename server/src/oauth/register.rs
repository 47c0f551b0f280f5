//! `/register`: clients that nobody knows make themselves known (RFC 7591).

use std::net::IpAddr;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::client::ClientMetadata;
use super::error::{Code, OauthError, no_store};
use super::store::{NEW_WINDOW, Registered};
use super::{ClientAddress, Oauth, form};
use crate::http::Limited;

/// Registers a client. A public one that registers again with the same words is told the same id: some
/// clients register at every start.
pub(super) async fn register(
    State(oauth): State<Oauth>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(limited) = oauth.limiter().check(address) {
        return limited.answer(address, "/register");
    }
    match registered(&oauth, address, &headers, body).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn registered(
    oauth: &Oauth,
    address: IpAddr,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, OauthError> {
    let invalid = |description| OauthError::new(Code::InvalidClientMetadata, description);
    if !form::is_content_type(headers, "application/json") {
        return Err(invalid("send the metadata as JSON, with Content-Type: application/json"));
    }
    let bytes = form::body(headers, body).await?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| invalid("the body is not JSON"))?;
    let metadata = ClientMetadata::of_registration(&value)?;
    let echoed = metadata.echoed.clone();
    let registered = oauth.blocking(move |store| store.register(&metadata)).await?;
    let Some(Registered { id, secret, issued_at }) = registered else {
        return Ok(Limited { retry_after: NEW_WINDOW }.answer(address, "/register"));
    };
    let mut answer = serde_json::Map::new();
    answer.insert("client_id".to_owned(), json!(id));
    answer.insert("client_id_issued_at".to_owned(), json!(issued_at));
    if let Some(secret) = secret {
        answer.insert("client_secret".to_owned(), json!(secret.expose()));
        answer.insert("client_secret_expires_at".to_owned(), json!(0));
    }
    answer.extend(echoed);
    Ok(no_store((StatusCode::CREATED, Json(answer)).into_response()))
}
