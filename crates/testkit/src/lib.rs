//! What tests stand on. Never shipped.
//!
//! `contract` holds the suites that every implementation of a seam must pass; `sim` plays whole gateways
//! in simulated time; `bench` measures the release build against its targets; `fakes` are servers of others, on
//! loopback; `server` gives each test a place on a real one.

pub mod bench;
pub mod contract;
pub mod fakes;
pub mod server;
pub mod sim;
