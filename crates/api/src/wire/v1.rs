//! Version 1 of the interface: requests, answers, events.
//!
//! Requests refuse fields they do not know: a misspelt field is a mistake worth hearing about.
//! Answers do not, so that a client reads what a newer gateway says. The same holds for the names of
//! states: a name that a client does not know reads as `Unknown`.

pub mod access;
pub mod approval;
pub mod change;
pub mod command;
pub mod delivery;
pub mod event;
pub mod facts;
pub mod inbox;
pub mod media;
pub mod message;
pub mod node;
pub mod page;
pub mod problem;
pub mod process;
pub mod search;
pub mod session;
pub mod sign_in;
pub mod status;
pub mod step;
pub mod time;
pub mod usage;
