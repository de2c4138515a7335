//! What tests stand on. Never shipped.
//!
//! `contract` holds the suites that every implementation of a seam must pass; `sim` plays whole gateways
//! in simulated time; `bench` measures the release build against its targets; `fakes` are servers of others, on
//! loopback.

pub mod bench;
pub mod contract;
pub mod fakes;
pub mod sim;
