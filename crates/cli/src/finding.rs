//! How a command finds the running gateway: by what it wrote into its home.

use std::future::Future;

use angelia_api::client::{Client, ClientError};

use crate::errors::Failure;
use crate::home::Home;

/// A client of the gateway that runs on this home. Nothing is sent yet.
pub(crate) fn client(home: &Home) -> Result<Client, Failure> {
    let address = home
        .facts()
        .and_then(|facts| facts.address)
        .ok_or_else(|| not_running(home))?;
    Client::new(&address, home.token()?).map_err(|error| failure(home, &error))
}

/// The words for a call that failed.
pub(crate) fn failure(home: &Home, error: &ClientError) -> Failure {
    match error {
        ClientError::Unreachable { .. } => not_running(home),
        ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
            let told = Failure::new(error.to_string());
            error
                .hint()
                .map_or_else(|| Failure::new(error.to_string()), |hint| told.hint(hint))
        }
    }
}

/// Nobody answers for this home.
pub(crate) fn not_running(home: &Home) -> Failure {
    Failure::new(format!(
        "no gateway is running for {}",
        home.path().display()
    ))
    .hint("start it with `angelia serve`, or name another home with `--home DIR`")
}

/// Runs a command's calls to their end.
pub(crate) fn wait<T>(calls: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    runtime()?.block_on(calls)
}

/// What a client command runs on: this one thread.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let built = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    built.map_err(|error| Failure::new(format!("the runtime cannot be started: {error}")))
}
