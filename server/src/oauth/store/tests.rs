//! Of the state: races, what is stored of a token, what is kept how long.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Barrier;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use token::{Limits, Right};

use crate::oauth::client::ClientMetadata;

const GRACE: Duration = Duration::from_secs(30);
const DAY: i64 = 24 * 60 * 60;
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "https://client.example/cb";

thread_local! {
    /// The clock of a test, in seconds since 1970.
    static NOW: Cell<i64> = const { Cell::new(1_800_000_000) };
}

fn now() -> Timestamp {
    Timestamp::from_second(NOW.get()).unwrap()
}

fn wait(seconds: i64) {
    NOW.set(NOW.get() + seconds);
}

struct State {
    store: OauthStore,
    folder: TempDir,
}

impl State {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("oauth.db"), "secret").unwrap();
        Self { store, folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("oauth.db")
    }

    fn reopened(self, secret: &str) -> Self {
        let Self { store, folder } = self;
        drop(store);
        let store = open(&folder.path().join("oauth.db"), secret).unwrap();
        Self { store, folder }
    }

    fn code(&self, client: &str) -> Secret {
        self.store
            .issue_code(NewCode {
                client_id: client.to_owned(),
                redirect_uri: REDIRECT.to_owned(),
                redirect_uri_named: true,
                code_challenge: CHALLENGE.to_owned(),
                limits: Limits::default(),
            })
            .unwrap()
    }

    fn redeem(&self, code: &Secret, client: &str) -> Outcome {
        self.store.redeem(presented(code, client)).unwrap()
    }

    fn granted(&self, client: &str) -> Grant {
        match self.redeem(&self.code(client), client) {
            Outcome::Granted(grant) => grant,
            other => panic!("{other:?}"),
        }
    }

    fn refresh(&self, token: &Secret, client: &str) -> Outcome {
        self.store.refresh(token, client, GRACE).unwrap()
    }

    #[track_caller]
    fn refreshed(&self, token: &Secret) -> Secret {
        match self.refresh(token, "client") {
            Outcome::Granted(grant) => self.store.refresh_token(&grant),
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn register(&self, changes: serde_json::Value) -> Registered {
        self.store.register(&metadata(changes)).unwrap().expect("not too many")
    }

    fn judge(&self, grant: &Grant, id: &str) -> Standing {
        self.store.judge(&claims(grant, id)).unwrap()
    }

    fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        let count: Result<_, StoreError> = self
            .store
            .database()
            .unwrap()
            .read(|connection| connection.query_one(&sql, &[], |row| row.get(0)));
        count.unwrap().unwrap()
    }
}

fn open(path: &Path, secret: &str) -> Result<OauthStore, OauthStoreError> {
    OauthStore::open(path, &Secret::new(secret), now)
}

fn presented(code: &Secret, client: &str) -> Presented {
    Presented {
        code: code.clone(),
        client_id: client.to_owned(),
        redirect_uri: Some(REDIRECT.to_owned()),
        verifier: VERIFIER.to_owned(),
    }
}

