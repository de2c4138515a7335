//! The HTTP surface: the versioned interface, its client, and the web console.
//!
//! `wire` holds the shapes that travel, `client` the caller's end.

pub mod client;
pub mod token;
pub mod wire;
