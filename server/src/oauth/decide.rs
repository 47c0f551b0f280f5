//! `/oauth/decide`: what the owner decided on the consent page.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use token::{Claims, Limits, Right, Secret};
use url::Url;
use vault::VaultPath;

use super::authorize::{redirect, redirect_error, show};
use super::consent::{ConsentProblem, Narrowing};
use super::error::{Code, OauthError, limited_in_browser};
use super::form::Parameters;
use super::sealed::{ConsentRequest, SealError};
use super::store::NewCode;
use super::{ClientAddress, Oauth};

/// The most folders a consent may name.
const MOST_FOLDERS: usize = 32;

/// Takes the form of the consent page.
pub(super) async fn decide(
    State(oauth): State<Oauth>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(limited) = oauth.limiter().check(address) {
        return limited_in_browser(limited, address, "/oauth/decide", &headers);
    }
    match decided(&oauth, address, &headers, body).await {
        Ok(response) => response,
        Err(error) => error.in_browser(&headers),
    }
}

async fn decided(
    oauth: &Oauth,
    address: IpAddr,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, OauthError> {
    check_origin(oauth, headers)?;
    let form = Parameters::of_form(headers, body).await?;
    form.check()?;
    let sealed = form.required("request")?;
    let request =
        ConsentRequest::open(sealed, oauth.consent_key(), &oauth.issuer(), oauth.now()).map_err(|error| {
            OauthError::invalid_request(match error {
                SealError::Broken => {
                    "this page is not valid here: go back to the application and connect again"
                }
                SealError::Expired => "this page has expired: go back to the application and connect again",
            })
        })?;
    let uri = request.redirect_uri.clone();
    let state = request.state.clone();
    match form.get("action") {
        Some("approve") => {}
        Some("deny") => {
            tracing::info!(
                oauth.client = request.client_id,
                client.ip = address.to_string(),
                "oauth_consent_denied"
            );
            let denied = OauthError::new(Code::AccessDenied, "the owner of the vault said no");
            return Ok(redirect_error(oauth, &uri, state.as_deref(), &denied));
        }
        _ => return Err(OauthError::invalid_request("action must be approve or deny")),
    }
    let (chosen, folders_are_right) = narrowing(&form);
    // White space comes with pasting.
    let typed: String = form.get("token").unwrap_or_default().split_whitespace().collect();
    if !oauth.is_owner(&Secret::new(typed)) {
        tracing::warn!(
            client.ip = address.to_string(),
            oauth.client = request.client_id,
            "oauth_consent_wrong_token"
        );
        return Ok(show(oauth, &request, chosen, Some(ConsentProblem::WrongToken)));
    }
    // Whoever knows the token is not guessing it.
    oauth.limiter().succeeded(address);
    let limits = limits(&chosen);
    if !folders_are_right || !fits(oauth, &request.client_id, &limits) {
        return Ok(show(oauth, &request, chosen, Some(ConsentProblem::BadFolder)));
    }
    // Told only to whoever knows the token: what the vault holds is no stranger's business.
    let missing = oauth.missing_folders(&chosen.folders).await?;
    let told: Vec<_> = form.get("missing").unwrap_or_default().lines().collect();
    if !missing.iter().all(|folder| told.contains(&folder.as_str())) {
        return Ok(show(oauth, &request, chosen, Some(ConsentProblem::MissingFolders(missing))));
    }
    tracing::info!(
        oauth.client = request.client_id,
        client.ip = address.to_string(),
        read_only = chosen.read_only,
        folders.count = chosen.folders.len(),
        "oauth_consent_given"
    );
    let new = NewCode {
        client_id: request.client_id,
        redirect_uri: request.redirect_uri,
        redirect_uri_named: request.redirect_uri_named,
        code_challenge: request.code_challenge,
        limits,
    };
    match oauth.blocking(move |store| store.issue_code(new)).await {
        Ok(code) => Ok(redirect(oauth, &uri, state.as_deref(), &[("code", code.expose())])),
        Err(error) => Ok(redirect_error(oauth, &uri, state.as_deref(), &error)),
    }
}

/// Only our own page may post here. The token that has to be typed is what protects; this keeps other pages
/// from trying, or from saying no for the owner.
fn check_origin(oauth: &Oauth, headers: &HeaderMap) -> Result<(), OauthError> {
    let foreign = || OauthError::invalid_request("the form was not sent by this server's own page");
    let ours = browser_origin(oauth.origin());
    let is_ours = |origin: &HeaderValue| {
        origin.to_str().is_ok_and(|origin| origin != "null" && browser_origin(origin) == ours)
    };
    if !headers.get_all(header::ORIGIN).iter().all(is_ours) {
        return Err(foreign());
    }
    if headers.get_all("sec-fetch-site").iter().any(|site| site.as_bytes() == b"cross-site") {
        return Err(foreign());
    }
    Ok(())
}

/// An origin as browsers spell it: a host beyond ASCII in its encoded form.
fn browser_origin(origin: &str) -> Option<String> {
    Url::parse(origin).ok().filter(|url| url.path() == "/").map(|url| url.origin().ascii_serialization())
}

/// What the form narrows the consent to, and whether every folder in it is one that a vault can have.
fn narrowing(form: &Parameters) -> (Narrowing, bool) {
    let access = form.get("access").unwrap_or("full");
    let mut chosen = Narrowing {
        // What is not known is less, not more.
        read_only: !matches!(access, "full" | "edit"),
        may_delete: access == "full",
        folders: Vec::new(),
    };
    let mut right = true;
    for line in form.get("folders").unwrap_or_default().lines().filter(|line| !line.trim().is_empty()) {
        let folder = match VaultPath::parse_folder(line.trim().trim_end_matches('/')) {
            Ok(Some(folder)) => folder.as_str().to_owned(),
            // The vault itself beside a folder would take the limit away, and a typing error too.
            Ok(None) | Err(_) => {
                right = false;
                line.trim().to_owned()
            }
        };
        if !chosen.folders.contains(&folder) {
            chosen.folders.push(folder);
        }
    }
    right &= chosen.folders.len() <= MOST_FOLDERS;
    (chosen, right)
}

fn limits(chosen: &Narrowing) -> Limits {
    let rights = match (chosen.read_only, chosen.may_delete) {
        (true, _) => Some(vec![Right::Read]),
        (false, false) => Some(vec![Right::Read, Right::Write]),
        (false, true) => None,
    };
    Limits { rights, folders: (!chosen.folders.is_empty()).then(|| chosen.folders.clone()) }
}

/// Whether a token with these limits is short enough for a header.
fn fits(oauth: &Oauth, client_id: &str, limits: &Limits) -> bool {
    // As long as any id of ours.
    let id = "x".repeat(32);
    let claims = Claims {
        id: Some(id.clone()),
        grant: Some(id),
        limits: limits.clone(),
        ..Claims::new(client_id, u64::from(u32::MAX), u64::from(u32::MAX))
    };
    oauth.access_key().sign(&claims).is_ok_and(|token| token.expose().len() <= 4_096)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(form: &str) -> (Narrowing, bool) {
        narrowing(&Parameters::parse(form.as_bytes()))
    }

    #[test]
    fn an_origin_is_compared_as_browsers_spell_it() {
        let same = |one: &str, other: &str| browser_origin(one) == browser_origin(other);
        assert!(same("https://müller.example", "https://xn--mller-kva.example"));
        assert!(same("https://vault.example.com:443", "https://vault.example.com"));
        assert!(!same("http://vault.example.com", "https://vault.example.com"));
        assert_eq!(browser_origin("null"), None);
        assert_eq!(browser_origin("https://vault.example.com/x"), None);
    }

    #[test]
    fn a_consent_is_narrowed_to_rights() {
        assert_eq!(limits(&chosen("").0), Limits::default());
        assert_eq!(limits(&chosen("access=full").0), Limits::default());
        assert_eq!(limits(&chosen("access=edit").0).rights, Some(vec![Right::Read, Right::Write]));
        assert_eq!(limits(&chosen("access=read").0).rights, Some(vec![Right::Read]));
        assert_eq!(limits(&chosen("access=everything").0).rights, Some(vec![Right::Read]));
    }

    #[test]
    fn a_consent_is_narrowed_to_folders() {
        let (narrowed, right) = chosen("folders=Projects%2F%0D%0A%0D%0A+Daily+Notes+%0AProjects");
        assert!(right);
        assert_eq!(narrowed.folders, ["Projects", "Daily Notes"]);
        assert_eq!(limits(&narrowed).folders, Some(narrowed.folders));
        assert_eq!(limits(&chosen("folders=%0A++%0A").0).folders, None);
        for wrong in ["..%2Fx", "%2Fetc", "a%0A%2F", ".", "a%0A..", "a%00b"] {
            let (narrowed, right) = chosen(&format!("folders={wrong}"));
            assert!(!right && !narrowed.folders.is_empty(), "{wrong}: {narrowed:?}");
        }
        let many: Vec<_> = (0..=MOST_FOLDERS).map(|number| format!("f{number}")).collect();
        assert!(!chosen(&format!("folders={}", many.join("%0A"))).1);
    }
}
