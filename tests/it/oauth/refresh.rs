//! Refresh tokens: rotation, the grace, and what a second use means.

use std::sync::Barrier;
use std::time::Duration;

use super::client::{
    Client, REDIRECT, Tokens, connection, error, has_logged, logs, not_logged, refused, server, settings,
    tokens_in, works,
};

/// A client's processes, or its parallel calls after expiry, use one refresh token several times at once.
#[test]
fn trap_refreshes_at_once_all_get_the_same_successor_and_no_login_is_lost() {
    const CALLERS: usize = 8;
    let server = server();
    let client = Client::public(&server);
    let first = client.tokens();
    let barrier = Barrier::new(CALLERS);
    // From one address, as all of them are in life.
    let request = client
        .refresh_request(&first.refresh, &[])
        .without_header("forwarded")
        .header("forwarded", "for=192.0.2.7");
    let all: Vec<Tokens> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CALLERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut connection = connection(&server);
                    barrier.wait();
                    tokens_in(&connection.send(&request))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for tokens in &all {
        assert_eq!(tokens.refresh, all[0].refresh);
        works(&server, &tokens.access);
    }
    let ids: std::collections::BTreeSet<_> = all.iter().map(|tokens| &tokens.access).collect();
    assert_eq!(ids.len(), CALLERS, "each has an access token of its own");
    tokens_in(&client.refresh(&all[0].refresh, &[]));
    assert!(!has_logged(&server, "oauth_refresh_token_reuse"));
}

/// After the grace the second use is a theft, of one side or the other: the grant ends for both.
#[test]
fn a_replayed_refresh_token_ends_the_grant_and_only_that() {
    let server = settings().with_env("REFRESH_GRACE", "1s").listening();
    let client = Client::public(&server);
    let (stolen, elsewhere) = (client.tokens(), client.tokens());
    let next = tokens_in(&client.refresh(&stolen.refresh, &[]));
    works(&server, &next.access);
    std::thread::sleep(Duration::from_millis(2_100));
    error(&client.refresh(&stolen.refresh, &[]), 400, "invalid_grant");
    logs(&server, "oauth_refresh_token_reuse");
    for access in [&stolen.access, &next.access] {
        refused(&server, access);
    }
    for refresh in [&stolen.refresh, &next.refresh] {
        error(&client.refresh(refresh, &[]), 400, "invalid_grant");
    }
    // The same client's other consent goes on, and so does whatever it is allowed next.
    works(&server, &elsewhere.access);
    tokens_in(&client.refresh(&elsewhere.refresh, &[]));
    works(&server, &client.tokens().access);
    not_logged(&server, &[&stolen.refresh, &next.refresh]);
}

/// Three processes of a client share one token: two refresh in turn before the third one arrives.
#[test]
fn trap_a_refresh_that_comes_two_uses_late_gets_the_current_token_within_the_grace() {
    let server = server();
    let client = Client::public(&server);
    let first = client.tokens();
    let second = tokens_in(&client.refresh(&first.refresh, &[]));
    let third = tokens_in(&client.refresh(&second.refresh, &[]));
    let late = tokens_in(&client.refresh(&first.refresh, &[]));
    assert_eq!(late.refresh, third.refresh);
    for access in [&third.access, &late.access] {
        works(&server, access);
    }
    tokens_in(&client.refresh(&third.refresh, &[]));
    assert!(!has_logged(&server, "oauth_refresh_token_reuse"));
}

#[test]
fn defect_a_refresh_token_is_no_use_to_another_client() {
    let server = server();
    let (client, other) = (Client::public(&server), Client::other(&server));
    let confidential = Client::confidential(&server);
    let tokens = client.tokens();
    for thief in [&other, &confidential] {
        error(&thief.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
    }
    // Nor without the secret where there is one, nor with another's.
    let held = confidential.tokens();
    let secret = confidential.secret.clone().unwrap();
    error(&confidential.refresh(&held.refresh, &[("client_secret", "")]), 401, "invalid_client");
    error(&confidential.refresh(&held.refresh, &[("client_secret", "wrong")]), 401, "invalid_client");
    error(&other.refresh(&held.refresh, &[("client_secret", &secret)]), 401, "invalid_client");
    // Nobody's login was lost by that.
    tokens_in(&client.refresh(&tokens.refresh, &[]));
    tokens_in(&confidential.refresh(&held.refresh, &[]));
}

#[test]
fn what_is_no_refresh_token_is_refused() {
    let server = server();
    let client = Client::public(&server);
    let tokens = client.tokens();
    let forged = format!("{}A", &tokens.refresh[..tokens.refresh.len() - 1]);
    let padded = format!("{} ", tokens.refresh);
    for wrong in ["x", "vcr_", forged.as_str(), padded.as_str(), &tokens.access, server.token()] {
        error(&client.refresh(wrong, &[]), 400, "invalid_grant");
    }
    error(&client.refresh("", &[]), 400, "invalid_request");
    // A refresh token opens nothing by itself.
    refused(&server, &tokens.refresh);
    tokens_in(&client.refresh(&tokens.refresh, &[]));
}

/// Hosted clients share few addresses: refreshes are counted by grant, not by address.
#[test]
fn trap_refreshes_of_many_grants_share_an_address() {
    let server = server();
    let client = Client::public(&server);
    let mut tokens: Vec<_> = (0..3).map(|_| client.tokens()).collect();
    for _ in 0..4 {
        for held in &mut tokens {
            let request = client
                .refresh_request(&held.refresh, &[])
                .without_header("forwarded")
                .header("forwarded", "for=160.79.104.1");
            *held = tokens_in(&server.send(&request));
        }
    }
}

/// Guesses of a refresh token are limited by address, and so are failures with a right one.
#[test]
fn guesses_at_the_token_endpoint_are_limited() {
    let server = server();
    let client = Client::confidential(&server);
    let tokens = client.tokens();
    let from = |address: &str, token: &str, secret: &str| {
        let request = client
            .refresh_request(token, &[("client_secret", secret)])
            .without_header("forwarded")
            .header("forwarded", &format!("for={address}"));
        server.send(&request)
    };
    for _ in 0..5 {
        error(&from("192.0.2.1", "vcr_guess", "x"), 401, "invalid_client");
        error(&from("192.0.2.2", &tokens.refresh, "guess"), 401, "invalid_client");
    }
    error(&from("192.0.2.1", "vcr_guess", "x"), 429, "too_many_requests");
    error(&from("192.0.2.2", &tokens.refresh, "guess"), 429, "too_many_requests");
    let secret = client.secret.clone().unwrap();
    tokens_in(&from("192.0.2.1", &tokens.refresh, &secret));
}

/// A client that was registered and forgotten is told so in the way upon which clients register anew.
#[test]
fn trap_an_unknown_client_is_a_401() {
    let server = server();
    let client = Client::public(&server);
    let tokens = client.tokens();
    let gone =
        Client { server: &server, id: "client_gone".to_owned(), secret: None, redirect: REDIRECT.to_owned() };
    error(&gone.refresh(&tokens.refresh, &[]), 401, "invalid_client");
}
