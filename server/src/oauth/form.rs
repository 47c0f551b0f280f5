//! Parameters: of a query or of a form in the body, each at most once (RFC 6749 section 3.1).

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, header};

use super::error::OauthError;

/// The longest body on these endpoints.
pub(super) const MOST_BYTES: usize = 64 * 1024;

/// The longest query: gateways take less, so nobody sends more by right.
const MOST_QUERY_BYTES: usize = 32 * 1024;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Parameters by name. Empty ones are as if they were not there (RFC 6749 section 3.1).
#[derive(Debug, Default)]
pub(super) struct Parameters {
    values: BTreeMap<String, String>,
    /// RFC 8707: the one parameter that may come several times.
    pub(super) resources: Vec<String>,
    /// The first name that came twice.
    repeated: Option<String>,
}

impl Parameters {
    /// Reads `name=value&…`. What comes twice is found out by [`Self::check`] or when it is asked for.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut parameters = Self::default();
        for (name, value) in url::form_urlencoded::parse(bytes) {
            if name == "resource" {
                if !value.is_empty() {
                    parameters.resources.push(value.into_owned());
                }
                continue;
            }
            if parameters.values.contains_key(name.as_ref()) {
                parameters.repeated.get_or_insert_with(|| name.clone().into_owned());
            } else {
                parameters.values.insert(name.into_owned(), value.into_owned());
            }
        }
        parameters
    }

    /// The parameters of a query.
    ///
    /// # Errors
    /// `invalid_request` when it is too long.
    pub(super) fn of_query(query: Option<&str>) -> Result<Self, OauthError> {
        let query = query.unwrap_or_default();
        if query.len() > MOST_QUERY_BYTES {
            return Err(OauthError::invalid_request("the query is too long"));
        }
        Ok(Self::parse(query.as_bytes()))
    }

    /// The parameters of a form in a body.
    ///
    /// # Errors
    /// `invalid_request` for another content type, and as [`body`].
    pub(super) async fn of_form(headers: &HeaderMap, body: Body) -> Result<Self, OauthError> {
        if !is_content_type(headers, "application/x-www-form-urlencoded") {
            return Err(OauthError::invalid_request(
                "send the parameters in the body, with Content-Type: application/x-www-form-urlencoded",
            ));
        }
        Ok(Self::parse(&self::body(headers, body).await?))
    }

    /// The value, if there is one that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether this parameter came twice.
    pub(super) fn is_repeated(&self, name: &str) -> bool {
        self.repeated.as_deref() == Some(name)
    }

    /// The value of a parameter that must be there.
    ///
    /// # Errors
    /// `invalid_request` that names it.
    pub(super) fn required(&self, name: &'static str) -> Result<&str, OauthError> {
        self.get(name).ok_or_else(|| OauthError::invalid_request(format!("{name} is missing")))
    }

    /// # Errors
    /// `invalid_request` when any parameter came twice.
    pub(super) fn check(&self) -> Result<(), OauthError> {
        match &self.repeated {
            None => Ok(()),
            Some(name) => {
                let name: String = name.chars().take(40).collect();
                Err(OauthError::invalid_request(format!("{name} is given more than once")))
            }
        }
    }
}

/// The whole body.
///
/// # Errors
/// `invalid_request` when it is longer than [`MOST_BYTES`], does not arrive in time or breaks off.
pub(super) async fn body(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, OauthError> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if declared.is_some_and(|length| length > MOST_BYTES as u64) {
        return Err(OauthError::invalid_request("the body is longer than 64 KiB"));
    }
    match tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(_)) => {
            Err(OauthError::invalid_request("the body is longer than 64 KiB or did not arrive whole"))
        }
        Err(_) => Err(OauthError::invalid_request("the body took too long to arrive")),
    }
}

/// Whether the body is of this type, whatever its parameters (`charset`).
pub(super) fn is_content_type(headers: &HeaderMap, wanted: &str) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_come_once() {
        let parameters = Parameters::parse(b"a=1+2&b=%26&c=&resource=x&resource=y&resource=");
        assert_eq!(
            (parameters.get("a"), parameters.get("b"), parameters.get("c")),
            (Some("1 2"), Some("&"), None)
        );
        assert_eq!(parameters.resources, ["x", "y"]);
        assert!(parameters.check().is_ok());
        assert!(parameters.required("c").is_err());
        let twice = Parameters::parse(b"a=1&b=1&b=1");
        assert!(twice.check().is_err() && twice.is_repeated("b") && !twice.is_repeated("a"));
    }

    #[test]
    fn any_bytes_are_parameters() {
        for bytes in [b"%".as_slice(), b"%ff=%fe", b"&&==&", b"=x", b"\0\xff"] {
            let _ = Parameters::parse(bytes).check();
        }
        assert!(Parameters::of_query(Some(&"a".repeat(MOST_QUERY_BYTES + 1))).is_err());
    }
}
