//! The event that the authorizer gets: a request in payload format 2.0, as "Control access to HTTP APIs with AWS
//! Lambda authorizers" in the Amazon API Gateway developer guide shows it.

use std::net::IpAddr;

use serde_json::{Map, Value, json};

use super::settings::Route;
use super::wire::Incoming;

/// The event of one request.
pub(super) fn of(request: &Incoming, route: &Route, client: IpAddr, identity: &[String], id: &str) -> Value {
    let host = request.header("host").unwrap_or_default();
    let mut event = json!({
        "version": "2.0",
        "type": "REQUEST",
        "routeArn": format!("arn:aws:execute-api:eu-central-1:123456789012:abcdef1234/$default/{}{}", request.method, request.path()),
        "identitySource": identity,
        "routeKey": route.key,
        "rawPath": request.path(),
        "rawQueryString": request.query(),
        "headers": headers(request, client),
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abcdef1234",
            "domainName": host,
            "domainPrefix": host.split('.').next(),
            "http": {
                "method": request.method,
                "path": request.path(),
                "protocol": "HTTP/1.1",
                "sourceIp": client,
                "userAgent": request.header("user-agent").unwrap_or_default(),
            },
            "requestId": id,
            "routeKey": route.key,
            "stage": "$default",
            "time": "10/Mar/2026:05:16:23 +0000",
            "timeEpoch": 1_773_119_783_000_u64,
        },
    });
    // What a request does not have is not in its event.
    if let Some(cookies) = request.header("cookie") {
        event["cookies"] = cookies.split("; ").collect();
    }
    if !request.query().is_empty() {
        event["queryStringParameters"] = parameters(request.query());
    }
    if let Some(folder) = route.key.strip_prefix("ANY ").and_then(|path| path.strip_suffix("{proxy+}")) {
        event["pathParameters"] = json!({"proxy": request.path().strip_prefix(folder)});
    }
    event
}

/// Names in lower case, repeated ones joined, cookies apart.
fn headers(request: &Incoming, client: IpAddr) -> Value {
    let mut headers = Map::new();
    for (name, _) in &request.headers {
        let name = name.to_ascii_lowercase();
        let value = request.header(&name).unwrap_or_default();
        if name != "cookie" {
            headers.insert(name, value.into());
        }
    }
    let before = headers.get("x-forwarded-for").and_then(Value::as_str).map(|list| format!("{list}, "));
    headers.insert("x-forwarded-for".to_owned(), format!("{}{client}", before.unwrap_or_default()).into());
    headers.insert("x-forwarded-proto".to_owned(), "https".into());
    headers.insert("x-forwarded-port".to_owned(), "443".into());
    headers.into()
}

/// Repeated names are joined by commas. Escapes stay as they are: nobody here reads them.
fn parameters(query: &str) -> Value {
    let mut parameters = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let joined = match parameters.get(name).and_then(Value::as_str) {
            Some(before) => format!("{before},{value}"),
            None => value.to_owned(),
        };
        parameters.insert(name.to_owned(), joined.into());
    }
    parameters.into()
}
