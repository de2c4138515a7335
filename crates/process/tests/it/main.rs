//! Background processes, with real holders, terminals and kills.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

mod apart;
mod ends;
mod input;
mod outage;
mod output;
mod scopes;
mod starts;
mod targets;
mod terminal;
mod world;
