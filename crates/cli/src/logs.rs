//! What `serve` logs, and how: to stderr, one line per event.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

use crate::config::environment::{Colour, Environment};
use crate::errors::Failure;

/// The level of our own crates unless someone asks for another.
const USUAL: &str = "info";

/// Starts logging.
pub(crate) fn start(environment: &Environment) -> Result<(), Failure> {
    let wish = environment.log.as_deref().unwrap_or(USUAL);
    let filter = EnvFilter::builder().parse(directives(wish)).map_err(|error| {
        Failure::new(format!("ANGELIA_LOG is \"{wish}\", which cannot be read: {error}"))
            .hint("write a level (error, warn, info, debug, trace) or directives such as \"info,angelia_gateway=debug\"")
    })?;
    let colour = environment.colour == Colour::Wanted && io::stderr().is_terminal();
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(colour)
        .with_target(false)
        // The fallback would print to stderr too, and end the task when that is closed.
        .log_internal_errors(false)
        .finish();
    let started = tracing::subscriber::set_global_default(logs);
    started.map_err(|error| Failure::new(format!("logging cannot be started: {error}")))
}

/// A bare level is meant for our crates; others only speak up when something is wrong. One never does: it
/// repeats what servers say, which may be a secret.
fn directives(wish: &str) -> String {
    if wish.contains(['=', ',']) {
        wish.to_owned()
    } else {
        format!("warn,rmcp=off,angelia={wish}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_level_is_meant_for_our_crates() {
        assert_eq!(directives("debug"), "warn,rmcp=off,angelia=debug");
        assert_eq!(directives("info,hyper=debug"), "info,hyper=debug");
    }
}
