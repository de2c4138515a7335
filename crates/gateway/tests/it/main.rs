//! The loops on real rows: paused time, SQLite in memory, small scripted agents.

mod drain;
mod house;
mod suspects;
mod turns;
