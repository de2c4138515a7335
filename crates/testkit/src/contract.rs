//! The promises of the seams, as suites that every implementation runs.

pub mod adapter;
pub mod backend;
pub mod store;
