//! The signals that a gateway obeys.
//!
//! SIGHUP has two meanings: someone sent it to have the configuration looked at, or the terminal is
//! gone. In the second case the gateway ends in order, like any program that was started there.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::errors::Failure;
use crate::output::{self, Screen};

/// The signals, caught from now on.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
    born_on: Screen,
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
                born_on: output::screen(),
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
            _ = self.hang_up.recv() => hang_up(self.born_on, output::screen()),
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

fn hang_up(born_on: Screen, now: Screen) -> Call {
    match (born_on, now) {
        (Screen::Terminal { .. }, Screen::None) => Call::End("SIGHUP"),
        (Screen::Terminal { .. }, Screen::Terminal { .. }) | (Screen::None, _) => Call::Reload,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_terminal_ends_the_gateway_and_any_other_hang_up_does_not() {
        let terminal = Screen::Terminal { columns: 80 };
        assert!(matches!(hang_up(terminal, Screen::None), Call::End(_)));
        assert!(matches!(hang_up(terminal, terminal), Call::Reload));
        assert!(matches!(hang_up(Screen::None, Screen::None), Call::Reload));
    }
}
