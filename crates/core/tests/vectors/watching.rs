//! What a reference told about processes: words in their output, updates, ends, and who is told.
//!
//! Words of messages are ours; what they say is held against the cases. Where the reference dropped
//! something, ours is held against its own law instead.

mod delivery;
mod hits;
mod registry;
mod texts;
