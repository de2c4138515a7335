//! The suites of the testkit, run on what there is.

mod commands;
mod official;
mod sim;
mod store_sqlite;
