//! Where an adapter puts a file that it brings, piece by piece.
//!
//! Whoever made the pail knows how much goes into it, and why no more does.

use async_trait::async_trait;

/// Takes the bytes of one file.
#[async_trait]
pub trait Pail: Send {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// No more is taken: whoever made the pail knows why.
    async fn pour(&mut self, piece: &[u8]) -> Result<(), Enough>;
}

/// No more bytes are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no more is taken")]
pub struct Enough;

/// Why a file was not brought.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfetched {
    /// It will never be given out: for people and agents, without any secret.
    #[error("{0}")]
    Never(String),
    /// Not now; it may be asked for again.
    #[error("{0}")]
    NotNow(String),
    /// The pail took no more.
    #[error(transparent)]
    Enough(#[from] Enough),
}
