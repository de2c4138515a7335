//! Agents of the Agent Client Protocol against one that does what it is told, with every fault it can have.
//!
//! A gateway that is killed is a run that is dropped: the agent, its holder and its log are as they would be.

mod faults;
mod files;
pub(crate) mod place;
mod restarts;
mod scene;
mod talking;
mod trials;
