//! The built-in agent: a model, asked over the network, that may use tools.
//!
//! ```text
//! talk ──question──▶ asking ──request──▶ provider ──wire──▶ body
//!   ▲                                       │
//!   └── answer ◀── spoken ◀──wire── records ◀──sse── stream
//! ```
//!
//! `agent` is what is made once, `talk` the loop of a turn; `reading` is what the model is given, `album` the pictures of it, and `shortening`
//! makes it shorter (`compaction` says where, `notes` with which words, `size` how long things are); `asking` goes from provider to provider until one
//! answers; `provider` is one server and one call of it, `besides` what was set for it; `wire` knows the two ways in which servers speak
//! (`openai`, `anthropic`), `replay` what of earlier answers goes back to whom, and `demands` what stands in place of what is not there; `wishes`
//! reads from a refusal how a server wants to be asked; `failure` says why a call failed and what may be done about it; `trial` tries a server out,
//! and `looking` asks what one picture shows.

pub mod agent;
pub mod album;
mod anthropic;
mod asking;
mod audience;
mod besides;
mod choice;
mod compaction;
mod days;
mod demands;
mod details;
mod failure;
mod last_words;
pub mod looking;
mod notes;
mod openai;
mod pause;
pub mod prompt;
pub mod provider;
mod reading;
mod replay;
pub mod request;
mod short;
mod shortening;
mod size;
mod spoken;
mod sse;
mod talk;
pub mod trial;
pub mod wire;
mod wishes;
