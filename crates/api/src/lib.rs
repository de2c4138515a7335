//! The HTTP surface: the versioned interface, its client, and the web console.
//!
//! ```text
//! server   one task per connection, under limits, ended in order
//! front    who may enter (`auth`), and the headers that every answer carries
//! routes   one file per resource: request → store view or in-door → `wire::v1`
//! openai   chat completions and responses, spoken like any other message
//! ui       the console's files
//! client   the caller's end, for the command line and for tests
//! ```
//!
//! Nothing is decided here and nothing is kept: a message goes through the gateway's in-door, an
//! answer is read from the rows. A caller who leaves changes nothing.

mod auth;
mod body;
pub mod client;
mod error;
mod front;
mod openai;
mod params;
mod routes;
mod server;
mod state;
pub mod token;
mod ui;
pub mod wire;

pub use routes::router;
pub use server::serve;
pub use state::{AgentInfo, ApiState};
