//! Who calls `/token` and `/revoke`: a public client by its id, others by their secret, in the body or by
//! HTTP Basic, whichever they registered.

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::error::OauthError;
use super::form::Parameters;
use super::{Oauth, document};

/// What a client presents.
#[derive(Debug, PartialEq, Eq)]
struct Credentials {
    id: String,
    secret: Option<String>,
    basic: bool,
}

/// The id of the client that calls.
///
/// # Errors
/// `invalid_client` (401), upon which clients register anew; `invalid_request` when it is said twice.
pub(super) async fn authenticate(
    oauth: &Oauth,
    headers: &HeaderMap,
    form: &Parameters,
) -> Result<String, OauthError> {
    let Credentials { id, secret, basic } = read(headers, form)?;
    if document::is_url(&id) {
        // A public client by its nature. Whether its document still stands was asked when the owner was; what
        // it holds now is bound to this id and to a verifier.
        oauth.documents().check(&id)?;
        return match secret {
            None => Ok(id),
            Some(_) => {
                Err(OauthError::invalid_client("a client with a metadata document has no secret", basic))
            }
        };
    }
    let unknown = || OauthError::invalid_client("the client is not known here: register again", basic);
    let wanted = id.clone();
    let client = oauth.blocking(move |store| store.client(&wanted)).await?.ok_or_else(unknown)?;
    match secret {
        None if client.has_secret() => Err(OauthError::invalid_client("client_secret is missing", basic)),
        None => Ok(id),
        Some(secret) if client.is_secret(&secret) => Ok(id),
        Some(_) => Err(OauthError::invalid_client("client_secret is wrong", basic)),
    }
}

fn read(headers: &HeaderMap, form: &Parameters) -> Result<Credentials, OauthError> {
    let (in_body, secret_in_body) = (form.get("client_id"), form.get("client_secret"));
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(OauthError::invalid_request("more than one Authorization header"));
    }
    let Some(value) = value else {
        let id = in_body.ok_or_else(|| OauthError::invalid_client("client_id is missing", false))?;
        return Ok(Credentials {
            id: id.to_owned(),
            secret: secret_in_body.map(str::to_owned),
            basic: false,
        });
    };
    let malformed = || OauthError::invalid_client("the Authorization header is not HTTP Basic", true);
    let (id, secret) = value.to_str().ok().and_then(basic).ok_or_else(malformed)?;
    if secret_in_body.is_some() || in_body.is_some_and(|other| other != id) {
        return Err(OauthError::invalid_request("the client is named in the header and in the body"));
    }
    Ok(Credentials { id, secret: Some(secret).filter(|secret| !secret.is_empty()), basic: true })
}

/// Name and password of HTTP Basic, each form-encoded (RFC 6749 section 2.3.1).
fn basic(value: &str) -> Option<(String, String)> {
    let (scheme, encoded) = value.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    let decode = |part: &str| {
        // As the value of a form without a name: `&` and `=` cannot come in what is encoded.
        url::form_urlencoded::parse(format!("={part}").as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    let id = decode(id);
    (!id.is_empty()).then(|| (id, decode(secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials(authorization: &[&str], form: &str) -> Result<Credentials, String> {
        let mut headers = HeaderMap::new();
        for value in authorization {
            headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        read(&headers, &Parameters::parse(form.as_bytes())).map_err(|error| error.code.name().to_owned())
    }

    fn header_of(text: &str) -> String {
        format!("Basic {}", STANDARD.encode(text))
    }

    #[track_caller]
    fn read_as(found: Result<Credentials, String>, id: &str, secret: Option<&str>, basic: bool) {
        let (found, secret) = (found.unwrap(), secret.map(str::to_owned));
        assert_eq!(found, Credentials { id: id.to_owned(), secret, basic });
    }

    #[test]
    fn credentials_come_in_the_body_or_by_basic() {
        read_as(credentials(&[], "client_id=a"), "a", None, false);
        read_as(credentials(&[], "client_id=a&client_secret="), "a", None, false);
        read_as(credentials(&[], "client_id=a&client_secret=b"), "a", Some("b"), false);
        read_as(credentials(&[&header_of("a:b:c")], ""), "a", Some("b:c"), true);
        read_as(credentials(&[&header_of("a%3A+:%25")], "client_id=a%3A%20"), "a: ", Some("%"), true);
        read_as(credentials(&[&header_of("a:")], ""), "a", None, true);
    }

    #[test]
    fn credentials_are_given_once() {
        let invalid = |code: &str| Err(code.to_owned());
        assert_eq!(credentials(&[], ""), invalid("invalid_client"));
        for header in ["Bearer x", "Basic", "Basic !", "Basic YQ==", &header_of(":b")] {
            assert_eq!(credentials(&[header], "client_id=a"), invalid("invalid_client"), "{header}");
        }
        let header = header_of("a:b");
        assert_eq!(credentials(&[&header], "client_id=c"), invalid("invalid_request"));
        assert_eq!(credentials(&[&header], "client_id=a&client_secret=b"), invalid("invalid_request"));
        assert_eq!(credentials(&[&header, &header], ""), invalid("invalid_request"));
    }
}
