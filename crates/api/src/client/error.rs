//! Why a call had no answer that can be used, by what the caller can do.

use reqwest::{StatusCode, Url};

use crate::wire::v1::problem::Problem;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The address cannot be called.
    #[error("`{0}` is not an address of a gateway; expected something like http://127.0.0.1:8787")]
    Address(String),
    /// Nobody answered, or not to the end. A request that changes something may have done so.
    #[error("the gateway at {address} does not answer: {why}")]
    Unreachable {
        /// Who was called.
        address: String,
        /// What was seen instead of an answer.
        why: String,
    },
    /// The gateway said no.
    #[error("{message}")]
    Api {
        /// The HTTP status.
        status: u16,
        /// The short name that programs may branch on.
        code: String,
        /// What happened.
        message: String,
        /// What to do next; may be empty.
        hint: String,
    },
    /// Something answered, but not in a way that a gateway of this release does.
    #[error("the answer (status {status}) is not one that this release understands: {why}")]
    Malformed {
        /// The HTTP status.
        status: u16,
        /// What did not fit.
        why: String,
    },
}

impl ClientError {
    /// The short name of what the gateway said, if it said anything.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Api { code, .. } => Some(code),
            Self::Address(_) | Self::Unreachable { .. } | Self::Malformed { .. } => None,
        }
    }

    /// What to do next, for people.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Api { hint, .. } => Some(hint.as_str()).filter(|hint| !hint.is_empty()),
            Self::Unreachable { .. } => Some("start it with `angelia serve`"),
            Self::Malformed { .. } => {
                Some("check that the address is a gateway's, and that both are of the same release")
            }
            Self::Address(_) => None,
        }
    }

    pub(super) fn unreachable(base: &Url, error: &reqwest::Error) -> Self {
        Self::Unreachable {
            address: base.to_string(),
            why: innermost(error),
        }
    }

    pub(super) fn malformed(status: StatusCode, error: &serde_json::Error) -> Self {
        Self::Malformed {
            status: status.as_u16(),
            why: error.to_string(),
        }
    }

    pub(super) fn refused(status: StatusCode, body: &[u8]) -> Self {
        match serde_json::from_slice::<Problem>(body) {
            Ok(Problem { error }) => Self::Api {
                status: status.as_u16(),
                code: error.code,
                message: error.message,
                hint: error.hint,
            },
            Err(error) => Self::malformed(status, &error),
        }
    }
}

/// The cause at the bottom says what happened ("connection refused"); those above only say where.
fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}
