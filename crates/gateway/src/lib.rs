//! What runs: the loops that carry a message from the inbox to the outbox.
//!
//! One door in (`door`), one door out (`courier`), rows in between. `gateway` lists the loops in order;
//! `dispatcher` claims turns and `turn` runs one; `showing` shows replies while they grow (`sketches`); `account` holds a platform account's lease, under
//! which `listener` and `courier` work; `leases` renews; `indexer` makes what was said findable;
//! `processes` looks after what runs in the background, `media` after pictures; `approvals` asks people; `janitor` sweeps. Loops take no
//! input: they are woken by `bells`, also by those of other nodes (`far`), read the rows, and do what they find.
//!
//! Every task may be dropped at any await. Nothing that a person would miss lives in memory.

pub mod access;
mod account;
pub mod agents;
pub mod approvals;
mod behind;
pub mod bells;
pub mod chat_bells;
mod commands;
pub mod connections;
mod courier;
mod dispatcher;
pub mod door;
mod draft;
mod enclosing;
pub mod env;
pub mod far;
pub mod feed;
pub mod followers;
mod footer;
pub mod gateway;
pub mod glimpses;
pub mod ground;
mod indexer;
mod janitor;
pub mod keyed_bells;
mod leases;
pub mod links;
mod listener;
pub mod media;
mod opening;
mod past;
pub mod phase;
pub mod processes;
pub mod pulse;
pub mod pushes;
mod restarts;
mod settle;
mod showing;
mod shown;
pub mod sketches;
mod speaking;
pub mod spending;
mod standing;
mod steer;
mod talk;
pub mod tasks;
pub mod telling;
mod turn;
pub mod watched;
