//! A stand-in for API Gateway (an HTTP API with a Lambda authorizer) in front of the real server.
//!
//! Routes, authorizer, timeout and throttle are those that Terraform plans ([`Settings`]); the authorizer is the
//! real program, asked through Lambda's Runtime API ([`Function`]); and what the gateway does on its own is done
//! here too, as it does it:
//!
//! - a protected request without its identity source is answered 401, and nobody is asked;
//! - a denied one 403, one whose authorizer fails, is too slow or answers oddly 500; neither has a challenge;
//! - `Host` becomes the host's own, `Forwarded` gets an element at its end, `X-Forwarded-*` is folded into it,
//!   `WWW-Authenticate` comes back under another name;
//! - answers are read whole before they are sent; a host that takes too long, or is not there, is a 503;
//! - 10,240 bytes of headers, 10 MiB of body, the stage's throttle.
//!
//! Not done: TLS, HTTP/2, custom domains, access logs.

mod edge;
mod event;
mod function;
mod host;
mod limits;
mod settings;
mod wire;

use std::collections::HashMap;
use std::io::{BufReader, Read as _};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

pub use edge::Edge;
pub use function::{Authorizer, Failure, Function};
pub use settings::{Access, Route, Settings};

use crate::http::Response;
use host::Origin;
use limits::Throttle;
use wire::{Incoming, message};

/// How long a client may stay silent between two requests.
const IDLE: Duration = Duration::from_secs(60);

/// A listening gateway. Until it is told where the host is and whom to ask, it answers 503 and 500.
pub struct Gateway {
    shared: Arc<Shared>,
    address: SocketAddr,
    entrances: Mutex<Vec<SocketAddr>>,
}

struct Shared {
    settings: Mutex<Settings>,
    throttle: Throttle,
    origin: Mutex<Option<Origin>>,
    authorizer: Mutex<Option<Arc<dyn Authorizer>>>,
    remembered: Mutex<HashMap<Vec<String>, (Instant, bool)>>,
    events: Mutex<Vec<Value>>,
    requests: AtomicU64,
    renames_challenge: AtomicBool,
    closed: AtomicBool,
}

