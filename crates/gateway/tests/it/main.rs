//! The loops on real rows: paused time, SQLite in memory, small scripted agents.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

mod agents;
mod approvals;
mod board;
mod brought;
mod busy;
mod clocks;
mod commands;
mod drafts;
mod drain;
mod fetching;
mod house;
mod isolation;
mod limits;
mod news;
mod processes;
mod profiles;
mod resting;
mod search;
mod suspects;
mod sweep;
mod theirs;
mod turns;