fn claims(grant: &Grant, id: &str) -> Claims {
    Claims {
        id: Some(id.to_owned()),
        grant: Some(grant.id.clone()),
        limits: grant.limits.clone(),
        ..Claims::new("client", 1, 2)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best without a reference")]
fn metadata(changes: serde_json::Value) -> ClientMetadata {
    let mut all =
        json!({"client_name": "Client", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
    for (field, value) in changes.as_object().unwrap() {
        all[field] = value.clone();
    }
    ClientMetadata::of_registration(&all).unwrap()
}

#[test]
fn a_refresh_token_has_one_successor_which_is_given_again_within_the_grace() {
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let second = state.refreshed(&first);
    assert!(!second.matches(&first));
    wait(29);
    assert!(state.refreshed(&first).matches(&second), "the same successor");
    let third = state.refreshed(&second);
    assert!(!third.matches(&second));
    assert!(state.refreshed(&second).matches(&third));
    assert!(matches!(state.judge(&grant, "a"), Standing::Live(_)));
}

#[test]
fn a_refresh_token_used_after_the_grace_ends_the_grant() {
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let second = state.refreshed(&first);
    wait(30);
    assert_eq!(state.refresh(&first, "client"), Outcome::Reused);
    assert_eq!(state.judge(&grant, "a"), Standing::Revoked);
    for token in [&first, &second] {
        assert_eq!(state.refresh(token, "client"), Outcome::Unknown);
    }
}

/// Three processes of one client that share a token: two refresh in turn before the slow one arrives.
#[test]
fn a_refresh_token_two_uses_old_gives_the_current_one_within_the_grace_of_its_own_use() {
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let second = state.refreshed(&first);
    wait(20);
    let third = state.refreshed(&second);
    wait(9);
    for late in [&first, &second] {
        assert!(state.refreshed(late).matches(&third), "the current one, whichever number it has");
    }
    assert!(matches!(state.judge(&grant, "a"), Standing::Live(_)));
    // The grace is that of the token's own use, not of the grant's last one.
    wait(1);
    assert_eq!(state.refresh(&first, "client"), Outcome::Reused);
    assert_eq!(state.judge(&grant, "a"), Standing::Revoked);
    assert_eq!(state.refresh(&third, "client"), Outcome::Unknown);
}

#[test]
fn processes_that_refresh_at_once_and_in_turn_keep_their_log_in() {
    const TURNS: u64 = 20;
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let barrier = Barrier::new(3);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                barrier.wait();
                let mut token = first.clone();
                for _ in 0..TURNS {
                    token = state.refreshed(&token);
                }
            });
        }
        // One that read the token before all of them and is slow.
        scope.spawn(|| {
            for _ in 0..TURNS {
                state.refreshed(&first);
            }
        });
    });
    assert!(matches!(state.judge(&grant, "a"), Standing::Live(_)));
    let newest = state.refreshed(&first);
    wait(DAY);
    state.refreshed(&newest);
}

#[test]
fn used_refresh_tokens_do_not_fill_the_file() {
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let filled: Result<(), StoreError> =
        state.store.database().unwrap().write(Lane::Interactive, |connection| {
            connection.batch(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
             INSERT INTO refresh_tokens SELECT randomblob(32), (SELECT id FROM grants), i, 9999999999 FROM n;
             UPDATE refresh_tokens SET number = 1501 WHERE number = 1;
             UPDATE grants SET current_number = 1501;",
            )
        });
    filled.unwrap();
    state.refreshed(&first);
    assert_eq!(state.count("refresh_tokens"), 1_001);
}

#[test]
fn no_grace_is_no_grace() {
    let state = State::new();
    let first = state.store.refresh_token(&state.granted("client"));
    let refresh = |token| state.store.refresh(token, "client", Duration::ZERO).unwrap();
    assert!(matches!(refresh(&first), Outcome::Granted(_)));
    assert_eq!(refresh(&first), Outcome::Reused);
}

#[test]
fn many_threads_with_one_refresh_token_get_one_successor() {
    let state = State::new();
    let grant = state.granted("client");
    let first = state.store.refresh_token(&grant);
    let barrier = Barrier::new(16);
    let successors: Vec<Secret> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    state.refreshed(&first)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(successors.iter().all(|other| other.matches(&successors[0])));
    assert!(matches!(state.judge(&grant, "a"), Standing::Live(_)));
    assert_eq!(state.count("refresh_tokens"), 2);
}

#[test]
fn many_threads_with_one_code_get_one_grant_which_ends() {
    let state = State::new();
    let code = state.code("client");
    let barrier = Barrier::new(8);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    state.redeem(&code, "client")
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let granted: Vec<_> = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Granted(_))).collect();
    assert_eq!(granted.len(), 1, "{outcomes:?}");
    let Outcome::Granted(grant) = granted[0] else { panic!() };
    assert_eq!(state.judge(grant, "a"), Standing::Revoked);
}

