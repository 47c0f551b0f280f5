//! Client ID metadata documents: a client whose id is the URL of what it says of itself. Nothing has to be
//! registered, and the host of the URL is checked, unlike any name.

mod address;
mod fetch;

use std::sync::Arc;

use tokio::sync::Semaphore;
use url::Url;

use super::client::{Client, ClientMetadata};
use super::error::{Code, OauthError};
use super::store::{OauthStore, StoredDocument};
use fetch::Fetcher;

/// How many documents are fetched at once; more callers are told to come again.
const MOST_FETCHES: usize = 4;

/// How long a document that cannot be fetched anew is still served, in seconds: clients' servers have been
/// out of reach, or behind a page against robots, for days.
const STALE_FOR: i64 = 30 * 24 * 60 * 60;

/// How long after a failure a document is not asked for again, while there is an older one.
const RETRY_AFTER: i64 = 5 * 60;

/// The longest URL.
const MOST_URL_BYTES: usize = 1_024;

/// Finds clients by their documents.
#[derive(Clone)]
pub(super) struct Documents {
    fetcher: Fetcher,
    places: Arc<Semaphore>,
    loopback: bool,
}

/// Whether a client id is the URL of a document. Ids of ours have no colon.
pub(super) fn is_url(client_id: &str) -> bool {
    client_id.contains(':')
}

