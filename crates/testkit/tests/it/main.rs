//! The suites of the testkit, run on what there is.

mod commands;
mod sim;
mod store_sqlite;
