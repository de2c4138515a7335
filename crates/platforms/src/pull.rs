//! The platforms of the house itself: the terminal, the web console and the HTTP interface.
//!
//! Nobody is pushed to. A message comes in through the door like any other, and a reply is delivered
//! by making its row readable: whoever waits for it reads the chat's deliveries in order, each once,
//! from where they left off. So a send cannot fail, and repeating it shows nothing twice.

use angelia_core::address::Platform;
use angelia_core::limits;
use angelia_core::outbound::{Action, Capabilities, Dedupe, Receipt, SendError};
use angelia_core::text::{Limit, Unit};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::health::Report;
use crate::pail::{Pail, Unfetched};
use crate::push::{NotTaken, Push};
use crate::sink::Sink;
use crate::{Adapter, Disconnected};

/// A platform that people read from.
#[derive(Debug, Clone, Copy)]
pub struct Pull(pub Platform);

#[async_trait]
impl Adapter for Pull {
    fn platform(&self) -> Platform {
        self.0
    }

    fn capabilities(&self) -> Capabilities {
        // Twice the longest reply leaves room for the notice that may follow it: never split.
        let text = Limit {
            max: 2 * limits::REPLY_BYTES_MAX,
            unit: Unit::Bytes,
        };
        Capabilities {
            text,
            dedupe: Dedupe::ByKey,
            // Whoever reads here follows the feed.
            live: None,
        }
    }

    fn report(&self) -> Report {
        Report::house()
    }

    async fn listen(
        &self,
        _cursor: Option<String>,
        _sink: &Sink,
        stop: &CancellationToken,
    ) -> Result<(), Disconnected> {
        stop.cancelled().await;
        Ok(())
    }

    async fn pushed(&self, _push: Push<'_>, _sink: &Sink) -> Result<(), NotTaken> {
        Err(NotTaken::NotHere)
    }

    async fn fetch(&self, _remote: &str, _pail: &mut dyn Pail) -> Result<(), Unfetched> {
        // What is sent here is uploaded before the message, and kept by then.
        Err(Unfetched::Never("there is nothing to fetch".to_owned()))
    }

    async fn perform(&self, action: Action) -> Result<Receipt, SendError> {
        match action {
            Action::Send { key, .. } | Action::SendFiles { key, .. } => {
                Ok(Receipt(key.to_string()))
            }
            Action::Edit { .. }
            | Action::Delete { .. }
            | Action::Typing { .. }
            | Action::React { .. } => {
                let why = "what is read here is not changed".to_owned();
                Err(SendError::Gone { why })
            }
        }
    }
}
