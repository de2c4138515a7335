//! A stream of server-sent events, read one at a time, whatever they mean.
//!
//! The gateway sends a comment every fifteen seconds when nothing happens, so silence for much longer
//! means that it is gone, even if the connection does not say so.

use std::collections::VecDeque;
use std::fmt::Display;
use std::time::Duration;

use reqwest::{Response, Url};

use super::error::ClientError;
use super::sse::{Block, Parser};

/// Silence after which the gateway counts as gone: three times its keep-alive.
const SILENCE_MAX: Duration = Duration::from_secs(45);

/// Events as they come.
#[derive(Debug)]
pub(super) struct Blocks {
    answer: Response,
    base: Url,
    parser: Parser,
    read: VecDeque<Block>,
}

impl Blocks {
    pub(super) fn of(answer: Response, base: Url) -> Self {
        Self {
            answer,
            base,
            parser: Parser::default(),
            read: VecDeque::new(),
        }
    }

    /// The next event; nothing when the gateway ended the stream. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Result<Option<Block>, ClientError> {
        loop {
            if let Some(block) = self.read.pop_front() {
                return Ok(Some(block));
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

    /// An event that is not one.
    pub(super) fn malformed(&self, error: &dyn Display) -> ClientError {
        ClientError::Malformed {
            status: self.answer.status().as_u16(),
            why: error.to_string(),
        }
    }
}
