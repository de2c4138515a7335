//! One run of the agent: its journal, its states, and what a new message means while it runs.

pub mod ack;
pub mod busy;
pub mod clock;
pub mod gather;
pub mod journal;
pub mod machine;
pub mod manners;
pub mod outcome;
pub mod shown;