#[test]
fn a_code_used_twice_ends_its_grant() {
    let state = State::new();
    let code = state.code("client");
    let Outcome::Granted(grant) = state.redeem(&code, "client") else { panic!() };
    let refresh = state.store.refresh_token(&grant);
    wait(20 * 60);
    assert_eq!(state.redeem(&code, "client"), Outcome::Reused);
    assert_eq!(state.judge(&grant, "a"), Standing::Revoked);
    assert_eq!(state.refresh(&refresh, "client"), Outcome::Unknown);
}

#[test]
fn a_code_is_bound_to_client_redirect_and_verifier_and_stays_good_when_they_are_wrong() {
    let state = State::new();
    let code = state.code("client");
    let right = presented(&code, "client");
    let with = |change: fn(&mut Presented)| {
        let mut changed = right.clone();
        change(&mut changed);
        state.store.redeem(changed).unwrap()
    };
    assert_eq!(with(|it| it.client_id = "other".to_owned()), Outcome::OtherClient);
    assert_eq!(with(|it| it.redirect_uri = Some(format!("{REDIRECT}/"))), Outcome::OtherRedirect);
    assert_eq!(with(|it| it.redirect_uri = None), Outcome::OtherRedirect);
    assert_eq!(with(|it| it.verifier = CHALLENGE.to_owned()), Outcome::WrongVerifier);
    assert_eq!(with(|it| it.code = Secret::new("vcc_x")), Outcome::Unknown);
    assert!(matches!(with(|_| ()), Outcome::Granted(_)));
}

#[test]
fn a_code_lives_ten_minutes() {
    let state = State::new();
    let (early, late) = (state.code("client"), state.code("client"));
    wait(599);
    assert!(matches!(state.redeem(&early, "client"), Outcome::Granted(_)));
    wait(1);
    assert_eq!(state.redeem(&late, "client"), Outcome::Unknown);
}

#[test]
fn another_clients_refresh_token_is_no_use_and_does_no_harm() {
    let state = State::new();
    let token = state.store.refresh_token(&state.granted("client"));
    assert_eq!(state.refresh(&token, "other"), Outcome::OtherClient);
    assert!(!state.store.revoke_refresh(&token, "other").unwrap());
    state.refreshed(&token);
}

#[test]
fn refresh_tokens_slide_and_expire() {
    let state = State::new();
    let mut token = state.store.refresh_token(&state.granted("client"));
    for _ in 0..4 {
        wait(59 * DAY);
        token = state.refreshed(&token);
    }
    wait(60 * DAY);
    assert_eq!(state.refresh(&token, "client"), Outcome::Unknown);
    state.code("client");
    assert_eq!((state.count("grants"), state.count("refresh_tokens")), (0, 0));
}

#[test]
fn revoking_a_refresh_token_ends_its_grant_and_an_access_token_itself() {
    let state = State::new();
    let (one, other) = (state.granted("client"), state.granted("client"));
    assert!(state.store.revoke_access(&claims(&one, "a"), "client").unwrap());
    assert!(!state.store.revoke_access(&claims(&one, "b"), "other").unwrap());
    assert_eq!(state.judge(&one, "a"), Standing::Revoked);
    assert!(matches!(state.judge(&one, "b"), Standing::Live(_)));
    assert!(state.store.revoke_refresh(&state.store.refresh_token(&one), "client").unwrap());
    assert_eq!(state.judge(&one, "b"), Standing::Revoked);
    assert!(matches!(state.judge(&other, "a"), Standing::Live(_)), "other consents go on");
}

#[test]
fn a_token_of_no_grant_here_is_unknown() {
    let state = State::new();
    let mut grant = state.granted("client");
    let of_other = Claims { subject: "other".to_owned(), ..claims(&grant, "a") };
    assert_eq!(state.store.judge(&of_other).unwrap(), Standing::Unknown);
    grant.id = "grant_x".to_owned();
    assert_eq!(state.judge(&grant, "a"), Standing::Unknown);
    assert_eq!(state.store.judge(&Claims::new("client", 1, 2)).unwrap(), Standing::Unknown);
}

