//! `Authorization: Bearer …` as RFC 6750, section 2.1, has it.

use crate::secret::Secret;

/// The longest token that is looked at, in bytes: well above any token of ours, below any header limit.
pub const MAX_TOKEN_BYTES: usize = 8192;

/// Why a request carries no usable token. None of the texts quotes what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BearerError {
    /// There is no `Authorization` header, or it is empty.
    #[error("no Authorization header")]
    Missing,
    /// There is more than one: which of them counts would depend on who reads.
    #[error("more than one Authorization header")]
    Repeated,
    /// The header is of another scheme, such as `Basic`.
    #[error("the Authorization header is not a Bearer token")]
    OtherScheme,
    /// What follows the scheme is not exactly one token.
    #[error("the Authorization header is malformed: expected \"Bearer\", a space and one token")]
    Malformed,
    /// The token is longer than [`MAX_TOKEN_BYTES`].
    #[error("the token is too long")]
    TooLong,
}

/// The token of a request, from the values of all its `Authorization` headers.
///
/// # Errors
/// One [`BearerError`] per rule.
pub fn bearer<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> Result<Secret, BearerError> {
    let mut values = values.into_iter();
    let value = values.next().ok_or(BearerError::Missing)?;
    if values.next().is_some() {
        return Err(BearerError::Repeated);
    }
    parse_bearer(value)
}

/// The token of one header value: the scheme in any case (RFC 9110, 11.1), one or more spaces, one token.
///
/// # Errors
/// One [`BearerError`] per rule.
pub fn parse_bearer(value: &[u8]) -> Result<Secret, BearerError> {
    // Space around a field value is none of its part (RFC 9110, 5.5).
    let value = value.trim_ascii();
    if value.is_empty() {
        return Err(BearerError::Missing);
    }
    let scheme_end = value.iter().position(|&byte| !is_scheme_byte(byte)).unwrap_or(value.len());
    let (scheme, rest) = value.split_at(scheme_end);
    if !scheme.eq_ignore_ascii_case(b"Bearer") {
        return Err(BearerError::OtherScheme);
    }
    let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
    let token = rest.get(spaces..).unwrap_or_default();
    if spaces == 0 {
        return Err(BearerError::Malformed);
    }
    if token.len() > MAX_TOKEN_BYTES {
        return Err(BearerError::TooLong);
    }
    match std::str::from_utf8(token) {
        Ok(token) if is_token(token) => Ok(Secret::new(token)),
        _ => Err(BearerError::Malformed),
    }
}

/// Whether a text can be sent as a bearer token: `b64token` of RFC 6750, which is letters, digits and
/// `-._~+/`, then any number of `=`. A configured token that is none could never be presented.
#[must_use]
pub fn is_token(text: &str) -> bool {
    let token = text.trim_end_matches('=').as_bytes();
    !token.is_empty() && token.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(byte))
}

/// `tchar` of RFC 9110, 5.6.2, of which schemes are made.
fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn accepted(value: &str, token: &str) {
        assert_eq!(parse_bearer(value.as_bytes()).unwrap().expose(), token);
    }

    #[track_caller]
    fn refused(value: &[u8], error: BearerError) {
        assert_eq!(parse_bearer(value).unwrap_err(), error);
    }

    #[test]
    fn the_scheme_has_no_case_and_spaces_no_number() {
        accepted("Bearer abc", "abc");
        accepted("bearer abc", "abc");
        accepted("BEARER abc", "abc");
        accepted("BeArEr    abc", "abc");
        accepted("  Bearer abc \t", "abc");
    }

    #[test]
    fn every_character_of_a_token_is_taken() {
        accepted("Bearer aZ09-._~+/==", "aZ09-._~+/==");
        accepted("Bearer eyJhbGciOiJIUzI1NiJ9.e30.x-_y", "eyJhbGciOiJIUzI1NiJ9.e30.x-_y");
    }

    #[test]
    fn no_token_is_missing() {
        refused(b"", BearerError::Missing);
        refused(b" \t ", BearerError::Missing);
        assert_eq!(bearer([]).unwrap_err(), BearerError::Missing);
    }

    #[test]
    fn other_schemes_are_told_apart() {
        for value in ["Basic dXNlcjpwYXNz", "Bearerabc", "Bear abc", "BearerX abc", "abc", "=", "Digest a=b"]
        {
            refused(value.as_bytes(), BearerError::OtherScheme);
        }
    }

    #[test]
    fn anything_but_exactly_one_token_is_malformed() {
        for value in [
            "Bearer",
            "Bearer ",
            "Bearer\tabc",
            "Bearer=abc",
            "Bearer,abc",
            "Bearer a b",
            "Bearer abc,",
            "Bearer abc\u{b}d",
            "Bearer \tabc",
            "Bearer \"abc\"",
            "Bearer =",
            "Bearer a=b",
            "Bearer abc, Bearer def",
            "Bearer a\0b",
            "Bearer a\nb",
            "Bearer ümlaut",
            "Bearer a:b",
            "Bearer a%20b",
        ] {
            refused(value.as_bytes(), BearerError::Malformed);
        }
        refused(b"Bearer \xff\xfe", BearerError::Malformed);
    }

    #[test]
    fn the_length_has_a_limit() {
        accepted(&format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES)), &"a".repeat(MAX_TOKEN_BYTES));
        refused(format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES + 1)).as_bytes(), BearerError::TooLong);
    }

    #[test]
    fn two_headers_are_one_too_many_even_when_they_agree() {
        let value = b"Bearer abc".as_slice();
        assert_eq!(bearer([value]).unwrap().expose(), "abc");
        assert_eq!(bearer([value, value]).unwrap_err(), BearerError::Repeated);
        assert_eq!(bearer([b"".as_slice(), value]).unwrap_err(), BearerError::Repeated);
    }

    fn hostile() -> impl Strategy<Value = Vec<u8>> {
        let pieces = prop::sample::select(vec![
            b"Bearer".as_slice(),
            b"bearer",
            b"Basic",
            b" ",
            b"  ",
            b"\t",
            b"abc",
            b"=",
            b",",
            b"\0",
            b"\n",
            b"\xff",
            b".",
        ]);
        prop_oneof![
            prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat()),
            prop::collection::vec(any::<u8>(), 0..64),
        ]
    }

    proptest! {
        #[test]
        fn any_bytes_are_one_token_or_an_error(value in hostile()) {
            if let Ok(secret) = parse_bearer(&value) {
                prop_assert!(is_token(secret.expose()));
                let again = format!("Bearer {}", secret.expose());
                prop_assert!(parse_bearer(again.as_bytes()).unwrap().matches(&secret));
                // The token stands in the header once, as it is, and nothing but the scheme before it.
                let text = String::from_utf8(value).unwrap();
                prop_assert_eq!(text.split_ascii_whitespace().nth(1), Some(secret.expose()));
                prop_assert_eq!(text.split_ascii_whitespace().count(), 2);
            }
        }

        #[test]
        fn every_token_is_read_back(scheme in "[bB][eE][aA][rR][eE][rR]", spaces in " {1,4}", token in "[A-Za-z0-9._~+/-]{1,80}={0,3}") {
            let value = format!("{scheme}{spaces}{token}");
            let secret = parse_bearer(value.as_bytes()).unwrap();
            prop_assert_eq!(secret.expose(), token);
        }
    }
}
