//! `vault-cortex healthcheck`: for containers, which have no curl.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

use super::output;
use crate::config::{Environment, HttpConfig};

/// Asks the server on this machine whether it is up. Exits with 1 when it is not.
#[derive(Debug, Args)]
pub(super) struct Healthcheck {
    /// Port of the server (default: PORT, else 8000).
    #[arg(long)]
    port: Option<u16>,
}

impl Healthcheck {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let port = match self.port {
            Some(port) => port,
            None => HttpConfig::port_of(environment)?,
        };
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(5)))
            // A proxy set for the internet must not be asked for this machine.
            .proxy(None)
            .build()
            .into();
        let mut response = agent
            .get(format!("http://127.0.0.1:{port}/healthz"))
            .call()
            .with_context(|| format!("no healthy server on port {port}"))?;
        output::line(response.body_mut().read_to_string()?.trim());
        Ok(ExitCode::SUCCESS)
    }
}