/// Whether a host is this machine by its own name.
fn is_loopback_host(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

impl Documents {
    /// `public_url` decides whether documents on this machine are fetched: only for a server that is itself
    /// called by a loopback name.
    pub(super) fn new(public_url: &str) -> Self {
        let host = Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let loopback = host.is_some_and(|host| is_loopback_host(&host));
        Self { fetcher: Fetcher::new(loopback), places: Arc::new(Semaphore::new(MOST_FETCHES)), loopback }
    }

    /// Checks that a client id can be the URL of a document, without asking anybody.
    ///
    /// # Errors
    /// `invalid_client` that says what is wrong.
    pub(super) fn check(&self, client_id: &str) -> Result<Url, OauthError> {
        let refused = |description| OauthError::invalid_client(description, false);
        if client_id.len() > MOST_URL_BYTES {
            return Err(refused("client_id is too long"));
        }
        let url = Url::parse(client_id).map_err(|_| refused("client_id is no URL"))?;
        let scheme = match url.scheme() {
            "https" => true,
            "http" => self.loopback && url.host_str().is_some_and(is_loopback_host),
            _ => false,
        };
        if !scheme {
            return Err(refused("a client_id that is a URL must begin with https"));
        }
        // In its normal form, so that one document has one name: no dots, no default port, no upper case.
        if url.as_str() != client_id || client_id.contains('#') {
            return Err(refused("client_id is not in normal form, or has a fragment"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("client_id holds a user name or password"));
        }
        if url.path() == "/" {
            return Err(refused("a client_id that is a URL must have a path"));
        }
        Ok(url)
    }

    /// The client of this document: from the file while it is fresh, else from the internet, else from the
    /// file after all.
    ///
    /// # Errors
    /// `invalid_client` when there is no document or it is not the client's; `temporarily_unavailable` when
    /// too many are being fetched.
    pub(super) async fn client(&self, oauth: &super::Oauth, client_id: &str) -> Result<Client, OauthError> {
        let url = self.check(client_id)?;
        let known = {
            let client_id = client_id.to_owned();
            oauth.blocking(move |store| store.document(&client_id)).await?
        };
        let now = oauth.now();
        if let Some(known) = known.as_ref().filter(|known| now < known.fresh_until)
            && let Ok(client) = read(&known.body, &url)
        {
            return Ok(client);
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            // Whoever fills the places with URLs of their own keeps nobody out that was known before.
            return match known.filter(|known| is_servable(known, now)) {
                Some(known) => read(&known.body, &url),
                None => Err(OauthError::new(
                    Code::TemporarilyUnavailable,
                    "too many metadata documents are being fetched: try again in a moment",
                )),
            };
        };
        let fetcher = self.fetcher.clone();
        oauth
            .blocking(move |store| {
                let client = fetch(store, &fetcher, &url, known, now);
                drop(place);
                Ok(client)
            })
            .await?
    }
}

/// Fetches the document and keeps it.
fn fetch(
    store: &OauthStore,
    fetcher: &Fetcher,
    url: &Url,
    known: Option<StoredDocument>,
    now: i64,
) -> Result<Client, OauthError> {
    // The cause of a failed fetch says what is reachable from here: it is for the log alone.
    let (cause, refusal) = match fetcher.fetch(url.as_str()) {
        Ok(fetched) => {
            let body = fetched.value.to_string();
            match read(&body, url) {
                Ok(client) => {
                    let fresh_until = now.saturating_add(i64::try_from(fetched.fresh_for).unwrap_or(0));
                    let document = StoredDocument { body, fetched_at: now, fresh_until };
                    store.keep_document(url.as_str(), &document)?;
                    return Ok(client);
                }
                Err(refusal) => (refusal.description.to_string(), refusal),
            }
        }
        Err(error) => {
            let refusal = OauthError::invalid_client("the metadata document cannot be fetched", false);
            (error.to_string(), refusal)
        }
    };
    let known = known.filter(|known| is_servable(known, now));
    tracing::warn!(
        oauth.client = url.as_str(),
        error.message = cause,
        stale = known.is_some(),
        "oauth_metadata_document_not_fetched"
    );
    let Some(known) = known else { return Err(refusal) };
    let client = read(&known.body, url)?;
    let kept = StoredDocument { fresh_until: now.saturating_add(RETRY_AFTER), ..known };
    store.keep_document(url.as_str(), &kept)?;
    Ok(client)
}

/// Whether an older document still serves where there is no newer one.
fn is_servable(known: &StoredDocument, now: i64) -> bool {
    now < known.fetched_at.saturating_add(STALE_FOR)
}

fn read(body: &str, url: &Url) -> Result<Client, OauthError> {
    let not_json = |_| OauthError::invalid_client("the metadata document is not JSON", false);
    let value = serde_json::from_str(body).map_err(not_json)?;
    let metadata = ClientMetadata::of_document(&value, url.as_str())?;
    Ok(Client {
        id: url.as_str().to_owned(),
        name: metadata.name,
        redirect_uris: metadata.redirect_uris,
        host: url.host_str().map(|host| match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }),
    })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;
    use token::Secret;

    use super::*;

    const DAY: i64 = 24 * 60 * 60;

    /// Trap: documents of large clients have been out of reach, or behind a page against robots, for days.
    #[test]
    fn a_document_that_cannot_be_fetched_anew_is_served_from_before_for_a_month() {
        let folder = tempfile::tempdir().unwrap();
        let store =
            OauthStore::open(&folder.path().join("oauth.db"), &Secret::new("s"), || Timestamp::UNIX_EPOCH)
                .unwrap();
        // Nobody listens on this port of loopback: it was given to us and given back.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = Url::parse(&format!("http://127.0.0.1:{port}/client.json")).unwrap();
        let fetcher = Fetcher::new(true);
        let document = json!({"client_id": url.as_str(), "redirect_uris": ["http://localhost/callback"]});
        let known = StoredDocument { body: document.to_string(), fetched_at: 0, fresh_until: 10 };
        let client = fetch(&store, &fetcher, &url, Some(known.clone()), DAY).unwrap();
        assert_eq!(client.id, url.as_str());
        let kept = store.document(url.as_str()).unwrap().unwrap();
        assert_eq!(
            (kept.fetched_at, kept.fresh_until),
            (0, DAY + RETRY_AFTER),
            "asked again, but not at once"
        );
        assert!(fetch(&store, &fetcher, &url, Some(known.clone()), STALE_FOR - 1).is_ok());
        for known in [Some(known), None] {
            let error = fetch(&store, &fetcher, &url, known, STALE_FOR).unwrap_err();
            assert_eq!(error.code, Code::InvalidClient);
        }
    }

    /// A page against robots is an answer too, and no document.
    #[test]
    fn a_document_that_became_something_else_is_served_from_before() {
        use std::io::{Read as _, Write as _};

        let folder = tempfile::tempdir().unwrap();
        let store =
            OauthStore::open(&folder.path().join("oauth.db"), &Secret::new("s"), || Timestamp::UNIX_EPOCH)
                .unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/client.json", listener.local_addr().unwrap())).unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let document = json!({"client_id": url.as_str(), "redirect_uris": ["http://localhost/callback"]});
        let known = StoredDocument { body: document.to_string(), fetched_at: 0, fresh_until: 10 };
        let client = fetch(&store, &Fetcher::new(true), &url, Some(known), DAY).unwrap();
        assert_eq!(client.id, url.as_str());
        server.join().unwrap();
    }

    #[test]
    fn which_urls_can_name_a_client() {
        let public = Documents::new("https://vault.example.com");
        let local = Documents::new("http://localhost:8000");
        for url in [
            "https://claude.ai/oauth/mcp-oauth-client-metadata",
            "https://claude.ai/oauth/claude-code-client-metadata",
            "https://vscode.dev/oauth/client-metadata.json",
            "https://client.example:8443/a?b",
        ] {
            assert!(public.check(url).is_ok() && local.check(url).is_ok(), "{url}");
        }
        for url in [
            "http://client.example/a",
            "http://10.0.0.1/a",
            "https://client.example",
            "https://client.example/",
            "https://client.example/a#b",
            "https://client.example/a#",
            "https://u:p@client.example/a",
            "https://u@client.example/a",
            "https://client.example/a/../b",
            "https://client.example/./b",
            "https://CLIENT.example/a",
            "https://client.example:443/a",
            "https://2130706433/a",
            "https://0x7f.1/a",
            "file:///etc/passwd",
            "ftp://client.example/a",
            "urn:a:b",
            "https:",
        ] {
            assert!(public.check(url).is_err() && local.check(url).is_err(), "{url}");
        }
        for url in ["http://localhost:9/a", "http://127.0.0.1:9/a", "http://[::1]:9/a"] {
            assert!(public.check(url).is_err() && local.check(url).is_ok(), "{url}");
        }
        assert!(local.check("http://127.0.0.2:9/a").is_err());
        assert!(local.check("http://[::ffff:7f00:1]:9/a").is_err());
    }
}
