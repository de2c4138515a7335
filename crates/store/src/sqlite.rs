//! SQLite: one file, one thread that writes, a few that read.
//!
//! ```text
//! callers → queue → one writer thread → one commit for many verbs (`writer`)
//! many arrivals at once → the same, and a second thread syncs the log (`syncing`)
//! readers → read-only connections (`connection`), each read on a snapshot
//! ```
//!
//! What runs on it are the verbs (`verbs`), which know no engine.

pub(crate) mod connection;
pub mod look;
pub(crate) mod merging;
pub(crate) mod migrate;
pub(crate) mod syncing;
pub(crate) mod writer;
