//! The suites of the testkit, run on what there is.

mod adapter;
mod commands;
mod copying;
mod official;
mod sim;
mod store_faults;
mod store_postgres;
mod store_sqlite;
mod store_tls;
mod telegram_judge;
