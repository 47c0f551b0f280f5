//! `vault-cortex serve`: the server itself.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use rmcp::transport::stdio;
use token::PublicOrigin;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use vault::{MemoryFolder, Vault, VaultOptions, VaultPath};

use super::location::remember_served;
use crate::app::{AnswerSettings, App, now};
use crate::config::{Config, Environment, Transport};
use crate::http::{HttpSettings, Listener, Stop, router};
use crate::logging::{self, Destination};
use crate::mcp::{McpServer, Toolset};
use crate::oauth::{Oauth, OauthSettings, OauthStore, OauthStoreError};
use crate::search_service::{SearchService, index_options};
use crate::write_service::{WriteOptions, WriteService};

/// Serves the vault in VAULT_PATH to MCP clients, over HTTP on PORT.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Speak over standard input and output to the one client that started this process. Needs no
    /// token.
    #[arg(long)]
    stdio: bool,
}

/// Threads for calls that read files or the database: more would only wait for each other.
const BLOCKING_THREADS: usize = 32;

impl Serve {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let (transport, destination) = if self.stdio {
            (Transport::Stdio, Destination::StandardError)
        } else {
            (Transport::Http, Destination::BothStreams)
        };
        let config = Config::load(environment, transport)?;
        logging::start(&config.logging, destination).context("LOG_DIR cannot be written")?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()
            .context("no threads")?;
        let outcome = runtime.block_on(serve(&config));
        // A read of standard input cannot be cancelled: the process does not wait for it.
        runtime.shutdown_timeout(Duration::from_millis(500));
        if let Err(error) = &outcome {
            tracing::error!(error.message = format!("{error:#}"), "server failed");
        }
        outcome
    }
}

async fn serve(config: &Config) -> anyhow::Result<ExitCode> {
    let app = Arc::new(build(config)?);
    let code = match &config.access {
        Some(access) => over_http(config, access, &app).await?,
        None => over_stdio(&app).await?,
    };
    app.close();
    tracing::info!("server stopped");
    Ok(code)
}

/// Opens the vault and begins to open its index.
fn build(config: &Config) -> anyhow::Result<App> {
    if let Some(format) = &config.notes.daily_notes.format {
        let tokens = vault::time_tokens(format);
        if !tokens.is_empty() {
            tracing::warn!(
                tokens = tokens.join(", "),
                "DAILY_NOTES_FORMAT asks for a time of day, which a date does not have: daily notes cannot be named"
            );
        }
    }
    let options = VaultOptions { allow_hard_links: config.vault.files.allow_hard_links };
    let vault = Vault::open(&config.vault.path, options).context("VAULT_PATH")?;
    remember_served(&config.index, &vault);
    let db_path = config.index.db_path_of(vault.root())?;
    let journal = config.journal.path(vault.root(), &db_path)?;
    let options = index_options(
        db_path,
        &config.index,
        &config.vault.files,
        config.tools.files,
        config.logging.time_zone.clone(),
    );
    let search = SearchService::start(vault.clone(), options);
    let memory = MemoryFolder::new(config.notes.memory_dir.clone());
    let writes = (!config.tools.read_only).then(|| {
        let wanted = config.tools.memory.then(|| memory.clone());
        let options = WriteOptions::of(journal.clone(), &config.journal, &config.notes, wanted);
        WriteService::start(vault.clone(), search.clone(), options)
    });
    let settings = AnswerSettings {
        time_zone: config.logging.time_zone.clone(),
        max_answer_chars: config.tools.max_answer_chars,
        journal,
        daily_notes: config.notes.daily_notes.clone(),
        memory,
        orphan_exclude_folders: config.notes.orphan_exclude_folders.clone(),
        file_limits: config.files,
    };
    Ok(App::new(vault, search, writes, Toolset::new(&config.tools), settings))
}

