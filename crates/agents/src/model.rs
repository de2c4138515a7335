//! The built-in agent: a model, asked over the network, that may use tools.
//!
//! ```text
//! request ──wire──▶ body ──provider──▶ stream ──sse──▶ records ──wire──▶ spoken ──▶ answer
//! ```
//!
//! `agent` is the loop of a turn; `wire` knows the two ways in which servers speak (`openai`, `anthropic`); `provider` is one server and
//! one call of it; `failure` says why a call failed and what may be done about it.

pub mod agent;
mod anthropic;
mod audience;
mod failure;
mod openai;
pub mod prompt;
pub mod provider;
pub mod request;
mod spoken;
mod sse;
pub mod wire;
