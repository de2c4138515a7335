//! What the agent is told and what tools see, against what a reference tells.
//!
//! One module per file of vectors. A case is the same, or its own values show the defect of the
//! reference that ours does not have; then the test checks that ours does not have it.

mod override_kept;
mod prompt;
mod pseudonyms;
mod quoting;
mod sharing;
mod variables;
