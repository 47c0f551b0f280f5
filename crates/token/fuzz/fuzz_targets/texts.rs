//! Any header value and any URL.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vault_cortex_token::{PublicOrigin, is_token, parse_bearer};

fuzz_target!(|data: &[u8]| {
    if let Ok(secret) = parse_bearer(data) {
        assert!(is_token(secret.expose()));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(origin) = PublicOrigin::parse(text) else { return };
    assert_eq!(PublicOrigin::parse(origin.as_str()).as_ref(), Ok(&origin));
    assert_eq!(PublicOrigin::parse(&origin.issuer()).as_ref(), Ok(&origin));
    assert!(origin.is_resource(text) && origin.is_resource(&origin.audience()));
});
