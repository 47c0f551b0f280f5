//! The stand-in's settings are Terraform's. `make infra-test` compares them with a real plan; here, where
//! Terraform may be missing, with what can be read in the configuration itself.

use std::collections::BTreeSet;

use harness::{Access, Gateway, repository_root};

fn configuration(name: &str) -> String {
    std::fs::read_to_string(repository_root().join("infra").join(name)).unwrap()
}

/// The quoted texts between `start` and the next `]`.
fn list(text: &str, start: &str) -> BTreeSet<String> {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start:?}"));
    let (inside, _) = rest.split_once(']').unwrap();
    inside.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_routes_are_those_of_the_configuration() {
    let locals = configuration("locals.tf");
    let open: BTreeSet<_> =
        list(&locals, "open_paths = [").iter().map(|path| format!("ANY {path}")).collect();
    let protected = list(&locals, "protected_routes = toset([");
    let gateway = Gateway::open();
    let settings = gateway.settings();
    let of = |access| -> BTreeSet<_> {
        settings
            .routes()
            .iter()
            .filter(|route| route.access == access)
            .map(|route| route.key.clone())
            .collect()
    };
    let advice = "UPDATE_EDGE=1 make infra-test";
    assert_eq!(of(Access::Open), open, "{advice}");
    assert_eq!(of(Access::Protected), protected, "{advice}");
}

#[test]
fn the_numbers_are_those_of_the_configuration() {
    let plan: serde_json::Value = serde_json::from_str(
        &std::fs::read_to_string(repository_root().join("tests/src/gateway/plan.json")).unwrap(),
    )
    .unwrap();
    let texts = format!("{}{}", configuration("authorizer.tf"), configuration("gateway.tf"));
    for (group, name) in [
        ("authorizer", "authorizer_result_ttl_in_seconds"),
        ("integration", "timeout_milliseconds"),
        ("throttle", "throttling_burst_limit"),
        ("throttle", "throttling_rate_limit"),
    ] {
        let line = texts.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        let written = line.rsplit('=').next().unwrap().trim();
        assert_eq!(plan[group][name].to_string(), written, "{name}: UPDATE_EDGE=1 make infra-test");
    }
}
