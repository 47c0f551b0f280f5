//! `/revoke`: a client gives back what it has (RFC 7009). A refresh token ends its grant with every access
//! token of it; an access token ends alone.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use token::{Secret, Verdict};

use super::credentials::authenticate;
use super::error::{OauthError, no_store};
use super::form::Parameters;
use super::{ClientAddress, Oauth};

/// Revokes a token of the client that asks. For any other text the answer is the same, and nothing happens: it
/// must not say whether the token is somebody's.
pub(super) async fn revoke(
    State(oauth): State<Oauth>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(limited) = oauth.limiter().check(address) {
        return limited.answer(address, "/revoke");
    }
    match revoked(&oauth, &headers, body).await {
        Ok(was_ours) => {
            if was_ours {
                oauth.limiter().succeeded(address);
            }
            no_store(Json(json!({})).into_response())
        }
        Err(error) => error.into_response(),
    }
}

/// Revokes it, and whether it was this client's.
async fn revoked(oauth: &Oauth, headers: &HeaderMap, body: Body) -> Result<bool, OauthError> {
    let form = Parameters::of_form(headers, body).await?;
    form.check()?;
    let client_id = authenticate(oauth, headers, &form).await?;
    let token = Secret::new(form.required("token")?);
    let now = u64::try_from(oauth.now()).unwrap_or(0);
    // `token_type_hint` is not needed: the two look different.
    match oauth.access_key().verify(token.expose(), now) {
        Verdict::Valid(claims) => oauth.blocking(move |store| store.revoke_access(&claims, &client_id)).await,
        _ => oauth.blocking(move |store| store.revoke_refresh(&token, &client_id)).await,
    }
}