#[test]
fn limits_are_those_of_the_consent_for_ever() {
    let state = State::new();
    let limits = Limits {
        rights: Some(vec![Right::Read]),
        folders: Some(vec!["Projects".to_owned(), "Ä".to_owned()]),
    };
    let code = state
        .store
        .issue_code(NewCode {
            client_id: "client".to_owned(),
            redirect_uri: REDIRECT.to_owned(),
            redirect_uri_named: true,
            code_challenge: CHALLENGE.to_owned(),
            limits: limits.clone(),
        })
        .unwrap();
    let Outcome::Granted(grant) = state.redeem(&code, "client") else { panic!() };
    assert_eq!(grant.limits, limits);
    let Outcome::Granted(next) = state.refresh(&state.store.refresh_token(&grant), "client") else {
        panic!()
    };
    assert_eq!(next.limits, limits);
    let Standing::Live(principal) = state.judge(&next, "a") else { panic!() };
    assert_eq!(principal.rights, Rights { read: true, write: false, delete: false });
    assert_eq!(principal.folders, FolderScope::Only(limits.folders.unwrap()));
}

#[test]
fn public_clients_register_once_and_others_get_a_secret_each_time() {
    let state = State::new();
    let register = |changes| state.register(changes);
    let first = register(json!({}));
    assert!(first.secret.is_none());
    wait(60);
    let again = register(json!({}));
    assert_eq!((&again.id, again.issued_at), (&first.id, first.issued_at));
    for changes in [json!({"client_name": "Other"}), json!({"redirect_uris": ["https://other.example/"]})] {
        assert_ne!(register(changes).id, first.id);
    }
    let secret = |method: &str| register(json!({"token_endpoint_auth_method": method}));
    let (one, other) = (secret("client_secret_post"), secret("client_secret_post"));
    assert_ne!(one.id, other.id);
    let stored = state.store.client(&one.id).unwrap().unwrap();
    assert!(stored.is_secret(one.secret.as_ref().unwrap().expose()));
    assert!(!stored.is_secret(other.secret.unwrap().expose()) && !stored.is_secret(""));
    assert!(!state.store.client(&first.id).unwrap().unwrap().is_secret(""));
}

#[test]
fn clients_that_never_got_a_consent_are_swept_after_a_week_and_others_when_their_last_token_expires() {
    let state = State::new();
    let unused = state.register(json!({"client_name": "unused"})).id;
    let used = state.register(json!({"client_name": "used"})).id;
    let refresh = state.store.refresh_token(&state.granted(&used));
    let known = |id: &str| state.store.client(id).unwrap().is_some();
    wait(7 * DAY + 1);
    state.register(json!({"client_name": "new"}));
    assert!(!known(&unused) && known(&used));
    wait(50 * DAY);
    assert!(matches!(state.refresh(&refresh, &used), Outcome::Granted(_)));
    wait(59 * DAY);
    state.register(json!({"client_name": "newer"}));
    assert!(known(&used));
    wait(DAY + 1);
    state.register(json!({"client_name": "newest"}));
    assert!(!known(&used));
}

#[test]
fn new_clients_are_counted_whoever_registers_them_and_known_ones_are_not() {
    let state = State::new();
    let known = state.register(json!({"client_name": "known"})).id;
    for number in 1..30 {
        state.register(json!({"client_name": format!("flood {number}")}));
    }
    let refused = |changes| state.store.register(&metadata(changes)).unwrap().is_none();
    assert!(refused(json!({"client_name": "one more"})));
    assert!(refused(json!({"token_endpoint_auth_method": "client_secret_post"})));
    assert_eq!(state.register(json!({"client_name": "known"})).id, known);
    assert_eq!(state.count("clients"), 30);
    wait(60);
    state.register(json!({"client_name": "one more"}));
    // A clock that is set back leaves rows of the future.
    wait(-3_600);
    state.register(json!({"client_name": "earlier"}));
}

