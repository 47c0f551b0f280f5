//! `/token`: a code, or a refresh token, for an access token (RFC 6749 sections 4.1.3 and 6).

use std::net::IpAddr;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use token::{Claims, SCOPE, Secret};

use super::credentials::authenticate;
use super::error::{Code, OauthError, no_store};
use super::form::Parameters;
use super::store::{Grant, Outcome, Presented, random_text};
use super::{ClientAddress, Oauth};

const PATH: &str = "/token";

/// Gives tokens out.
///
/// Refreshes are counted by their grant, as soon as the token is known here: many users of a hosted client
/// share an address. All else is counted by address and given back when it was right.
pub(super) async fn token(
    State(oauth): State<Oauth>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let form = match Parameters::of_form(&headers, body).await {
        Ok(form) => form,
        Err(error) => return counted(&oauth, address, error),
    };
    match known_refresh(&oauth, &form).await {
        Ok(Some(grant)) => {
            if let Err(limited) = oauth.limiter().refreshed(&grant) {
                return limited.answer(address, PATH);
            }
            match exchanged(&oauth, &headers, &form).await {
                Ok(response) => response,
                Err(error) => counted(&oauth, address, error),
            }
        }
        Ok(None) => {
            if let Err(limited) = oauth.limiter().check(address) {
                return limited.answer(address, PATH);
            }
            match exchanged(&oauth, &headers, &form).await {
                Ok(response) => {
                    oauth.limiter().succeeded(address);
                    response
                }
                Err(error) => error.into_response(),
            }
        }
        Err(error) => error.into_response(),
    }
}

/// A failure that was not counted when it began.
fn counted(oauth: &Oauth, address: IpAddr, error: OauthError) -> Response {
    if error.is_ours() {
        return error.into_response();
    }
    match oauth.limiter().check(address) {
        Ok(()) => error.into_response(),
        Err(limited) => limited.answer(address, PATH),
    }
}

/// The grant of the refresh token in a form, when there is one that is known.
async fn known_refresh(oauth: &Oauth, form: &Parameters) -> Result<Option<String>, OauthError> {
    match (form.get("grant_type"), form.get("refresh_token")) {
        (Some("refresh_token"), Some(token)) => {
            let token = Secret::new(token);
            oauth.blocking(move |store| store.grant_of_refresh(&token)).await
        }
        _ => Ok(None),
    }
}

async fn exchanged(oauth: &Oauth, headers: &HeaderMap, form: &Parameters) -> Result<Response, OauthError> {
    form.check()?;
    let grant_type = form.required("grant_type")?;
    let client_id = authenticate(oauth, headers, form).await?;
    // Before anything is used up: a client that asked for another server can still ask for this one.
    oauth.check_resources(&form.resources)?;
    let outcome = match grant_type {
        "authorization_code" => {
            let presented = Presented {
                code: Secret::new(form.required("code")?),
                client_id: client_id.clone(),
                redirect_uri: form.get("redirect_uri").map(str::to_owned),
                verifier: form.required("code_verifier")?.to_owned(),
            };
            oauth.blocking(move |store| store.redeem(presented)).await?
        }
        "refresh_token" => {
            let token = Secret::new(form.required("refresh_token")?);
            let (client, grace) = (client_id.clone(), oauth.refresh_grace());
            oauth.blocking(move |store| store.refresh(&token, &client, grace)).await?
        }
        _ => {
            let description = "grant_type must be authorization_code or refresh_token";
            return Err(OauthError::new(Code::UnsupportedGrantType, description));
        }
    };
    let refused = |description| Err(OauthError::invalid_grant(description));
    match outcome {
        Outcome::Granted(grant) => tokens(oauth, &client_id, &grant),
        // Whose it is, is nobody else's business.
        Outcome::Unknown | Outcome::OtherClient => {
            refused("the code or refresh token is not known, has expired or was revoked")
        }
        Outcome::OtherRedirect => refused("redirect_uri is not that of the authorization request"),
        Outcome::WrongVerifier => refused("code_verifier does not match the code_challenge"),
        Outcome::Reused => {
            refused("the code or refresh token was used before: the owner has to be asked again")
        }
    }
}

/// The answer: RFC 6749 section 5.1. The scope is always the one there is; `scope` in a request can neither
/// widen nor narrow it, since rights and folders are the grant's.
fn tokens(oauth: &Oauth, client_id: &str, grant: &Grant) -> Result<Response, OauthError> {
    let now = u64::try_from(oauth.now()).unwrap_or(0);
    let life = oauth.access_token_ttl().as_secs();
    let claims = Claims {
        id: Some(random_text::<16>()?),
        grant: Some(grant.id.clone()),
        limits: grant.limits.clone(),
        ..Claims::new(client_id, now, now.saturating_add(life))
    };
    let access = oauth.access_key().sign(&claims).map_err(|error| {
        tracing::error!(error.message = error.to_string(), oauth.grant = grant.id, "access token not signed");
        OauthError::new(Code::ServerError, "the token could not be signed")
    })?;
    let refresh = oauth.store().refresh_token(grant);
    Ok(no_store(
        Json(json!({
            "access_token": access.expose(),
            "token_type": "Bearer",
            "expires_in": life,
            "refresh_token": refresh.expose(),
            "scope": SCOPE,
        }))
        .into_response(),
    ))
}
