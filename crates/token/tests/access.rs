//! Access tokens: what is accepted, and everything that is not. Tokens that no code of ours would sign are
//! put together here by hand, with a signature made independently of the library under test.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helpers fail by panicking")]

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Sha256, Sha384, Sha512};
use vault_cortex_token::{
    AccessKey, Claims, KeyError, Limits, MAX_TOKEN_BYTES, PublicOrigin, Refusal, Right, Secret, SignError,
    Verdict,
};

const SECRET: &str = "s3cret-token";
const NOW: u64 = 1_800_000_000;

fn key_of(secret: &str, url: &str) -> AccessKey {
    AccessKey::new(&Secret::new(secret), &PublicOrigin::parse(url).unwrap()).unwrap()
}

fn key() -> AccessKey {
    key_of(SECRET, "https://vault.example.com")
}

fn hmac<M: Mac + KeyInit>(message: &str) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(message.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Header and payload as text, signed with our secret whatever they say.
fn raw(header: &str, payload: &str) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let signature = hmac::<Hmac<Sha256>>(&message);
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

fn claims() -> Value {
    json!({
        "sub": "client-1", "scope": "vault", "iat": NOW - 60, "exp": NOW + 60,
        "iss": "https://vault.example.com/", "aud": "https://vault.example.com/mcp",
    })
}

/// The claims of the reference deployment, with one set to something else.
fn with(name: &str, value: Value) -> String {
    let mut claims = claims();
    claims[name] = value;
    raw(HEADER, &claims.to_string())
}

fn without(names: &[&str]) -> String {
    let mut claims = claims();
    for name in names {
        claims.as_object_mut().unwrap().remove(*name);
    }
    raw(HEADER, &claims.to_string())
}

#[track_caller]
fn valid(token: &str) -> Claims {
    match key().verify(token, NOW) {
        Verdict::Valid(claims) => claims,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(token: &str, refusal: Refusal) {
    assert_eq!(key().verify(token, NOW), Verdict::Refused(refusal), "{token}");
}

#[test]
fn a_token_of_the_reference_deployment_is_valid() {
    let read = valid(&raw(HEADER, &claims().to_string()));
    assert_eq!(read, Claims::new("client-1", NOW - 60, NOW + 60));
    assert!(read.has_scope("vault"));
    // Signed by Node's crypto with the key "s3cret-token" would be the same bytes: HMAC has no variants.
    valid(&raw(r#"{"typ":"JWT","alg":"HS256"}"#, &claims().to_string()));
    valid(&raw(r#"{"alg":"HS256"}"#, &claims().to_string()));
    valid(&raw(r#"{"alg":"HS256","typ":"jwt"}"#, &claims().to_string()));
}

#[test]
fn expiry_is_judged_to_the_second_by_the_clock_that_is_passed_in() {
    let token = key().sign(&Claims::new("c", NOW, NOW + 100)).unwrap();
    let at = |now| key().verify(token.expose(), now);
    assert!(matches!(at(0), Verdict::Valid(_)));
    assert!(matches!(at(NOW + 99), Verdict::Valid(_)));
    assert!(matches!(at(NOW + 100), Verdict::Expired(_)));
    assert!(matches!(at(u64::MAX), Verdict::Expired(_)));
}

#[test]
fn an_expired_token_is_told_apart_only_when_it_is_rightly_bound() {
    let mut expired = claims();
    expired["exp"] = json!(NOW - 1);
    let token = |claims: &Value| raw(HEADER, &claims.to_string());
    assert!(matches!(key().verify(&token(&expired), NOW), Verdict::Expired(_)));
    for (name, value, refusal) in [
        ("aud", json!("https://other.example/mcp"), Refusal::Audience),
        ("iss", json!("https://other.example/"), Refusal::Issuer),
    ] {
        let mut elsewhere = expired.clone();
        elsewhere[name] = value;
        refused(&token(&elsewhere), refusal);
    }
    expired.as_object_mut().unwrap().remove("aud");
    refused(&token(&expired), Refusal::ExpiredUnbound);
}

#[test]
fn a_token_from_before_binding_is_told_apart() {
    let token = raw(
        HEADER,
        &json!({"sub": "c", "scope": "vault", "exp": NOW + 60, "iss": "https://vault.example.com/"})
            .to_string(),
    );
    let Verdict::Unbound(claims) = key().verify(&token, NOW) else { panic!() };
    assert_eq!(claims.issued_at, None);
    assert!(matches!(key().verify(&without(&["aud", "iss", "iat"]), NOW), Verdict::Unbound(_)));
}

#[test]
fn another_deployment_s_token_is_refused_even_under_the_same_secret() {
    let token = key().sign(&Claims::new("c", NOW, NOW + 60)).unwrap();
    for url in ["https://other.example", "http://vault.example.com", "https://vault.example.com:8443"] {
        assert_eq!(
            key_of(SECRET, url).verify(token.expose(), NOW),
            Verdict::Refused(Refusal::Audience),
            "{url}"
        );
    }
    let another = key_of("another secret", "https://vault.example.com");
    assert_eq!(another.verify(token.expose(), NOW), Verdict::Refused(Refusal::Signature));
    // The same deployment however its URL is written.
    for url in ["https://VAULT.example.com/", "https://vault.example.com:443"] {
        assert!(matches!(key_of(SECRET, url).verify(token.expose(), NOW), Verdict::Valid(_)), "{url}");
    }
}

#[test]
fn audience_and_issuer_are_compared_as_they_stand() {
    for audience in
        ["https://vault.example.com", "https://vault.example.com/mcp/", "https://VAULT.example.com/mcp", ""]
    {
        refused(&with("aud", json!(audience)), Refusal::Audience);
    }
    for audience in [json!(null), json!(["https://vault.example.com/mcp"]), json!([]), json!(1), json!({})] {
        refused(&with("aud", audience), Refusal::Claims);
    }
    refused(&with("iss", json!("https://vault.example.com")), Refusal::Issuer);
    refused(&with("iss", json!(null)), Refusal::Claims);
    refused(&without(&["iss"]), Refusal::Issuer);
}

#[test]
fn no_other_algorithm_is_accepted() {
    let payload = claims().to_string();
    let unsigned =
        |header: &str| format!("{}.{}.", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(&payload));
    for algorithm in ["none", "None", "NONE", "nOnE", "", "hs256", "HS256 ", "HS1", "ES256K"] {
        let header = json!({"alg": algorithm, "typ": "JWT"}).to_string();
        refused(&unsigned(&header), Refusal::Algorithm);
        refused(&raw(&header, &payload), Refusal::Algorithm);
    }
    for algorithm in ["HS384", "HS512", "RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"] {
        let header = json!({"alg": algorithm, "typ": "JWT"}).to_string();
        refused(&raw(&header, &payload), Refusal::Algorithm);
        // With a signature that is right for what the header says.
        let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(&header), URL_SAFE_NO_PAD.encode(&payload));
        let signature = match algorithm {
            "HS384" => hmac::<Hmac<Sha384>>(&message),
            _ => hmac::<Hmac<Sha512>>(&message),
        };
        refused(&format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)), Refusal::Algorithm);
    }
    // HS256 with no signature, and with another algorithm's.
    refused(&unsigned(HEADER), Refusal::Signature);
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode(&payload));
    refused(
        &format!("{message}.{}", URL_SAFE_NO_PAD.encode(hmac::<Hmac<Sha384>>(&message))),
        Refusal::Signature,
    );
    refused(
        &format!("{message}.{}", URL_SAFE_NO_PAD.encode(&hmac::<Hmac<Sha256>>(&message)[..31])),
        Refusal::Signature,
    );
    for header in [
        r#"{"typ":"JWT"}"#,
        r#"{"alg":null}"#,
        r#"{"alg":["HS256"]}"#,
        r#"{"alg":"HS256","alg":"none"}"#,
        r#"{"alg":"none","alg":"HS256"}"#,
    ] {
        // By which name does not matter.
        assert!(matches!(key().verify(&raw(header, &payload), NOW), Verdict::Refused(_)), "{header}");
    }
}

#[test]
fn a_header_says_nothing_but_algorithm_and_type() {
    let payload = claims().to_string();
    for extra in [
        r#""kid":"1""#,
        r#""kid":"../../dev/null""#,
        r#""jku":"https://evil.example/keys""#,
        r#""x5u":"https://evil.example/cert""#,
        r#""jwk":{"kty":"oct","k":"AA"}"#,
        r#""cty":"JWT""#,
        r#""crit":["b64"],"b64":true"#,
        r#""b64":true"#,
        r#""zip":"DEF""#,
        r#""anything":1"#,
    ] {
        refused(&raw(&format!(r#"{{"alg":"HS256","typ":"JWT",{extra}}}"#), &payload), Refusal::Header);
    }
    for kind in ["at+jwt", "JWE", "", "JWT "] {
        refused(&raw(&json!({"alg": "HS256", "typ": kind}).to_string(), &payload), Refusal::Header);
    }
    // The library itself refuses these; by which name does not matter.
    for extra in [
        r#""crit":["exp"],"exp":1"#,
        r#""crit":[]"#,
        r#""b64":false,"crit":["b64"]"#,
        r#""typ":"JWT""#,
        r#""crit":1"#,
    ] {
        let token = raw(&format!(r#"{{"alg":"HS256","typ":"JWT",{extra}}}"#), &payload);
        assert!(matches!(key().verify(&token, NOW), Verdict::Refused(_)), "{extra}");
    }
}

#[test]
fn claims_of_another_shape_are_refused() {
    for name in ["sub", "scope", "exp"] {
        refused(&without(&[name]), Refusal::Claims);
        refused(&with(name, json!(null)), Refusal::Claims);
        refused(&with(name, json!(["vault"])), Refusal::Claims);
    }
    for (name, value) in [
        ("exp", json!("1900000000")),
        ("exp", json!(-1)),
        ("exp", json!(1.9e9)),
        ("exp", json!(true)),
        ("iat", json!("now")),
        ("iat", json!(null)),
        ("jti", json!(7)),
        ("jti", json!(null)),
        ("grant", json!({})),
        ("rights", json!("read")),
        ("rights", json!(["read", "admin"])),
        ("rights", json!(["Read"])),
        ("rights", json!([])),
        ("rights", json!(null)),
        ("folders", json!("Projects")),
        ("folders", json!([])),
        ("folders", json!([""])),
        ("folders", json!([1])),
        ("folders", json!(null)),
    ] {
        refused(&with(name, value), Refusal::Claims);
    }
    refused(&with("nbf", json!(NOW + 1)), Refusal::NotYet);
    valid(&with("nbf", json!(NOW)));
    valid(&with("unknown", json!({"a": [1]})));
}

#[test]
fn repeated_claims_are_refused_whichever_would_win() {
    let inner = claims().to_string();
    let inner = inner.trim_start_matches('{');
    for doubled in [
        r#""aud":"https://other.example/mcp""#,
        r#""exp":1"#,
        r#""scope":"vault""#,
        r#""sub":"owner""#,
        r#""\u0061ud":"https://other.example/mcp""#,
    ] {
        refused(&raw(HEADER, &format!("{{{doubled},{inner}")), Refusal::Claims);
    }
    refused(&raw(HEADER, &format!(r#"{{"rights":["read"],"rights":["delete"],{inner}"#)), Refusal::Claims);
}

#[test]
fn payloads_that_are_no_claims_are_refused() {
    for payload in ["", "null", "[]", "1", "\"x\"", "{}", "{", "{}{}", "\u{feff}{}"] {
        refused(&raw(HEADER, payload), Refusal::Claims);
    }
    refused(&raw(HEADER, &claims().to_string()).replace('.', ".."), Refusal::Malformed);
    // Deep nesting: passed over without recursion in an unknown claim, no value of a known one.
    let deep = format!("{}{}", "[".repeat(900), "]".repeat(900));
    let rest = claims().to_string();
    let rest = rest.trim_start_matches('{');
    valid(&raw(HEADER, &format!(r#"{{"deep":{deep},{rest}"#)));
    refused(&raw(HEADER, &format!(r#"{{"folders":{deep},{rest}"#)), Refusal::Claims);
    let in_header = raw(&format!(r#"{{"alg":"HS256","deep":{deep}}}"#), &claims().to_string());
    assert!(matches!(key().verify(&in_header, NOW), Verdict::Refused(_)));
    // Not UTF-8.
    let message =
        format!("{}.{}", URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode(b"{\"sub\":\"\xff\"}"));
    refused(
        &format!("{message}.{}", URL_SAFE_NO_PAD.encode(hmac::<Hmac<Sha256>>(&message))),
        Refusal::Claims,
    );
    // A token within a token.
    let nested = raw(HEADER, &claims().to_string());
    refused(&raw(HEADER, &nested), Refusal::Claims);
    refused(&raw(r#"{"alg":"HS256","cty":"JWT"}"#, &nested), Refusal::Header);
}

#[test]
fn only_the_canonical_encoding_is_read() {
    let payload = claims().to_string();
    let good = raw(HEADER, &payload);
    for other in [
        format!("{good}="),
        format!("{good}=="),
        format!("{good}\n"),
        format!(" {good}"),
        format!("{good}."),
        format!(".{good}"),
        format!("{good}.{good}"),
        good.replace('.', "%2E"),
        good.replacen('.', "", 1),
        good.split('.').take(2).collect::<Vec<_>>().join("."),
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "...".to_owned(),
        "a.b.c".to_owned(),
        "ümlaut.ümlaut.ümlaut".to_owned(),
    ] {
        assert!(matches!(key().verify(&other, NOW), Verdict::Refused(_)), "{other:?}");
    }
    // Padded and standard base64, signed as such.
    for engine in [&URL_SAFE, &STANDARD] {
        let payload = format!("{}   ", claims()).replace("client-1", "??>>~~");
        let message = format!("{}.{}", engine.encode(format!("{HEADER} ")), engine.encode(payload));
        let token = format!("{message}.{}", engine.encode(hmac::<Hmac<Sha256>>(&message)));
        assert!(matches!(key().verify(&token, NOW), Verdict::Refused(_)), "{token}");
    }
    // The same signature with other unused bits in its last character.
    let last = good.chars().last().unwrap();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let place = alphabet.find(last).unwrap();
    let twin = alphabet.chars().nth(place ^ 1).unwrap();
    refused(&format!("{}{twin}", &good[..good.len() - 1]), Refusal::Malformed);
}

#[test]
fn huge_tokens_are_not_looked_at() {
    refused(&"a".repeat(MAX_TOKEN_BYTES + 1), Refusal::TooLong);
    refused(&with("unknown", json!("x".repeat(MAX_TOKEN_BYTES))), Refusal::TooLong);
    let mut claims = Claims::new("c", NOW, NOW + 60);
    claims.limits.folders = Some(vec!["x".repeat(MAX_TOKEN_BYTES)]);
    assert_eq!(key().sign(&claims).unwrap_err(), SignError::TooLong);
}

#[test]
fn limits_that_limit_nothing_sensible_are_not_signed() {
    for limits in [
        Limits { rights: Some(vec![]), folders: None },
        Limits { rights: None, folders: Some(vec![]) },
        Limits { rights: None, folders: Some(vec!["A".to_owned(), String::new()]) },
    ] {
        let claims = Claims { limits, ..Claims::new("c", NOW, NOW + 60) };
        assert_eq!(key().sign(&claims).unwrap_err(), SignError::EmptyLimits);
    }
}

#[test]
fn an_empty_secret_is_no_key() {
    let origin = PublicOrigin::parse("https://vault.example.com").unwrap();
    assert_eq!(AccessKey::new(&Secret::new(""), &origin).unwrap_err(), KeyError::Empty);
}

#[test]
fn the_key_is_printed_by_nothing() {
    let printed = format!("{:?}", key());
    assert!(printed.contains("https://vault.example.com/mcp") && !printed.contains(SECRET), "{printed}");
}

#[test]
fn scopes_are_whole_words() {
    for (scope, has) in [
        ("vault", true),
        ("a vault b", true),
        ("", false),
        ("vaults", false),
        ("Vault", false),
        ("vault:read", false),
    ] {
        let claims = Claims { scope: scope.to_owned(), ..Claims::new("c", 0, 0) };
        assert_eq!(claims.has_scope("vault"), has, "{scope:?}");
    }
}

fn any_claims() -> impl Strategy<Value = Claims> {
    let right = prop::sample::select(vec![Right::Read, Right::Write, Right::Delete]);
    let rights = prop::option::of(prop::collection::vec(right, 1..4));
    let folders = prop::option::of(prop::collection::vec("\\PC{1,20}", 1..4));
    let text = "\\PC{0,30}";
    (
        text,
        text,
        prop::option::of(any::<u64>()),
        any::<u64>(),
        prop::option::of(text),
        prop::option::of(text),
        rights,
        folders,
    )
        .prop_map(|(subject, scope, issued_at, expires_at, id, grant, rights, folders)| Claims {
            subject,
            scope,
            issued_at,
            expires_at,
            id,
            grant,
            limits: Limits { rights, folders },
        })
}

proptest! {
    #[test]
    fn what_is_signed_is_read_back(claims in any_claims(), now in any::<u64>()) {
        let token = key().sign(&claims).unwrap();
        prop_assert!(vault_cortex_token::is_token(token.expose()));
        let expected = if now < claims.expires_at { Verdict::Valid(claims) } else { Verdict::Expired(claims) };
        prop_assert_eq!(key().verify(token.expose(), now), expected);
    }

    #[test]
    fn any_bit_that_is_flipped_spoils_the_token(claims in any_claims(), place in any::<prop::sample::Index>(), bit in 0..8u32) {
        let mut bytes = key().sign(&claims).unwrap().expose().as_bytes().to_vec();
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
        if let Ok(token) = std::str::from_utf8(&bytes) {
            prop_assert!(matches!(key().verify(token, 0), Verdict::Refused(_)));
        }
    }

    #[test]
    fn any_text_is_refused(token in "\\PC{0,200}|[A-Za-z0-9_-]{0,60}[.][A-Za-z0-9_-]{0,60}[.][A-Za-z0-9_-]{0,60}", now in any::<u64>()) {
        prop_assert!(matches!(key().verify(&token, now), Verdict::Refused(_)));
    }

    #[test]
    fn signed_nonsense_never_panics(header in "\\PC{0,60}", payload in "\\PC{0,120}", now in any::<u64>()) {
        prop_assert!(matches!(key().verify(&raw(&header, &payload), now), Verdict::Refused(_)));
        prop_assert!(matches!(key().verify(&raw(HEADER, &payload), now), Verdict::Refused(_)));
    }
}

#[test]
fn every_single_bit_of_one_token() {
    let token = key().sign(&Claims { id: Some("id".to_owned()), ..Claims::new("c", NOW, NOW + 60) }).unwrap();
    for place in 0..token.expose().len() {
        for bit in 0..8 {
            let mut bytes = token.expose().as_bytes().to_vec();
            bytes[place] ^= 1 << bit;
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            assert!(matches!(key().verify(text, NOW), Verdict::Refused(_)), "byte {place}, bit {bit}");
        }
    }
}
