//! The ways through the console, one file per errand.

mod look;
mod outage;
mod search;
mod sessions;
mod sign_in;
mod talk;
mod views;
