//! `/authorize`: a client sends its user's browser here, and the owner is asked.
//!
//! Nothing is written down: what was found right goes into the page, sealed. Client and redirect URI are
//! judged first; as long as they are not known to belong together, nothing is redirected anywhere, and to the
//! address of a client that registered itself nothing before the owner has answered.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use token::SCOPE;

use super::client::Client;
use super::consent::{self, ConsentProblem, ConsentView, Narrowing};
use super::error::{Code, OauthError, ascii, limited_in_browser, no_store};
use super::form::Parameters;
use super::sealed::ConsentRequest;
use super::{ClientAddress, Oauth, document, pkce, redirect_uri};

/// Shows the page, or says what is wrong with the request.
pub(super) async fn authorize(
    State(oauth): State<Oauth>,
    ClientAddress(address): ClientAddress,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(limited) = oauth.limiter().check(address) {
        return limited_in_browser(limited, address, "/authorize", &headers);
    }
    let parameters = if method == Method::POST {
        Parameters::of_form(&headers, body).await
    } else {
        Parameters::of_query(uri.query())
    };
    match parameters {
        Ok(parameters) => answer(&oauth, &headers, &parameters).await,
        Err(error) => error.in_browser(&headers),
    }
}

async fn answer(oauth: &Oauth, headers: &HeaderMap, parameters: &Parameters) -> Response {
    let (client, uri, named) = match client_and_redirect(oauth, parameters).await {
        Ok(found) => found,
        Err(error) => return error.in_browser(headers),
    };
    let state = parameters.get("state");
    match request_of(oauth, parameters, &client, &uri, named) {
        Ok(request) => show(oauth, &request, Narrowing::default(), None),
        // Anybody can register any address, and nobody has looked at it yet: a redirect there would lend this
        // server's name to it (RFC 9700 section 4.11.2).
        Err(error) if client.host.is_none() && !redirect_uri::is_on_loopback(&uri) => {
            error.in_browser(headers)
        }
        Err(error) => redirect_error(oauth, &uri, state, &error),
    }
}

/// The client, and the redirect URI that it registered and means; whether the request named it.
async fn client_and_redirect(
    oauth: &Oauth,
    parameters: &Parameters,
) -> Result<(Client, String, bool), OauthError> {
    for name in ["client_id", "redirect_uri"] {
        if parameters.is_repeated(name) {
            parameters.check()?;
        }
    }
    let id = parameters.required("client_id")?.to_owned();
    let client = if document::is_url(&id) {
        oauth.documents().client(oauth, &id).await?
    } else {
        let unknown = || OauthError::invalid_client("client_id is not known here: register again", false);
        oauth.blocking(move |store| store.client(&id)).await?.ok_or_else(unknown)?.client
    };
    let not_registered = || OauthError::invalid_request("redirect_uri is not one that the client registered");
    match parameters.get("redirect_uri") {
        Some(uri) if client.redirect_uris.iter().any(|registered| registered.matches(uri)) => {
            Ok((client, uri.to_owned(), true))
        }
        Some(_) => Err(not_registered()),
        None => match client.redirect_uris.as_slice() {
            [only] => {
                let uri = only.as_str().to_owned();
                Ok((client, uri, false))
            }
            _ => Err(OauthError::invalid_request("redirect_uri is missing, and the client has several")),
        },
    }
}

/// The request, once everything in it is right.
fn request_of(
    oauth: &Oauth,
    parameters: &Parameters,
    client: &Client,
    uri: &str,
    named: bool,
) -> Result<ConsentRequest, OauthError> {
    parameters.check()?;
    if parameters.get("request").is_some() {
        return Err(OauthError::new(Code::RequestNotSupported, "request objects are not supported"));
    }
    if parameters.get("request_uri").is_some() {
        return Err(OauthError::new(Code::RequestUriNotSupported, "request_uri is not supported"));
    }
    if parameters.required("response_type")? != "code" {
        return Err(OauthError::new(Code::UnsupportedResponseType, "response_type must be code"));
    }
    if parameters.get("response_mode").is_some_and(|mode| mode != "query") {
        return Err(OauthError::invalid_request("response_mode must be query"));
    }
    let challenge = parameters.required("code_challenge")?;
    // RFC 7636 has `plain` for the default: a client that says nothing means that.
    if parameters.get("code_challenge_method") != Some("S256") {
        return Err(OauthError::invalid_request("code_challenge_method must be S256"));
    }
    if !pkce::is_challenge(challenge) {
        return Err(OauthError::invalid_request("code_challenge is not a SHA-256 in base64url"));
    }
    oauth.check_resources(&parameters.resources)?;
    // Scopes that there are not are passed over: the one there is is granted in any case (RFC 6749 section
    // 3.3 lets the server do so, and it says in the answer what was granted).
    Ok(ConsentRequest {
        client_id: client.id.clone(),
        client_name: client.name.clone(),
        client_host: client.host.clone(),
        redirect_uri: uri.to_owned(),
        redirect_uri_named: named,
        code_challenge: challenge.to_owned(),
        state: parameters.get("state").map(str::to_owned),
        ..ConsentRequest::new(oauth.now())
    })
}

/// The page for a request.
pub(super) fn show(
    oauth: &Oauth,
    request: &ConsentRequest,
    chosen: Narrowing,
    problem: Option<ConsentProblem>,
) -> Response {
    let target = redirect_uri::shown(&request.redirect_uri);
    let sealed = request.seal(oauth.consent_key(), &oauth.issuer());
    let page = consent::page(&ConsentView {
        client_name: request.client_name.as_deref(),
        client_host: request.client_host.as_deref(),
        redirect_host: &target,
        scopes: &[SCOPE],
        sealed_request: &sealed,
        chosen,
        problem,
    });
    let mut response = no_store((StatusCode::OK, page.html).into_response());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // Every source in the policy is a host or scheme that was parsed from ASCII; without a policy the page
    // must not be shown.
    let Ok(policy) = HeaderValue::from_str(&page.csp) else {
        return OauthError::new(Code::ServerError, "the page cannot be shown").into_response();
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // `no-referrer` would make the form's Origin `null`, and with it worthless.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Sends the browser back with an error.
pub(super) fn redirect_error(oauth: &Oauth, uri: &str, state: Option<&str>, error: &OauthError) -> Response {
    let description = ascii(&error.description);
    let fields = [("error", error.code.name()), ("error_description", description.as_str())];
    redirect(oauth, uri, state, &fields)
}

/// Sends the browser back: 303, so that a form is not posted on, with `state` and `iss` (RFC 9207).
pub(super) fn redirect(oauth: &Oauth, uri: &str, state: Option<&str>, fields: &[(&str, &str)]) -> Response {
    let issuer = oauth.issuer();
    let mut all = fields.to_vec();
    if let Some(state) = state {
        all.push(("state", state));
    }
    all.push(("iss", &issuer));
    let location = redirect_uri::with_parameters(uri, &all);
    match HeaderValue::from_str(&location) {
        Ok(location) => {
            let mut response = no_store(StatusCode::SEE_OTHER.into_response());
            let headers = response.headers_mut();
            headers.insert(header::LOCATION, location);
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            response
        }
        Err(_) => OauthError::invalid_request("redirect_uri cannot be used").into_response(),
    }
}
