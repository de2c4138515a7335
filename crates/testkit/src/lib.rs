//! What tests stand on. Never shipped.
//!
//! `contract` holds the suites that every implementation of a seam must pass; `sim` plays whole gateways
//! in simulated time; `bench` measures the release build against its targets.

pub mod bench;
pub mod contract;
pub mod sim;
