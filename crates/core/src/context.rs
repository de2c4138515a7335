//! What the agent is told about a conversation, and what its tools see of it.
//!
//! `told` is what is known, `prompt` decides which sections the agent reads, `wording` says them.
//! On the way every value that people chose goes through `quote`, so that it stays a label, and
//! through `names`, which hides identifiers behind the pseudonyms of `redact` where that is asked
//! for. `resume` is what is true for a turn that goes on after an interruption. `day` is when something was said, `workspace` where files are and
//! commands begin. `variables` is the same identity for tools and child processes: a value carried by the
//! turn, never a state of the process.
//!
//! Nothing here routes: answers go to raw addresses, whatever the agent was shown.

pub mod day;
pub mod instructions;
pub mod names;
pub mod prompt;
pub mod quote;
pub mod redact;
pub mod resume;
pub mod told;
pub mod variables;
mod wording;
pub mod workspace;
