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
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::Service as _;

/// The most connections at once; more wait to be accepted.
const MOST_CONNECTIONS: usize = 1_024;

/// How long a connection may take to send the headers of its next request. It bounds idle
/// connections too: the clock runs from the end of the answer before. Whoever keeps connections for
/// reuse must give them up first, or its next request meets a closed one and fails as a gateway
/// error. An API Gateway gives a request 30 seconds, load balancers and nginx keep idle connections
/// for 60: this is longer than all of them, and short enough that silent clients do not fill
/// [`MOST_CONNECTIONS`].
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
        let connections = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
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
                    let connection = connections.watch(connection(stream, peer, router.clone()));
                    tokio::spawn(async move {
                        // A client that goes away in the middle is its own business.
                        let _ = connection.await;
                        drop(place);
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
) -> impl GracefulConnection<Error = hyper::Error> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error.message = error.to_string(), "TCP_NODELAY not set");
    }
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .serve_connection(TokioIo::new(stream), service)
}
