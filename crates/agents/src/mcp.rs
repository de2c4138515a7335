//! Tools of MCP servers: programs that are started and spoken to over pipes, and servers that are
//! reached over HTTP.
//!
//! ```text
//! settings ─▶ Server::keep: start, list, listen ─▶ down, a pause, and again
//!                   │ state
//!                   ▼
//!             Server as a ToolSource: what it offers now, and calls
//! ```
//!
//! Each server has one connection, which a loop of the gateway keeps (`life`). Nobody waits for it: a
//! server that is down offers nothing, and says why. What a list of tools may hold is decided by
//! `listing`, what becomes of a call by `calls`, and of its answer by `answer`; `client` and
//! `bounded` alone know the protocol's library.
//!
//! Not here: which turn may use which tools, the journal of calls, and hiding secrets in answers. The
//! toolbox does that for all tools alike.

mod answer;
mod bounded;
mod calls;
mod client;
mod complaints;
pub mod http;
mod life;
mod listing;
mod schema;
mod servers;
pub mod settings;
mod state;

pub use life::Server;
pub use servers::Servers;
pub use state::{Report, State};
