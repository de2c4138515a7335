//! Servers of others, as far as our tests need them: real sockets on loopback, scripted answers.

pub mod model;
pub mod telegram;
