//! The simulator: whole gateways, one thread, paused time, one seed.
//!
//! Real loops, real `core` and real SQLite (inline) run against a made-up chat world (`world`,
//! `platform`), scripted agents (`agent`) and a store that fails on either side of its commits
//! (`faulty`). `plan` draws from the seed what goes wrong; `run` plays it, kills nodes at any await and
//! starts them again; `habits` says what people do, `people` answer questions, `strangers` ask to be let in, and `holders` let background
//! processes speak and end, as rows; programs of agents (`programs`) outlive every node. `watch` observes every
//! verb while it happens and keeps the book of what must come of it (`ledger`), and `check` looks at the end.
//!
//! The same seed always gives the same run. A failure is one line that replays it.
//!
//! What it cannot find: races that only PostgreSQL's read-committed level allows (SQLite inline is
//! serialisable), torn writes (SQLite's own business), and anything about real processes.

pub mod agent;
pub mod check;
pub mod dice;
pub mod faulty;
pub mod habits;
pub mod holders;
pub mod ledger;
pub mod marks;
pub mod people;
pub mod plan;
pub mod platform;
pub mod programs;
pub mod run;
pub mod sabotage;
pub mod strangers;
pub mod watch;
pub mod weather;
pub mod world;

pub use run::{Outcome, run};
pub use sabotage::Sabotage;
