//! Agents of the Agent Client Protocol against one that does what it is told, with every fault it can have.
//!
//! A gateway that is killed is a run that is dropped: the agent, its holder and its log are as they would be.

mod asking;
mod commands;
mod faults;
mod files;
mod people;
pub(crate) mod place;
mod restarts;
mod scene;
mod stopping;
mod talking;
mod trials;
