//! Servers that speak MCP: a program of ours that does what it is told, over pipes and over HTTP.

mod over_http;
mod over_pipes;
#[path = "../stand_in/script.rs"]
mod script;
mod world;
