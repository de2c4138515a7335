//! The suites of the testkit, run on what there is.

mod store_sqlite;
