//! `vault_list_property_keys`, `vault_list_property_values` and `vault_search_by_property`.

use harness::{TestServer, TestVault};
use serde_json::json;

use crate::fixtures;

#[test]
fn keys_are_listed_with_counts_and_samples() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let answer = server.call("vault_list_property_keys", json!({}));
    let keys = answer.text_json();
    assert_eq!(
        keys[0],
        json!({"key": "tags", "count": 3, "sample_values": ["homelab", "person", "project"]})
    );
    let effort = keys.as_array().unwrap().iter().find(|row| row["key"] == "effort").unwrap();
    assert_eq!(*effort, json!({"key": "effort", "count": 1, "sample_values": ["3"]}));
    assert_eq!(answer.structured()["keys"], keys);
    assert_eq!(answer.structured()["total"], keys.as_array().unwrap().len());
    let projects = server.call("vault_list_property_keys", json!({"folder": "projects"})).text_json();
    assert_eq!(projects.as_array().unwrap().len(), 4);
    assert!(server.call("vault_list_property_keys", json!({"folder": "../x"})).is_error());
}

#[test]
fn values_are_counted_before_the_limit() {
    let vault = (0..30).fold(TestVault::new(), |vault, number| {
        vault.note(&format!("{number}.md"), &format!("---\nk: [{}, common]\n---\n", number % 10))
    });
    let server = TestServer::start().with_vault(vault).ready();
    let answer = server.call("vault_list_property_values", json!({"key": "K", "limit": 2}));
    let first = json!([{"value": "common", "count": 30}, {"value": "0", "count": 3}]);
    assert_eq!(answer.blocks(), [first.to_string().as_str(), "9 more values (continue with offset: 2)"]);
    assert_eq!(answer.structured()["total"], 11);
    assert_eq!(
        answer.structured()["left_out"],
        json!({"count": 9, "unit": "values", "continue_with": {"offset": 2}})
    );
    let rest = server.call("vault_list_property_values", json!({"key": "k", "offset": 10}));
    assert_eq!(rest.text_json(), json!([{"value": "9", "count": 3}]));
    assert_eq!(server.call("vault_list_property_values", json!({"key": "x"})).text_json(), json!([]));
    assert!(server.call("vault_list_property_values", json!({"key": ""})).is_error());
}

#[test]
fn notes_are_found_by_text_number_and_checkbox() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let howto = ["howto/renew-wildcard-certificate.md"];
    let found = |key: &str, value: &str| {
        server.call("vault_search_by_property", json!({"key": key, "value": value})).list("notes", "path")
    };
    for (key, value) in [
        ("effort", "3"),
        ("EFFORT", "03"),
        ("effort", "3.0"),
        ("done", "true"),
        ("done", "1"),
        ("steps", "wait"),
    ] {
        assert_eq!(found(key, value), howto, "{key}: {value}");
    }
    for (key, value) in [("effort", "4"), ("done", "false"), ("steps", "Wait"), ("steps", "wai"), ("x", "y")]
    {
        assert_eq!(found(key, value), [""; 0], "{key}: {value}");
    }
    let within = json!({"key": "type", "value": "project", "folder": "howto"});
    assert_eq!(server.call("vault_search_by_property", within).structured()["total"], 0);
}
