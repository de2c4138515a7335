//! What an error looks like.

use serde::{Deserialize, Serialize};

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What went wrong.
    pub error: ProblemDetail,
}

/// What went wrong, for programs (`code`) and for people (`message`, `hint`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemDetail {
    /// A short name that programs may branch on.
    pub code: String,
    /// What happened, to what.
    pub message: String,
    /// What to do next.
    #[serde(default)]
    pub hint: String,
}
