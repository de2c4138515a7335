//! A stream of events, read one at a time.
//!
//! The gateway sends a comment every fifteen seconds when nothing happens, so silence for much longer
//! means that it is gone, even if the connection does not say so. A stream that ended is not opened
//! again here: the caller reads the pages first, then asks anew.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::{Response, Url};

use super::error::ClientError;
use super::sse::{Block, Parser};
use crate::wire::v1::event::Event;

/// Silence after which the gateway counts as gone: three times its keep-alive.
const SILENCE_MAX: Duration = Duration::from_secs(45);

/// What happens, as it happens.
#[derive(Debug)]
pub struct Events {
    answer: Response,
    base: Url,
    parser: Parser,
    read: VecDeque<Block>,
}

impl Events {
    pub(super) fn of(answer: Response, base: Url) -> Self {
        Self {
            answer,
            base,
            parser: Parser::default(),
            read: VecDeque::new(),
        }
    }

    /// The next event; nothing when the gateway ended the stream. Dropping the future loses nothing.
    ///
    /// # Errors
    /// `Unreachable` when the connection broke, `Malformed` when an event is not one.
    pub async fn next(&mut self) -> Result<Option<Event>, ClientError> {
        loop {
            while let Some(block) = self.read.pop_front() {
                let event = Event::read(&block.event, &block.data);
                match event.map_err(|error| self.malformed(&error))? {
                    Some(event) => return Ok(Some(event)),
                    // An event of a newer release: there is nothing to draw.
                    None => continue,
                }
            }
            let Some(bytes) = self.more().await? else {
                return Ok(None);
            };
            let blocks = self.parser.take(bytes.as_ref());
            self.read
                .extend(blocks.map_err(|error| self.malformed(&error))?);
        }
    }

    async fn more(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, ClientError> {
        let chunk = tokio::time::timeout(SILENCE_MAX, self.answer.chunk()).await;
        match chunk {
            Ok(read) => read.map_err(|error| ClientError::unreachable(&self.base, &error)),
            Err(_) => Err(ClientError::Unreachable {
                address: self.base.to_string(),
                why: "it fell silent".to_owned(),
            }),
        }
    }

    fn malformed(&self, error: &dyn std::fmt::Display) -> ClientError {
        ClientError::Malformed {
            status: self.answer.status().as_u16(),
            why: error.to_string(),
        }
    }
}
