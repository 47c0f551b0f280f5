//! The function's process: settings, then one answer per event. All it decides is in the library.

use std::convert::Infallible;
use std::io::Write;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use authorizer::{Authorizer, Decision, Grounds, Settings, read_event};
use lambda_runtime::tower::util::MapRequestLayer;
use lambda_runtime::{Error, LambdaEvent, LambdaInvocation, Runtime, service_fn};
use serde_json::Value;

fn main() -> ExitCode {
    // Lambda counts a process that ends as a failed initialisation, and the gateway answers 500.
    let Err(error) = run() else { return ExitCode::SUCCESS };
    log(
        &serde_json::json!({"level": "error", "message": "authorizer stopped", "error.message": error.to_string()}),
    );
    ExitCode::FAILURE
}

fn run() -> Result<(), Error> {
    let settings = Settings::new(variable("MCP_AUTH_TOKEN").as_deref(), variable("PUBLIC_URL").as_deref())?;
    let authorizer = Authorizer::new(&settings)?;
    let answer = service_fn(async |event: LambdaEvent<Value>| {
        let grounds = authorizer.decide(&event.payload, now());
        if !grounds.allows() {
            log_denial(grounds, &event.context.request_id);
        }
        Ok::<_, Infallible>(Decision::from(grounds))
    });
    // The runtime answers a body that is no JSON with an error; here it becomes an event, and is denied.
    let readable = MapRequestLayer::new(|mut invocation: LambdaInvocation| {
        if read_event(&invocation.body).is_null() {
            invocation.body = "null".into();
        }
        invocation
    });
    let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio.block_on(Runtime::new(answer).layer(readable).run())
}

fn log_denial(grounds: Grounds, request_id: &str) {
    log(&serde_json::json!({
        "level": "warn",
        "message": "request denied",
        "grounds": grounds.name(),
        "request.id": request_id,
    }));
}

/// One line for the function's log group; nothing of a token is ever in it.
fn log(line: &Value) {
    // A log that cannot be written must not cost the answer.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the function's only look at its environment, once at the start"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Seconds since 1970. A clock before that makes everything unexpired, which is the host's to judge anyway.
#[expect(clippy::disallowed_methods, reason = "the clock is read here and passed in")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
