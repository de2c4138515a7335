//! The demo agent: deterministic, offline, for first steps and for tests.
//!
//! It speaks through the same events and the same journal as any other agent. Its commands and their
//! replies are fixed: `parse` says what is asked for, `Demo` does it.

mod parse;
mod reply;

use std::path::PathBuf;
use std::time::Duration;

use angelia_core::process::Mode;
use angelia_core::turn::busy::Steering;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::demo::parse::{Request, Tool};
use crate::events::{Ended, Events};
use crate::tools::Toolbox;
use crate::{AgentError, Backend, Input};

/// The pause between two words of `stream`.
const WORD_EVERY: Duration = Duration::from_millis(50);

/// The name of the only call that a turn of this agent makes.
const CALL: &str = "1";

/// The demo agent.
#[derive(Debug, Clone)]
pub struct Demo {
    /// Where a real agent is configured, for the line that says so.
    pub config: PathBuf,
}

#[async_trait]
impl Backend for Demo {
    fn name(&self) -> &'static str {
        "demo"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let texts: Vec<&str> = input.messages.iter().map(|one| one.text.as_str()).collect();
        let (text, last) = (texts.join("\n"), input.messages.last());
        let text = text.as_str();
        let told = last.and_then(|message| message.event_key.told_process());
        let answered = async {
            if told.is_some() {
                said(events.text(reply::ended(text)).await);
                return Ok(());
            }
            match parse::request(text) {
                Request::Fail => {
                    return Err(AgentError::passing("the demo agent was asked to fail"));
                }
                Request::Sleep(pause) => {
                    tokio::time::sleep(pause).await;
                    said(events.text(reply::slept(pause)).await);
                }
                Request::Stream(words) => said(stream(&events, words).await),
                Request::Echo(words) => said(events.text(words).await),
                Request::Call(tool, words) => said(call(&input, &events, (tool, words)).await),
                Request::Long(chars) => said(events.text(reply::long(chars)).await),
                Request::Other => said(events.text(reply::other(text, &self.config)).await),
            }
            Ok(())
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            answer = answered => answer,
        }
    }
}

async fn stream(events: &Events, words: u32) -> Result<(), Ended> {
    for number in 1..=words {
        if number > 1 {
            tokio::time::sleep(WORD_EVERY).await;
        }
        events.text(reply::word(number)).await?;
    }
    Ok(())
}

/// Calls a tool, the one call of a turn, and says what came of it. Dropping it, as a stopped turn does,
/// ends a command that runs in the foreground.
async fn call(input: &Input, events: &Events, (tool, words): (Tool, String)) -> Result<(), Ended> {
    let toolbox = Toolbox::new(input, events);
    let result = match tool {
        Tool::Run => {
            let arguments = json!({ "command": words });
            reply::ran(&toolbox.call(CALL, "terminal", arguments).await?)
        }
        Tool::Start(mode) => {
            let arguments = json!({
                "command": words,
                "background": true,
                "pty": mode == Mode::Pty,
                "stdin": "open",
                "notify_on_complete": true,
            });
            reply::started(&toolbox.call(CALL, "terminal", arguments).await?)
        }
        Tool::Named(name) => {
            let arguments = serde_json::from_str(&words).unwrap_or(Value::String(words));
            toolbox.call(CALL, &name, arguments).await?.to_string()
        }
    };
    events.text(result).await
}

/// A turn that ended meanwhile needs no more words.
fn said(_told: Result<(), Ended>) {}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
