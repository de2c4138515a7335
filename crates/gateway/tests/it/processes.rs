//! What is told about real processes: while a turn runs, after a restart, once.
//!
//! The processes are real and so is the time; only the clock of the rows is set forward where a rest or an
//! interval has to pass.

mod agent;
mod ends;
mod hits;
mod updates;
