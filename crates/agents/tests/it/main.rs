//! What every backend promises; the built-in agent against a fake model, on both wires, over real sockets; and MCP servers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

mod acp;
mod answers;
mod backends;
mod compaction;
mod faults;
mod journal;
mod mcp;
mod pictures;
mod prefix;
mod providers;
mod replays;
mod shapes;
mod spending;
mod stopping;
mod talk;
mod tasks;
mod wishes;
