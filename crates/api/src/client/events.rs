//! What happens, read one event at a time.
//!
//! A stream that ended is not opened again here: the caller reads the pages first, then asks anew.

use reqwest::{Response, Url};

use super::blocks::Blocks;
use super::error::ClientError;
use crate::wire::v1::event::Event;

/// What happens, as it happens.
#[derive(Debug)]
pub struct Events {
    blocks: Blocks,
}

impl Events {
    pub(super) fn of(answer: Response, base: Url) -> Self {
        let blocks = Blocks::of(answer, base);
        Self { blocks }
    }

    /// The next event; nothing when the gateway ended the stream. Dropping the future loses nothing.
    ///
    /// # Errors
    /// `Unreachable` when the connection broke, `Malformed` when an event is not one.
    pub async fn next(&mut self) -> Result<Option<Event>, ClientError> {
        while let Some(block) = self.blocks.next().await? {
            let event = Event::read(&block.event, &block.data);
            // Nothing is an event of a newer release: there is nothing to draw.
            if let Some(event) = event.map_err(|error| self.blocks.malformed(&error))? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }
}
