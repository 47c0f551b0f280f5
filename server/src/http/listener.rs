//! Accepting connections, and stopping without cutting anybody off.
//!
//! A listener of our own instead of `axum::serve`, for what that does not offer: no Nagle delay
//! (it costs 40 ms per small answer), a limit on connections, a limit on the time that headers
//! take, and a stop in two phases.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;
use tower::Service as _;

use super::peers::Peers;

/// How many connections there may be, and how long a new one may say nothing.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// The most connections at once; more wait to be accepted.
    connections: usize,
    /// The most of one address of the internet; more are closed at once.
    of_one_peer: usize,
    /// The most of one address of this machine or a private network: a proxy, which speaks for many, or a
    /// container engine. Below the whole too, so that a health check from another address is answered.
    of_one_near_peer: usize,
    /// How long the headers of a connection's first request may take. Whoever connects wants something:
    /// this is for the round trips of a slow network, not for thinking.
    first_request: Duration,
}

const BOUNDS: Bounds = Bounds {
    connections: 1_024,
    of_one_peer: 128,
    of_one_near_peer: 768,
    first_request: Duration::from_secs(10),
};

/// How long a connection may take to send the headers of its next request. It bounds idle
/// connections too: the clock runs from the end of the answer before. Whoever keeps connections for
/// reuse must give them up first, or its next request meets a closed one and fails as a gateway
/// error. An API Gateway gives a request 30 seconds, load balancers and nginx keep idle connections
/// for 60: this is longer than all of them. That idle ones do not fill all places is the work of
/// [`Bounds::of_one_peer`].
const HEADER_PATIENCE: Duration = Duration::from_secs(75);

const _: () = assert!(HEADER_PATIENCE.as_secs() > 60, "proxies in front keep connections that long");

/// How long requests may take to end once the server is asked to stop, and how long after that
/// before the process ends whatever is left. Together under ten seconds, after which container
/// engines kill.
const DRAIN: Duration = Duration::from_secs(8);
const FORCE: Duration = Duration::from_secs(1);

/// How the server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Every request was answered.
    Drained,
    /// Some requests were given up.
    Forced,
}