#[test]
fn a_flood_puts_out_no_client_that_registered_within_the_hour_or_has_a_grant() {
    let state = State::new();
    let used = state.register(json!({"client_name": "used"})).id;
    state.granted(&used);
    wait(2 * 60 * 60);
    let old = state.register(json!({"client_name": "old"})).id;
    wait(60);
    let new = state.register(json!({"client_name": "new"})).id;
    wait(60 * 60 - 1);
    let flood = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO clients SELECT 'flood_' || i, NULL, '[]', 'none', NULL, NULL, {0}, {0} FROM n",
        NOW.get() - 100
    );
    let filled: Result<(), StoreError> =
        state.store.database().unwrap().write(Lane::Interactive, move |connection| connection.batch(&flood));
    filled.unwrap();
    let known = |id: &str| state.store.client(id).unwrap().is_some();
    state.register(json!({"client_name": "next"}));
    assert!(known(&used) && known(&new) && !known(&old));
    wait(60 * 60);
    state.register(json!({"client_name": "after"}));
    assert!(known(&used) && !known(&new));
    assert_eq!(state.count("clients"), 2_000 + 2, "the newest, the one with a grant, and the one that came");
}

#[test]
fn a_file_of_the_first_format_keeps_its_clients_and_their_log_in() {
    let state = State::new();
    let client = state.register(json!({"client_name": "Claude"}));
    let grant = state.granted(&client.id);
    let older: Result<(), StoreError> =
        state.store.database().unwrap().write(Lane::Interactive, |connection| {
            connection.batch(
                "DROP INDEX clients_by_registration;
                 ALTER TABLE clients ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
                 PRAGMA user_version = 1;",
            )
        });
    older.unwrap();
    let state = state.reopened("secret");
    assert_eq!(state.register(json!({"client_name": "Claude"})).id, client.id);
    state.register(json!({"client_name": "Other"}));
    let Outcome::Granted(_) = state.refresh(&state.store.refresh_token(&grant), &client.id) else { panic!() };
}

#[test]
fn replacing_the_auth_token_ends_every_session_and_keeps_the_clients() {
    let state = State::new();
    let client = state.register(json!({"token_endpoint_auth_method": "client_secret_post"}));
    let grant = state.granted(&client.id);
    let (refresh, code) = (state.store.refresh_token(&grant), state.code(&client.id));
    wait(8 * DAY);
    let state = state.reopened("other secret");
    assert_eq!(state.refresh(&refresh, &client.id), Outcome::Unknown);
    assert_eq!(state.redeem(&code, &client.id), Outcome::Unknown);
    let stored = state.store.client(&client.id).unwrap().expect("its tokens have not expired");
    assert!(stored.is_secret(client.secret.unwrap().expose()));
}

#[test]
fn everything_outlives_a_restart() {
    let state = State::new();
    let code = state.code("client");
    let state = state.reopened("secret");
    let Outcome::Granted(grant) = state.redeem(&code, "client") else { panic!() };
    let first = state.store.refresh_token(&grant);
    let state = state.reopened("secret");
    let second = state.refreshed(&first);
    let state = state.reopened("secret");
    assert!(state.refreshed(&first).matches(&second));
}

/// A step that fails in the middle is undone as a whole, so a kill between its statements is, too.
#[test]
fn a_step_is_done_whole_or_not_at_all() {
    let state = State::new();
    let code = state.code("client");
    let sabotage = |sql: &'static str| {
        let done: Result<(), StoreError> =
            state.store.database().unwrap().write(Lane::Interactive, move |connection| connection.batch(sql));
        done.unwrap();
    };
    sabotage("CREATE TRIGGER no BEFORE INSERT ON refresh_tokens BEGIN SELECT RAISE(ABORT, 'no'); END");
    assert!(state.store.redeem(presented(&code, "client")).is_err());
    assert_eq!((state.count("grants"), state.count("codes WHERE used_at IS NOT NULL")), (0, 0));
    sabotage("DROP TRIGGER no");
    let Outcome::Granted(grant) = state.redeem(&code, "client") else { panic!() };
    let first = state.store.refresh_token(&grant);
    sabotage("CREATE TRIGGER no BEFORE INSERT ON refresh_tokens BEGIN SELECT RAISE(ABORT, 'no'); END");
    assert!(state.store.refresh(&first, "client", GRACE).is_err());
    sabotage("DROP TRIGGER no");
    wait(DAY);
    let second = state.refreshed(&first);
    assert!(second.matches(&state.store.refresh_token(&Grant { number: 2, ..grant })), "not used up before");
}

