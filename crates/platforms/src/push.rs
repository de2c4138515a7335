//! What a platform pushes: a request of its server to ours.
//!
//! The adapter proves that the request is the platform's, reads it, and hands what it says to the sink like anything
//! it hears. Only when that is committed is the request answered well; otherwise the platform sends it again.

/// A request.
#[derive(Debug, Clone, Copy)]
pub struct Push<'a> {
    /// The word by which the platform shows that it is the platform.
    pub secret: Option<&'a str>,
    /// What it says.
    pub body: &'a [u8],
}

/// Why a request was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// Nothing is pushed to this account.
    #[error("nothing is pushed to this account")]
    NotHere,
    /// It does not show the word.
    #[error("the request does not show that it comes from the platform")]
    Forbidden,
    /// It cannot be read.
    #[error("the request cannot be read")]
    Unreadable,
    /// The account is not ready, or the gateway stops; it is to be sent again.
    #[error("the account is not ready; send it again")]
    NotNow,
}