async fn over_http(
    config: &Config,
    access: &crate::config::AccessConfig,
    app: &Arc<App>,
) -> anyhow::Result<ExitCode> {
    let stop = stop_signal().context("signals cannot be received")?;
    let http = &config.http;
    let listener = match Listener::bind(&http.host, http.port).await {
        Ok(listener) => listener,
        Err(error) => {
            tracing::error!(
                server.host = http.host,
                server.port = http.port,
                error.message = error.to_string(),
                variables = "HOST, PORT",
                "server failed to listen"
            );
            app.close();
            return Ok(ExitCode::FAILURE);
        }
    };
    let address = listener.address();
    let give_up = CancellationToken::new();
    let origin = http.public_url.origin(address.port())?;
    let public_url = origin.as_str().to_owned();
    let oauth = oauth(config, access, app, origin)?;
    let settings = HttpSettings { http, access, oauth: &oauth, give_up: give_up.clone() };
    let router = router(app, &settings);
    if access.is_short() {
        tracing::warn!(
            "MCP_AUTH_TOKEN is short: whoever holds a token that this server signed can guess it; take the output of `openssl rand -hex 32`"
        );
    }
    if http.proxy_trust.forwarded_hops > 0 && http.proxy_trust.proxy_hops > 0 {
        tracing::warn!(
            "TRUST_FORWARDED_HOPS and TRUST_PROXY_HOPS are both set: unless every way in writes Forwarded, a \
             client behind a proxy that writes X-Forwarded-For alone can write it itself and name any address; \
             set the one that your proxy writes"
        );
    }
    if http.public_url.plain_http_beyond_loopback {
        tracing::warn!(
            public.url = public_url,
            "PUBLIC_URL is plain http: the token crosses the network in clear text"
        );
    }
    tracing::info!(
        url = format!("http://{}", reachable(address)),
        public.url = public_url,
        server.version = env!("CARGO_PKG_VERSION"),
        tools.served = app.tools.iter().count(),
        "server started"
    );
    match listener.serve(router, stop, give_up).await {
        Stop::Drained => {}
        Stop::Forced => tracing::warn!("requests were given up after the time to finish"),
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the state of the OAuth server. A file that is damaged or somebody else's stops the start, since it is
/// not to be lost; one that cannot be opened costs only the log-in.
fn oauth(
    config: &Config,
    access: &crate::config::AccessConfig,
    app: &App,
    origin: PublicOrigin,
) -> anyhow::Result<Oauth> {
    let root = app.vault.root();
    let path = config.oauth.db_path_of(root, &config.index.db_path_of(root)?)?;
    let store = match OauthStore::open(&path, &access.token, now) {
        // A disk that is full or read-only costs what has to be written there, not the notes.
        Err(OauthStoreError::Store(error)) => {
            tracing::error!(
                error.message = error.to_string(),
                oauth.path = path.to_string_lossy().as_ref(),
                "oauth state cannot be opened: only MCP_AUTH_TOKEN itself lets anybody in"
            );
            OauthStore::unopened(&access.token, now)
        }
        other => other,
    }
    .context("OAUTH_DB_PATH")?;
    let of_vault = app.vault.clone();
    let missing_folders = move |folders: &[String]| {
        let there = |folder: &String| {
            VaultPath::parse_folder(folder)
                .ok()
                .flatten()
                .is_some_and(|folder| of_vault.real_folder(&folder).is_ok())
        };
        folders.iter().filter(|folder| !there(folder)).cloned().collect()
    };
    let settings = OauthSettings {
        store,
        auth_token: access.token.clone(),
        origin,
        access_token_ttl: config.oauth.access_token_ttl,
        refresh_grace: config.oauth.refresh_grace,
        service_documentation: config.oauth.service_documentation.clone(),
        missing_folders: Arc::new(missing_folders),
        now,
    };
    Oauth::new(settings).context("MCP_AUTH_TOKEN")
}

async fn over_stdio(app: &Arc<App>) -> anyhow::Result<ExitCode> {
    let stop = stop_signal().context("signals cannot be received")?;
    tracing::info!(
        transport = "stdio",
        server.version = env!("CARGO_PKG_VERSION"),
        tools.served = app.tools.iter().count(),
        "server started"
    );
    let token = CancellationToken::new();
    let serving =
        rmcp::service::serve_server_with_ct(McpServer::over_stdio(Arc::clone(app)), stdio(), token.clone());
    tokio::pin!(stop);
    let running = tokio::select! {
        () = &mut stop => return Ok(ExitCode::SUCCESS),
        running = serving => match running {
            Ok(running) => running,
            // The client closed the pipe before it said anything, or does not speak the protocol.
            Err(error) => {
                tracing::warn!(error.message = error.to_string(), "no client");
                return Ok(ExitCode::SUCCESS);
            }
        },
    };
    let ended = running.waiting();
    tokio::pin!(ended);
    tokio::select! {
        () = &mut stop => {
            token.cancel();
            let _ = tokio::time::timeout(Duration::from_secs(9), ended).await;
        }
        _ = &mut ended => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Completes at the first SIGTERM or SIGINT. A second one ends the process at once.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        let name = tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        };
        tracing::info!(signal = name, "server stopping");
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            tracing::warn!("stopped at once by a second signal");
            leave_now();
        });
    })
}

#[expect(clippy::exit, reason = "the operator asked twice")]
fn leave_now() {
    std::process::exit(1);
}

/// An address that a client on this machine can call.
fn reachable(mut address: std::net::SocketAddr) -> std::net::SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            std::net::SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            std::net::SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
