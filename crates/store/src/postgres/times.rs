//! How long a server may take, said on both ends of the wire.
//!
//! The server ends by itself what takes too long, and says so. One that is connected and says nothing at all (its machine
//! stands still, or something between drops what is sent) is given up here, somewhat later than it would have
//! ended a statement: its connection counts as broken.

use std::time::Duration;

/// How long the server may take to let us in, once it can be reached.
const GREETING: Duration = Duration::from_secs(15);

/// How long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// For one statement; it is ended by the server.
    pub statement: Duration,
    /// Until everything that was asked in one go is answered; more than for a statement.
    pub answer: Duration,
}

impl Times {
    /// What a gateway allows.
    pub const USUAL: Self = Self {
        statement: Duration::from_secs(30),
        answer: Duration::from_secs(60),
    };

    /// What the server is told on each connection: how long a statement may take, how long it may wait for what another
    /// holds, and how long a transaction may stand still before the server ends it: a node that was paused must not
    /// hold up the others.
    pub(super) fn settings(self) -> String {
        format!(
            "SET statement_timeout = '{}ms'; SET lock_timeout = '10s'; \
             SET idle_in_transaction_session_timeout = '15s'; \
             SET default_transaction_isolation = 'read committed'; \
             SET client_min_messages = 'warning'",
            self.statement.as_millis()
        )
    }

    /// How long making a connection may take.
    pub(super) fn greeting(self) -> Duration {
        GREETING.min(self.answer)
    }
}
