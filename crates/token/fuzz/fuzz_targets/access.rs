//! Any token: as it comes, and signed with the right key whatever it says, so that what lies behind the
//! signature is reached.
#![no_main]

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use libfuzzer_sys::fuzz_target;
use sha2::Sha256;
use vault_cortex_token::{AccessKey, Claims, PublicOrigin, Refusal, Secret, Verdict};

const SECRET: &str = "secret";
const NOW: u64 = 1_800_000_000;

static KEY: LazyLock<AccessKey> = LazyLock::new(|| {
    AccessKey::new(&Secret::new(SECRET), &PublicOrigin::parse("https://a.b").unwrap()).unwrap()
});

fn signed(header: &[u8], payload: &[u8]) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// What is accepted can be signed again and then says the same.
fn same_again(claims: &Claims) {
    let again = KEY.sign(claims).unwrap();
    let (Verdict::Valid(read) | Verdict::Expired(read)) = KEY.verify(again.expose(), NOW) else { panic!() };
    assert_eq!(&read, claims);
}

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        // Nobody guesses a signature.
        assert!(matches!(KEY.verify(text, NOW), Verdict::Refused(_)));
    }
    let (header, payload) = data.split_at(data.iter().position(|&byte| byte == b'\n').unwrap_or(0));
    match KEY.verify(&signed(header, payload), NOW) {
        Verdict::Valid(claims) | Verdict::Expired(claims) | Verdict::Unbound(claims) => same_again(&claims),
        Verdict::Refused(refusal) => assert_ne!(refusal, Refusal::Signature),
    }
    match KEY.verify(&signed(br#"{"alg":"HS256"}"#, data), NOW) {
        Verdict::Valid(claims) | Verdict::Expired(claims) | Verdict::Unbound(claims) => same_again(&claims),
        Verdict::Refused(refusal) => assert!(!matches!(refusal, Refusal::Signature | Refusal::Algorithm)),
    }
});
