//! What is decided: the pure values and functions of the gateway.
//!
//! Values in, values out. There is no I/O here, no clock, no randomness and no async: `now` is an
//! argument, ids are made by the caller. So every decision can be tested on values alone, and both
//! databases and the simulator obey the same ones.
//!
//! Read in this order: `address`, `about` and `inbound` (what arrives), `intake` and `session`
//! (whether and where it is taken), `agent` (who answers), `turn` (what a run of the agent does), `outbound` and `delivery`
//! (what leaves), `media` (pictures that go along), `text` and `stream` (how it is written and shown meanwhile), `process` (what runs beside all this), `danger` (which commands are asked about),
//! `approval` (what a person agreed to), `mask` (what nobody sees), `recovery` and `lease` (what survives),
//! `copying` (what moves elsewhere as a whole).

pub mod about;
pub mod access;
pub mod address;
pub mod agent;
pub mod approval;
pub mod command;
pub mod context;
pub mod copying;
pub mod cost;
pub mod danger;
pub mod delivery;
pub mod display;
pub mod id;
pub mod inbound;
pub mod intake;
pub mod lease;
pub mod length;
pub mod limits;
pub mod link;
mod loose;
pub mod mask;
pub mod media;
pub mod multipart;
mod name;
pub mod nearest;
pub mod outbound;
pub mod process;
pub mod profile;
pub mod recovery;
pub mod restart;
pub mod ring;
pub mod session;
pub mod source;
pub mod stream;
pub mod terminal;
pub mod text;
pub mod time;
pub mod todo;
pub mod toolset;
pub mod transcript;
pub mod turn;
pub mod whatsapp;
pub mod zone;
