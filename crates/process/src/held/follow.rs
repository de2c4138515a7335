//! Output as it comes: the holder rings, the bytes are read from the files.
//!
//! A follower has no buffer but the piece it is about to give, so it may be as slow as it likes. What
//! made room for newer bytes before it was read is told as a cut.

use crate::log::Piece;
use crate::wire::{Report, Request};

use super::talk::Talk;
use super::{Held, HeldError};

/// The most bytes of one piece.
const PIECE_BYTES_MAX: usize = 64 * 1024;

/// The output of a process from some place on.
#[derive(Debug)]
pub struct Follow {
    held: Held,
    at: u64,
    /// None once the process has ended: then what is there is all.
    talk: Option<Talk>,
}

impl Follow {
    pub(super) async fn begin(held: Held, at: u64) -> Result<Self, HeldError> {
        let talk = match held.talk().await {
            Err(HeldError::Ended(_) | HeldError::Lost) => None,
            talk => Some(talk?),
        };
        let mut follow = Self { held, at, talk };
        if let Some(talk) = &mut follow.talk {
            // One that hung up meanwhile is met again by whoever reads next.
            let _hung_up = talk.send(&Request::Follow).await.is_err();
        }
        Ok(follow)
    }

    /// The next piece of output; nothing after the end of the process. Nothing is missed if this is
    /// dropped.
    pub async fn next(&mut self) -> Result<Option<Piece>, HeldError> {
        loop {
            let piece = self.held.read(self.at, PIECE_BYTES_MAX);
            let piece = piece.map_err(|source| self.held.unreachable(source))?;
            if !piece.bytes.is_empty() {
                self.at = piece.next();
                return Ok(Some(piece));
            }
            let Some(talk) = &mut self.talk else {
                return Ok(None);
            };
            match talk.next().await {
                Ok(Some(Report::Exit(_)) | None) | Err(_) => self.talk = None,
                Ok(Some(Report::Refused(why))) => return Err(HeldError::Refused(why)),
                Ok(Some(_)) => (),
            }
        }
    }
}
