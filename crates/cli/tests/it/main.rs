//! The real binary, in homes of its own, over loopback only.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

mod access;
mod acp;
mod acp_peer;
mod attach;
mod browser;
mod chat;
mod commands;
mod compress;
mod config;
mod costs;
mod docs;
mod doctor;
mod exec;
mod lifecycle;
mod listings;
mod mcp;
mod migrate;
mod model;
mod node_torture;
mod nodes;
mod openai;
mod pictures;
mod postgres;
mod process_calls;
mod process_torture;
mod processes;
mod refusals;
mod replace;
mod restart;
mod sessions;
mod setup;
mod targets;
mod telegram;
mod telegram_deaths;
mod telegram_live;
mod telegram_media;
mod telegram_ways;
mod terminal;
mod tools;
mod toolsets;
mod torture;
mod turn_torture;
mod world;
