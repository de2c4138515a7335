//! The verbs, each one transaction, written once for both engines.
//!
//! A verb is a function over `Tx` in the file of its area (`intake`, `sessions`, `turns`, `settle`,
//! `outbox`, `leases`, `views`). Two marks are kept in one place each: a conversation's next message by
//! `ready`, a lane's `head_at` by `lanes`. What a verb decides by it holds first (`hold`), for others may
//! write at the same time. Nothing is decided here: verbs ask `core`.

mod access;
mod aliases;
mod approvals;
mod branch;
mod busy;
mod chats;
pub(crate) mod claim;
mod commands;
mod costs;
mod deletion;
mod door;
mod drafts;
mod errands;
mod gather;
#[cfg(test)]
mod given;
mod glimpses;
mod hold;
pub(crate) mod intake;
mod lanes;
mod leases;
mod links;
mod long;
mod media;
mod moves;
mod neighbours;
mod nodes;
mod opening;
mod outbox;
mod pages;
mod processes;
mod ready;
mod replace;
mod restarts;
mod rows;
mod said;
pub(crate) mod search;
mod sessions;
mod settle;
mod stickers;
mod story;
mod titles;
mod transcript;
pub(crate) mod turns;
mod usage;
mod views;
mod watches;
