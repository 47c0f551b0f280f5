//! Real clients through the gateway, from discovery to revocation, and with the static token.

use harness::{Edge, RealClient, TestServer, TestVault};
use serde_json::{Value, json};

use super::owner::Owner;

fn edge() -> Edge {
    let vault = TestVault::new().note("Bread.md", "# Bread\n\nsourdough\n");
    Edge::start(TestServer::start().with_vault(vault).with_env("ACCESS_TOKEN_TTL", "4s"))
}

#[track_caller]
fn with_the_static_token(client: RealClient) {
    if !client.is_installed() {
        return;
    }
    let edge = edge();
    let done = client.session(&[&edge.endpoint(), edge.server().token()], |address| {
        panic!("a client with a token wants {address} opened")
    });
    assert_eq!((&done["found"], &done["wrote"]), (&json!("Bread.md"), &json!(true)), "{client:?}: {done}");
    assert!(done["tools"].as_u64().is_some_and(|count| count > 10), "{client:?}: {done}");
    edge.server().vault().accept();
}

#[track_caller]
fn by_oauth(client: RealClient, access: &str) {
    if !client.is_installed() {
        return;
    }
    let edge = edge();
    let owner = Owner::sit_down();
    let done = client.session(&[&edge.endpoint()], |address| owner.approve(&edge, address, access));
    println!("{client:?}: {done}");
    assert_eq!(done["wrote"], access == "full", "{client:?}: {done}");
    edge.server().vault().accept();
    assert!(done["tools"].as_u64().is_some_and(|count| count > 10), "{client:?}: {done}");
    assert_eq!(done["found"], "Bread.md", "{client:?}: {done}");
    assert_eq!(done["state"], true, "{client:?}: {done}");
    assert_eq!(done["iss"], format!("{}/", edge.gateway().url()), "{client:?}: {done}");
    // Four calls that all find their token expired: none is lost, however many of them renewed it.
    assert_eq!(
        done["after_expiry"],
        json!(["Bread.md", "Bread.md", "Bread.md", "Bread.md"]),
        "{client:?}: {done}"
    );
    assert_eq!(done["renewed"], true, "{client:?}: {done}");
    assert_eq!(done["revocation"], 200, "{client:?}: {done}");
    assert_eq!(done["after_revocation"].get("path"), None, "{client:?}: {done}");
    assert_eq!(done["asked_again"], true, "{client:?}: {done}");
    let reused = edge.server().log().iter().any(|line| line.is_event("oauth_refresh_token_reuse"));
    assert!(!reused, "{client:?}: an honest client is taken for a thief");
}

#[test]
fn python_1_with_the_static_token() {
    with_the_static_token(RealClient::Python1);
}

#[test]
fn python_2_with_the_static_token() {
    with_the_static_token(RealClient::Python2);
}

#[test]
fn typescript_1_with_the_static_token() {
    with_the_static_token(RealClient::TypeScript1);
}

#[test]
fn typescript_2_with_the_static_token() {
    with_the_static_token(RealClient::TypeScript2);
}

#[test]
fn python_1_by_oauth() {
    by_oauth(RealClient::Python1, "full");
}

#[test]
fn python_2_by_oauth() {
    by_oauth(RealClient::Python2, "full");
}

#[test]
fn typescript_1_by_oauth() {
    by_oauth(RealClient::TypeScript1, "full");
}

#[test]
fn typescript_2_by_oauth() {
    by_oauth(RealClient::TypeScript2, "full");
}

/// The owner lets it read only: its writing call is refused in a way that it hands on.
#[test]
fn clients_that_may_only_read() {
    for client in [RealClient::TypeScript2, RealClient::Python2] {
        by_oauth(client, "read");
    }
}

