//! The signals that a gateway obeys.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::errors::Failure;

/// The signals, caught from now on.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

/// What someone wants.
pub(super) enum Call {
    /// The end; how they said it.
    End(&'static str),
    /// A look at the configuration.
    Reload,
}

impl Signals {
    /// Catches them, in place of the system's habit of ending the process.
    pub(super) fn catch() -> Result<Self, Failure> {
        let caught = || {
            Ok(Self {
                terminate: signal(SignalKind::terminate())?,
                interrupt: signal(SignalKind::interrupt())?,
                hang_up: signal(SignalKind::hangup())?,
            })
        };
        caught().map_err(|error: std::io::Error| {
            Failure::new(format!("signals cannot be caught: {error}"))
        })
    }

    /// Waits for the next call.
    pub(super) async fn next(&mut self) -> Call {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => Call::End("SIGTERM"),
            _ = self.interrupt.recv() => Call::End("SIGINT"),
            _ = self.hang_up.recv() => Call::Reload,
        }
    }

    /// Waits until someone wants the gateway to end; the name of how they said it.
    pub(super) async fn end(&mut self) -> &'static str {
        loop {
            if let Call::End(name) = self.next().await {
                return name;
            }
        }
    }
}