#[test]
fn nothing_in_the_file_can_be_presented() {
    let state = State::new();
    let client = state.register(json!({"token_endpoint_auth_method": "client_secret_basic"}));
    let code = state.code(&client.id);
    let Outcome::Granted(grant) = state.redeem(&code, &client.id) else { panic!() };
    let first = state.store.refresh_token(&grant);
    let Outcome::Granted(next) = state.refresh(&first, &client.id) else { panic!() };
    let second = state.store.refresh_token(&next);
    let secret = client.secret.unwrap();
    let path = state.path();
    drop(state.store);
    let bytes = std::fs::read(&path).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds(&client.id));
    for token in [&code, &first, &second, &secret] {
        assert!(!holds(token.expose()));
    }
    assert!(!holds("vcr_") && !holds("vcc_"));
}

#[cfg(unix)]
#[test]
fn the_file_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let state = State::new();
    let mode = std::fs::metadata(state.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes files of its own")]
fn a_file_of_something_else_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oauth.db");
    let damaged = |path: &Path| {
        let error = open(path, "secret").unwrap_err();
        assert!(matches!(error, OauthStoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("Put back a copy"), "{error}");
    };
    std::fs::write(&path, "no database at all, but longer than the header of one would be: ".repeat(20))
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    damaged(&path);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let index = folder.path().join("index.db");
    let other = Database::open(&index, &Options::default()).unwrap();
    let made: Result<(), StoreError> =
        other.write(Lane::Interactive, |connection| connection.batch("CREATE TABLE notes (id INTEGER)"));
    made.unwrap();
    drop(other);
    damaged(&index);
    let state = State::new();
    let newer: Result<(), StoreError> = state
        .store
        .database()
        .unwrap()
        .write(Lane::Interactive, |connection| connection.batch("PRAGMA user_version = 99"));
    newer.unwrap();
    let path = state.path();
    drop(state.store);
    let error = open(&path, "secret").unwrap_err();
    assert!(matches!(error, OauthStoreError::Newer { found: 99, .. }), "{error}");
}

#[test]
fn a_state_that_could_not_be_opened_answers_every_question_with_an_error() {
    let store = OauthStore::unopened(&Secret::new("secret"), now).unwrap();
    let grant = Grant { id: "grant".to_owned(), number: 1, limits: Limits::default() };
    assert!(matches!(store.judge(&claims(&grant, "a")), Err(OauthStoreError::Unopened)));
    assert!(matches!(store.client("client"), Err(OauthStoreError::Unopened)));
    let refreshed = store.refresh(&store.refresh_token(&grant), "client", GRACE);
    assert!(matches!(refreshed, Err(OauthStoreError::Unopened)));
}

#[test]
fn what_has_expired_is_purged() {
    let state = State::new();
    let grant = state.granted("client");
    let expiring = Claims { expires_at: u64::try_from(NOW.get() + 100).unwrap(), ..claims(&grant, "a") };
    state.store.revoke_access(&expiring, "client").unwrap();
    assert_eq!(state.count("revoked_tokens"), 1);
    wait(101);
    let other = Claims { expires_at: u64::try_from(NOW.get() + 100).unwrap(), ..claims(&grant, "b") };
    state.store.revoke_access(&other, "client").unwrap();
    assert_eq!(state.count("revoked_tokens"), 1);
    state.store.revoke_refresh(&state.store.refresh_token(&grant), "client").unwrap();
    assert_eq!((state.count("grants"), state.count("refresh_tokens")), (1, 0));
    wait(32 * DAY);
    state.code("client");
    assert_eq!((state.count("grants"), state.count("codes")), (0, 1));
}