/// A token that the owner made on the command line, for one folder and for reading: what is beyond it is refused
/// in words that every client hands on, and what is hidden is not found. Revoked, it ends with the next call.
#[track_caller]
fn with_a_limited_token(client: RealClient) {
    if !client.is_installed() {
        return;
    }
    let vault = TestVault::new()
        .note("Hidden/Bread.md", "# Bread\n\nsourdough, more sourdough than anywhere\n")
        .note("Open/Rolls.md", "# Rolls\n\nsourdough\n");
    let edge = Edge::start(TestServer::start().with_vault(vault));
    let arguments = ["token", "create", "--name", "guest", "--read-only", "--folder", "Open"];
    let token = edge.server().settings().command(&arguments).success().stdout.trim().to_owned();
    let session =
        || client.session(&[&edge.endpoint(), &token], |address| panic!("{address} is to be opened"));
    let done = session();
    assert_eq!(
        (&done["found"], &done["wrote"]),
        (&json!("Open/Rolls.md"), &json!(false)),
        "{client:?}: {done}"
    );
    assert!(done["said"].as_str().is_some_and(|said| said.contains("not permitted")), "{client:?}: {done}");

    edge.server().settings().command(&["token", "revoke", "guest"]).success();
    let response = edge.send(&edge.list_tools_with(&token));
    assert_eq!(response.status, 401, "{}", response.text());
    assert!(
        response
            .header("x-amzn-remapped-www-authenticate")
            .is_some_and(|text| text.contains("invalid_token"))
    );
}

#[test]
fn python_1_with_a_limited_token() {
    with_a_limited_token(RealClient::Python1);
}

#[test]
fn python_2_with_a_limited_token() {
    with_a_limited_token(RealClient::Python2);
}

#[test]
fn typescript_1_with_a_limited_token() {
    with_a_limited_token(RealClient::TypeScript1);
}

#[test]
fn typescript_2_with_a_limited_token() {
    with_a_limited_token(RealClient::TypeScript2);
}

/// The Inspector's command line, in both of its protocol eras.
#[test]
fn the_inspector_with_the_static_token() {
    if !RealClient::Inspector.is_installed() {
        return;
    }
    let edge = edge();
    let authorization = format!("Authorization: Bearer {}", edge.server().token());
    for era in ["legacy", "modern"] {
        let inspect = |words: &[&str]| {
            let endpoint = edge.endpoint();
            let mut arguments = vec![endpoint.as_str(), "--transport", "http", "--protocol-era", era];
            arguments.extend([
                "--stored-auth-only",
                "--format",
                "json",
                "--quiet",
                "--header",
                &authorization,
            ]);
            arguments.extend(words);
            RealClient::Inspector.run(&arguments)
        };
        let tools = inspect(&["--method", "tools/list", "--strict"]).unwrap();
        let tools: Value = serde_json::from_str(&tools).unwrap_or_else(|error| panic!("{error}: {tools}"));
        assert!(tools.to_string().contains("vault_search"), "{era}: {tools}");
        let found = inspect(&[
            "--method",
            "tools/call",
            "--tool-name",
            "vault_search",
            "--tool-arg",
            "query=sourdough",
        ]);
        assert!(found.as_ref().is_ok_and(|found| found.contains("Bread.md")), "{era}: {found:?}");
    }
    // Without a token it knows that there is something to log in to.
    let refused = RealClient::Inspector.run(&[
        &edge.endpoint(),
        "--transport",
        "http",
        "--stored-auth-only",
        "--format",
        "json",
        "--method",
        "tools/list",
    ]);
    assert!(refused.as_ref().is_err_and(|text| text.contains("auth_required")), "{refused:?}");
}

/// It registers, has the owner let it in, and lists the tools, all in one run.
#[test]
fn the_inspector_by_oauth() {
    if !RealClient::Inspector.is_installed() {
        return;
    }
    let edge = edge();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let callback = format!("http://127.0.0.1:{port}/oauth/callback");
    let arguments = [
        &edge.endpoint(),
        "--transport",
        "http",
        "--callback-url",
        &callback,
        "--format",
        "json",
        "--method",
        "tools/list",
    ];
    let owner = Owner::sit_down();
    let mut asked = 0;
    let tools = RealClient::Inspector.session(&arguments, |address| {
        asked += 1;
        let back = owner.approve(&edge, address, "full");
        assert!(back.starts_with(&callback), "{back}");
        // It listens for the browser itself.
        if !owner.has_a_browser() {
            harness::visit(&back);
        }
        back
    });
    assert_eq!(asked, 1);
    assert!(tools.to_string().contains("vault_search"), "{tools}");
}