impl Gateway {
    /// Opens one with the planned settings on a free port of the loopback address.
    pub fn open() -> Self {
        let settings = Settings::planned();
        let shared = Arc::new(Shared {
            throttle: Throttle::new(settings.throttle),
            settings: Mutex::new(settings),
            origin: Mutex::new(None),
            authorizer: Mutex::new(None),
            remembered: Mutex::new(HashMap::new()),
            events: Mutex::new(Vec::new()),
            requests: AtomicU64::new(0),
            renames_challenge: AtomicBool::new(true),
            closed: AtomicBool::new(false),
        });
        let address = shared.listen(IpAddr::V4(Ipv4Addr::LOCALHOST));
        Self { shared, address, entrances: Mutex::new(vec![address]) }
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its `PUBLIC_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Another address, whose clients have this one: for what depends on who calls.
    pub fn entrance(&self, client: IpAddr) -> SocketAddr {
        let address = self.shared.listen(client);
        lock(&self.entrances).push(address);
        address
    }

    /// Sends requests to this address, under this name.
    pub fn integrate(&self, address: SocketAddr, name: &str) {
        *lock(&self.shared.origin) = Some(Origin { address, name: name.to_owned() });
    }

    /// Asks this authorizer.
    pub fn authorize_with(&self, authorizer: impl Authorizer + 'static) {
        *lock(&self.shared.authorizer) = Some(Arc::new(authorizer));
    }

    /// The settings, to be made faster where a test would have to wait.
    pub fn settings(&self) -> MutexGuard<'_, Settings> {
        lock(&self.shared.settings)
    }

    /// Whether `WWW-Authenticate` is renamed, as it is from the start.
    pub fn rename_challenge(&self, renames: bool) {
        self.shared.renames_challenge.store(renames, Ordering::Relaxed);
    }

    /// Every event that the authorizer was asked with.
    pub fn events(&self) -> Vec<Value> {
        lock(&self.shared.events).clone()
    }

    /// How often the authorizer was asked.
    pub fn invocations(&self) -> usize {
        lock(&self.shared.events).len()
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        for address in lock(&self.entrances).iter() {
            // Wakes the listener, which then ends.
            let _ = TcpStream::connect_timeout(address, Duration::from_secs(1));
        }
    }
}

impl Shared {
    /// Listens on a free port for clients of this address.
    fn listen(self: &Arc<Self>, client: IpAddr) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.closed.load(Ordering::Relaxed) {
                    return;
                }
                let (Ok(stream), shared) = (stream, Arc::clone(&shared)) else { continue };
                std::thread::spawn(move || {
                    // A client that goes away in the middle is its own business.
                    let _ = shared.converse(stream, client);
                });
            }
        });
        address
    }

    /// One connection, request after request.
    fn converse(&self, stream: TcpStream, client: IpAddr) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(IDLE))?;
        let mut writer = stream.try_clone()?;
        let mut reader = BufReader::new(stream);
        loop {
            let request = match wire::read(&mut reader) {
                Ok(request) => request,
                Err(problem) => {
                    if let Some(answer) = problem.answer() {
                        wire::write(&mut writer, &answer, false, false)?;
                        // Unread bytes would reset the connection before the client has the answer.
                        writer.shutdown(Shutdown::Write)?;
                        std::io::copy(&mut reader.take(32 * 1024 * 1024), &mut std::io::sink())?;
                    }
                    return Ok(());
                }
            };
            let mut response = self.answer(&request, client);
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            response.headers.push(("apigw-requestid".to_owned(), format!("request-{number}")));
            wire::write(&mut writer, &response, request.method == "HEAD", request.keep_alive)?;
            if !request.keep_alive || self.closed.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    /// What becomes of one request.
    fn answer(&self, request: &Incoming, client: IpAddr) -> Response {
        let settings = lock(&self.settings).clone();
        let Some(route) = settings.route(request.path()) else { return message(404, "Not Found") };
        if !self.throttle.admits() {
            return message(429, "Too Many Requests");
        }
        if route.access == Access::Protected {
            let identity: Vec<String> = settings
                .identity_headers
                .iter()
                .map(|name| request.header(name).unwrap_or_default())
                .collect();
            if identity.iter().any(|value| value.trim_matches([' ', ',']).is_empty()) {
                return message(401, "Unauthorized");
            }
            match self.ask(&settings, request, route, client, identity) {
                Some(true) => {}
                Some(false) => return message(403, "Forbidden"),
                None => return message(500, "Internal Server Error"),
            }
        }
        let Some(origin) = lock(&self.origin).clone() else { return message(503, "Service Unavailable") };
        let mut response = host::ask(&origin, request, client, settings.integration_patience);
        self.rewrite(&mut response);
        response
    }

    /// What the authorizer says; nothing when that is no answer.
    fn ask(
        &self,
        settings: &Settings,
        request: &Incoming,
        route: &Route,
        client: IpAddr,
        identity: Vec<String>,
    ) -> Option<bool> {
        if let Some((when, allowed)) = lock(&self.remembered).get(&identity)
            && when.elapsed() < settings.result_lifetime
        {
            return Some(*allowed);
        }
        let authorizer = lock(&self.authorizer).clone()?;
        let number = self.requests.load(Ordering::Relaxed);
        let event = event::of(request, route, client, &identity, &format!("request-{number}"));
        lock(&self.events).push(event.clone());
        let start = Instant::now();
        let answer = authorizer.invoke(&event).ok()?;
        if start.elapsed() > settings.authorizer_patience {
            return None;
        }
        let allowed = answer.get("isAuthorized")?.as_bool()?;
        lock(&self.remembered).insert(identity, (Instant::now(), allowed));
        Some(allowed)
    }

    fn rewrite(&self, response: &mut Response) {
        const BETWEEN_NEIGHBOURS: [&str; 5] =
            ["connection", "keep-alive", "transfer-encoding", "trailer", "upgrade"];
        // The body is whole by now and its length known; that of a HEAD answer is the host's to say.
        if !response.body.is_empty() {
            response.headers.retain(|(name, _)| name != "content-length");
        }
        response.headers.retain(|(name, _)| !BETWEEN_NEIGHBOURS.contains(&name.as_str()));
        if self.renames_challenge.load(Ordering::Relaxed) {
            for (name, _) in &mut response.headers {
                if name == "www-authenticate" {
                    "x-amzn-remapped-www-authenticate".clone_into(name);
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
