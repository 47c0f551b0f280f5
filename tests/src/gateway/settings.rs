//! What Terraform plans: routes, authorizer, the way to the host, throttle. `plan.json` beside this file is an
//! extract of the plan, written and compared by `make infra-test`; nothing of it is repeated in the code.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

const PLAN: &str = include_str!("plan.json");

/// Whether a route asks the authorizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It goes to the host at once.
    Open,
    /// The authorizer is asked first.
    Protected,
}

/// One route: the key that Terraform gives it, and who may use it.
#[derive(Clone, Debug)]
pub struct Route {
    /// `ANY /path`, `ANY /path/{proxy+}` or `$default`.
    pub key: String,
    /// Whether the authorizer is asked.
    pub access: Access,
}

/// The settings of one HTTP API.
#[derive(Clone, Debug)]
pub struct Settings {
    routes: Vec<Route>,
    /// Lower-case names of the headers without which a protected route answers 401 by itself.
    pub(super) identity_headers: Vec<String>,
    /// How long an answer of the authorizer is remembered.
    pub(super) result_lifetime: Duration,
    /// How long the host may take.
    pub integration_patience: Duration,
    /// How long the authorizer may take: the gateway's own limit, which is no setting.
    pub authorizer_patience: Duration,
    /// Requests at once, and a second.
    pub(super) throttle: (f64, f64),
}

impl Settings {
    /// As planned. What the stand-in does not know to do is a failure, never passed over.
    pub(super) fn planned() -> Self {
        Self::read(&serde_json::from_str(PLAN).expect("plan.json is JSON"))
    }

    fn read(plan: &Value) -> Self {
        let authorizer = &plan["authorizer"];
        assert_eq!(authorizer["authorizer_type"], "REQUEST");
        assert_eq!(authorizer["authorizer_payload_format_version"], "2.0");
        assert_eq!(authorizer["enable_simple_responses"], true);
        let integration = &plan["integration"];
        assert_eq!(integration["integration_type"], "HTTP_PROXY");
        assert_eq!(integration["integration_method"], "ANY");
        let parameters: BTreeMap<String, String> =
            serde_json::from_value(integration["request_parameters"].clone()).expect("names and values");
        let path = parameters.get("overwrite:path").map(String::as_str);
        assert!(
            parameters.len() == 1 && path == Some("$request.path"),
            "only the path is passed: {parameters:?}"
        );
        let number = |value: &Value| value.as_f64().expect("a number");
        let milliseconds = integration["timeout_milliseconds"].as_u64().expect("milliseconds");
        assert!((50..=30_000).contains(&milliseconds), "the gateway refuses {milliseconds} ms");
        let planned = plan["routes"].as_object().expect("routes");
        let identity = authorizer["identity_sources"].as_array().expect("identity sources");
        Self {
            routes: planned.iter().map(|(key, access)| Route::read(key, access)).collect(),
            identity_headers: identity.iter().map(identity_header).collect(),
            result_lifetime: Duration::from_secs(
                authorizer["authorizer_result_ttl_in_seconds"].as_u64().expect("seconds"),
            ),
            integration_patience: Duration::from_millis(milliseconds),
            authorizer_patience: Duration::from_secs(10),
            throttle: (
                number(&plan["throttle"]["throttling_burst_limit"]),
                number(&plan["throttle"]["throttling_rate_limit"]),
            ),
        }
    }

    /// All routes.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The route of a request: the exact path, else the longest greedy one, else `$default`.
    pub(super) fn route(&self, path: &str) -> Option<&Route> {
        let exact = self.routes.iter().find(|route| route.path() == Some(path));
        let greedy = || {
            let below = |route: &&Route| {
                route.folder().is_some_and(|folder| path.len() > folder.len() && path.starts_with(folder))
            };
            self.routes.iter().filter(below).max_by_key(|route| route.key.len())
        };
        exact.or_else(greedy).or_else(|| self.routes.iter().find(|route| route.key == "$default"))
    }
}

impl Route {
    fn read(key: &str, access: &Value) -> Self {
        let access = match access.as_str() {
            Some("NONE") => Access::Open,
            Some("CUSTOM") => Access::Protected,
            other => panic!("{key}: the stand-in does not know {other:?}"),
        };
        let route = Self { key: key.to_owned(), access };
        let known =
            key == "$default" || route.folder().or(route.path()).is_some_and(|path| !path.contains('{'));
        assert!(known, "the stand-in does not know routes like {key}");
        route
    }

    fn path(&self) -> Option<&str> {
        self.key.strip_prefix("ANY ")
    }

    fn folder(&self) -> Option<&str> {
        self.path()?.strip_suffix("{proxy+}")
    }
}

fn identity_header(source: &Value) -> String {
    let source = source.as_str().expect("text");
    let name =
        source.strip_prefix("$request.header.").unwrap_or_else(|| panic!("unknown identity source {source}"));
    name.to_ascii_lowercase()
}