/// A bound address.
pub(crate) struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds the address. Fails when it is taken: a server that cannot listen must end.
    pub(crate) async fn bind(host: &str, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((host, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Where it listens; the port is the real one also when 0 was asked for.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` completes, then drains: no new connection, running requests end by
    /// themselves within [`DRAIN`] or are given up through `give_up`, [`FORCE`] before the end.
    pub(crate) async fn serve(
        self,
        router: Router,
        stop: impl Future<Output = ()>,
        give_up: CancellationToken,
    ) -> Stop {
        self.serve_within(BOUNDS, router, stop, give_up).await
    }

    async fn serve_within(
        self,
        bounds: Bounds,
        router: Router,
        stop: impl Future<Output = ()>,
        give_up: CancellationToken,
    ) -> Stop {
        let connections = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(bounds.connections));
        let peers = Peers::default();
        tokio::pin!(stop);
        loop {
            let place = tokio::select! {
                () = &mut stop => break,
                place = Arc::clone(&places).acquire_owned() => place,
            };
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => {
                    let Some(seat) = peers.seat(peer.ip(), bounds.of_one_peer, bounds.of_one_near_peer)
                    else {
                        tracing::debug!(client.ip = peer.ip().to_string(), "too many connections");
                        continue;
                    };
                    let asked = Arc::new(Notify::new());
                    let connection = connection(stream, peer, router.clone(), Arc::clone(&asked));
                    let connection = connections.watch(connection);
                    tokio::spawn(async move {
                        tokio::pin!(connection);
                        tokio::select! {
                            // A client that goes away in the middle is its own business.
                            _ = &mut connection => {}
                            asked = tokio::time::timeout(bounds.first_request, asked.notified()) => {
                                if asked.is_ok() {
                                    let _ = connection.await;
                                }
                            }
                        }
                        drop((place, seat));
                    });
                }
                Err(error) => {
                    // Out of file descriptors, mostly: wait for some to be given back.
                    tracing::warn!(error.message = error.to_string(), "connection not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(self.listener);
        drain(connections, give_up).await
    }
}

async fn drain(connections: GracefulShutdown, give_up: CancellationToken) -> Stop {
    let drained = connections.shutdown();
    tokio::pin!(drained);
    if tokio::time::timeout(DRAIN, &mut drained).await.is_ok() {
        return Stop::Drained;
    }
    give_up.cancel();
    let _ = tokio::time::timeout(FORCE, drained).await;
    Stop::Forced
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    asked: Arc<Notify>,
) -> impl GracefulConnection<Error = hyper::Error> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error.message = error.to_string(), "TCP_NODELAY not set");
    }
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        // Kept for whoever waits later too; nobody waits after the first.
        asked.notify_one();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .serve_connection(TokioIo::new(stream), service)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpSocket;

    use super::*;

    /// A server within small bounds, on loopback.
    async fn server(bounds: Bounds) -> SocketAddr {
        let listener = Listener::bind("127.0.0.1", 0).await.unwrap();
        let address = listener.address();
        let router = Router::new().route("/", get(async || "here"));
        let never = std::future::pending::<()>();
        tokio::spawn(listener.serve_within(bounds, router, never, CancellationToken::new()));
        address
    }

    async fn connect(server: SocketAddr, from: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(from.parse().unwrap(), 0)).unwrap();
        socket.connect(server).await.unwrap()
    }

    /// One request, within 5 seconds.
    async fn is_answered(stream: &mut TcpStream) -> bool {
        let exchange = async {
            stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.ok()?;
            let mut answer = [0; 15];
            stream.read_exact(&mut answer).await.ok()?;
            Some(answer.starts_with(b"HTTP/1.1 200"))
        };
        tokio::time::timeout(Duration::from_secs(5), exchange).await.ok().flatten().unwrap_or(false)
    }

    /// Whether the other side closes within 5 seconds.
    async fn is_closed(stream: &mut TcpStream) -> bool {
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest)).await.is_ok()
    }

    #[tokio::test]
    async fn hundreds_of_silent_connections_of_one_address_keep_nobody_else_out() {
        let server = server(BOUNDS_OF_TEST).await;
        let mut silent = Vec::new();
        for _ in 0..300 {
            silent.push(connect(server, "127.0.0.1").await);
        }
        assert!(is_answered(&mut connect(server, "127.0.0.2").await).await);
        assert!(is_closed(silent.last_mut().unwrap()).await, "more than an address may have");
        drop(silent);
        let start = Instant::now();
        while !is_answered(&mut connect(server, "127.0.0.1").await).await {
            assert!(start.elapsed() < Duration::from_secs(5), "its places are given back");
        }
    }

    #[tokio::test]
    async fn a_connection_that_asks_nothing_is_closed_and_one_that_asked_is_kept() {
        let server = server(Bounds { first_request: Duration::from_millis(300), ..BOUNDS_OF_TEST }).await;
        let mut silent = connect(server, "127.0.0.1").await;
        let mut slow = connect(server, "127.0.0.1").await;
        slow.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
        let mut used = connect(server, "127.0.0.1").await;
        assert!(is_answered(&mut used).await);
        assert!(is_closed(&mut silent).await && is_closed(&mut slow).await);
        tokio::time::sleep(Duration::from_millis(400)).await;
        let mut rest = [0; 512];
        let _ = used.read(&mut rest).await.unwrap();
        assert!(is_answered(&mut used).await, "between requests a connection may rest");
    }

    #[tokio::test]
    async fn all_places_taken_by_silent_ones_are_free_again_soon() {
        let bounds = Bounds { connections: 4, first_request: Duration::from_millis(300), ..BOUNDS_OF_TEST };
        let server = server(bounds).await;
        let mut silent = Vec::new();
        for _ in 0..8 {
            silent.push(connect(server, "127.0.0.1").await);
        }
        assert!(is_answered(&mut connect(server, "127.0.0.1").await).await);
    }

    const BOUNDS_OF_TEST: Bounds = Bounds {
        connections: 64,
        of_one_peer: 8,
        of_one_near_peer: 32,
        first_request: Duration::from_secs(10),
    };
}
