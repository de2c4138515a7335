//! The ways through the console, one file per errand.

mod look;
mod outage;
mod sign_in;
mod talk;
mod views;
