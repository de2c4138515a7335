//! The ways through the console, one file per errand.

mod acp;
mod approvals;
mod look;
mod outage;
mod pictures;
mod processes;
mod search;
mod sessions;
mod sign_in;
mod steps;
mod stranger;
mod talk;
mod terminal;
mod views;
