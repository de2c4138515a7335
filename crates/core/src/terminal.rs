//! Rules of the tool that runs commands: what it refuses before anything runs, and what it says about
//! what ran.
//!
//! ```text
//! arguments → wish (kinds, times) → foreground (what would not end) → workdir → danger → run
//! exit code → exit (codes that are no failures) → mask → answer
//! ```
//!
//! A command runs as it was written: nothing is put into it, and no password passes through here. What a
//! shell would run is read by the same reader that judges danger. Nothing here runs, waits or asks.

pub mod exit;
pub mod foreground;
pub mod place;
pub mod sudo;
pub mod wish;
pub mod workdir;
