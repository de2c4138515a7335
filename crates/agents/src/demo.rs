//! The demo agent: deterministic, offline, for first steps and for tests.
//!
//! It speaks through the same events and the same journal as any other agent. Its commands and their
//! replies are fixed: `parse` says what is asked for, `Demo` does it.

mod parse;
mod reply;

use std::path::PathBuf;
use std::time::Duration;

use angelia_core::process::{Mode, Notice, Watch};
use angelia_core::turn::busy::Steering;
use angelia_process::command::Command;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::background::Wish;
use crate::demo::parse::Request;
use crate::events::{Ended, Events};
use crate::tools::{Call, process, terminal};
use crate::{AgentError, Backend, Input};

/// The pause between two words of `stream`.
const WORD_EVERY: Duration = Duration::from_millis(50);

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
        let last = input.messages.last();
        let text = last
            .map(|message| message.text.as_str())
            .unwrap_or_default();
        let told = last.and_then(|message| message.event_key.ended_process());
        let answered = async {
            if told.is_some() {
                said(events.text(reply::ended(text)).await);
                return Ok(());
            }
            match parse::request(text) {
                Request::Fail => return Err(AgentError("the demo agent was asked to fail".into())),
                Request::Sleep(pause) => {
                    tokio::time::sleep(pause).await;
                    said(events.text(reply::slept(pause)).await);
                }
                Request::Stream(words) => said(stream(&events, words).await),
                Request::Echo(words) => said(events.text(words).await),
                Request::Run(command) => said(run(&input, &events, command).await),
                Request::Start(mode, command) => {
                    said(start(&input, &events, (mode, command)).await);
                }
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

/// Starts a command that goes on when the turn has ended; its end is told here.
async fn start(
    input: &Input,
    events: &Events,
    (mode, command): (Mode, String),
) -> Result<(), Ended> {
    let call = Call {
        name: "1",
        journal: &input.journal,
        events,
    };
    let wish = Wish {
        call: call.name.to_owned(),
        command,
        workdir: None,
        environment: input.context.environment(),
        mode,
        watch: Watch::the_end(Notice::Wanted),
    };
    let output = process::start(&call, &*input.background, wish).await?;
    events.text(output).await
}

/// The one call of a turn. Dropping it, as a stopped turn does, ends the command.
async fn run(input: &Input, events: &Events, command: String) -> Result<(), Ended> {
    let call = Call {
        name: "1",
        journal: &input.journal,
        events,
    };
    let command = Command {
        environment: input.context.environment(),
        ..Command::new(command)
    };
    let output = terminal::run(&call, &command).await?;
    events.text(output).await
}

/// A turn that ended meanwhile needs no more words.
fn said(_told: Result<(), Ended>) {}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
