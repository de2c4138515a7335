//! The suites of the testkit, run on what there is.

mod sim;
mod store_sqlite;
