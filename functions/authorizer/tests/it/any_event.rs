//! What holds for every event.

use authorizer::{Authorizer, Decision, Settings, read_event};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::rows::event;
use crate::signing::{SECRET, URL};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("\\PC{0,8}", inner), 0..4).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

fn authorizer() -> Authorizer {
    Authorizer::new(&Settings::new(Some(SECRET), Some(URL)).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn without_a_token_nothing_passes_to_a_protected_route(event in any_json(), now in any::<u64>()) {
        prop_assert!(!authorizer().decide(&event, now).allows());
    }

    #[test]
    fn whatever_a_member_of_the_event_is_the_answer_is_a_decision(
        name in prop::sample::select(vec!["version", "type", "rawPath", "headers", "cookies", "requestContext"]),
        value in any_json(),
    ) {
        let mut event = event("/mcp", &json!({"authorization": "Bearer wrong"}));
        event[name] = value;
        let grounds = authorizer().decide(&event, 0);
        prop_assert!(!grounds.allows());
        let answer = serde_json::to_value(Decision::from(grounds)).unwrap();
        prop_assert_eq!(&answer["isAuthorized"], &json!(false));
        prop_assert_eq!(&answer["context"]["grounds"], &json!(grounds.name()));
    }

    #[test]
    fn any_bytes_are_an_event(body in prop::collection::vec(any::<u8>(), 0..64)) {
        prop_assert!(!authorizer().decide(&read_event(&body), 0).allows());
    }

    #[test]
    fn no_path_opens_the_endpoint(prefix in "/(.well-known|oauth|status|files)/", middle in "[./%2eEfF;\\\\]{1,8}", suffix in "mcp") {
        let path = format!("{prefix}{middle}{suffix}");
        let grounds = authorizer().decide(&event(&path, &json!({})), 0);
        if grounds.allows() {
            // Then it means what it says: decoding changes nothing that leads elsewhere.
            let lower = path.to_ascii_lowercase();
            prop_assert!(!lower.contains("%2e") && !lower.contains("%2f") && !lower.contains('\\') && !lower.contains(';'));
            prop_assert!(path.split('/').all(|segment| segment != ".." && segment != "."));
        }
    }
}
