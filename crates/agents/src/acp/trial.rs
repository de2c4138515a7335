//! Trying an agent out: it is started, greeted and ended again. It is given no conversation and no words.
//!
//! For whoever looks for what is wrong. The agent is not held: it ends with us, and nothing is left of it. What
//! comes back is bounded, and holds none of the secrets that the agent was given.

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_process::Piece;
use angelia_process::environment::Environment;
use angelia_process::piped::{self, Pipes};
use futures_util::FutureExt as _;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe::Receiver;
use tokio::time::timeout;

use super::lines::Lines;
use super::peer::{self, Failure, Message};
use super::{Setup, pool, session};

/// The number of the one request.
const GREETING: u64 = 0;

/// What is kept of its complaints, and read of its words in one go.
const COMPLAINT_BYTES_MAX: usize = 4 * 1024;
const READ_BYTES: usize = 16 * 1024;

/// Letters that are told of a name or a reason.
const TOLD_CHARS_MAX: usize = 300;

/// An agent that was greeted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeted {
    /// What it calls itself, with its version; nothing if it does not say.
    pub name: Option<String>,
    /// The version of the protocol that it speaks.
    pub protocol: u64,
    /// What it can do, in words.
    pub can: Vec<&'static str>,
}

/// Starts an agent, greets it, and ends it.
///
/// # Errors
/// Why it could not be greeted, in words.
pub async fn greet(setup: &Setup) -> Result<Greeted, String> {
    let secrets = setup.variables.values();
    let masker = Masker::new(secrets.map(|secret| secret.reveal().to_owned()));
    let environment = pool::given(Environment::inherited(), setup);
    let started = piped::start(&placed(setup), &environment);
    let (kept, pipes) = started.map_err(|error| format!("it cannot be started: {error}"))?;
    let time = limits::AGENT_TRIAL_TIME;
    let told = timeout(time.to_std(), asked(pipes)).await;
    // How it ended does not matter: it is gone.
    let _status = kept.end().await;
    let seconds = time.to_std().as_secs();
    let told = told.unwrap_or_else(|_| Err(format!("it did not answer within {seconds} seconds")));
    told.and_then(|told| read(&told))
        .map_err(|why| masker.shown(&short(&why), Surface::Log).into_owned())
}

/// The agent's words, run in its own directory.
fn placed(setup: &Setup) -> Vec<String> {
    let go = r#"cd -- "$0" && exec "$@""#;
    let place = setup.workdir().display().to_string();
    let before = ["/bin/sh".to_owned(), "-c".to_owned(), go.to_owned(), place];
    before.into_iter().chain(setup.command.clone()).collect()
}

/// What the agent answers to the greeting. Letting go of the pipes is the polite way to end it.
async fn asked(pipes: Pipes) -> Result<Value, String> {
    let Pipes {
        mut input,
        mut output,
        mut errors,
    } = pipes;
    let line = peer::request(GREETING, "initialize", &session::hello());
    let mut complaints = Vec::new();
    let answering = async {
        // One that reads nothing has ended, which is seen where its words are awaited.
        let _unread = input.write_all(&line).await.is_err();
        answer(&mut output).await
    };
    let answered = {
        let complaining = heed(&mut errors, &mut complaints).fuse();
        tokio::pin!(answering, complaining);
        let answered = tokio::select! {
            biased;
            answered = &mut answering => answered,
            () = &mut complaining => answering.await,
        };
        if answered.is_none() {
            // Its last complaint may still be on its way.
            let _late = timeout(limits::OUTPUT_DRAIN.to_std(), complaining)
                .await
                .is_err();
        }
        answered
    };
    match answered {
        Some(Ok(told)) => Ok(told),
        Some(Err(failure)) => Err(format!("it refused the greeting: {}", failure.message)),
        None => {
            let complaints = String::from_utf8_lossy(&complaints);
            let last = complaints
                .lines()
                .rev()
                .find(|line| !line.trim().is_empty());
            let last = last.map_or(String::new(), |line| format!(": {}", line.trim()));
            Err(format!("it ended without an answer{last}"))
        }
    }
}

/// Keeps the end of what it complains about. It is read all the time: one that is not heard would stand still.
async fn heed(errors: &mut Receiver, kept: &mut Vec<u8>) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(bytes @ 1..) = errors.read(&mut buffer).await {
        kept.extend(buffer.iter().take(bytes));
        kept.drain(..kept.len().saturating_sub(COMPLAINT_BYTES_MAX));
    }
}

/// The answer to the greeting; nothing if it ends without one.
async fn answer(output: &mut Receiver) -> Option<Result<Value, Failure>> {
    let (mut lines, mut buffer) = (Lines::default(), vec![0; READ_BYTES]);
    loop {
        while let Some(line) = lines.next() {
            if let Message::Response { id, outcome } = peer::read(&line)
                && id == GREETING
            {
                return Some(outcome);
            }
        }
        let bytes = match output.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(bytes) => bytes,
        };
        lines.push(&Piece {
            cut: 0,
            from: 0,
            bytes: buffer.get(..bytes)?.to_vec(),
        });
    }
}

/// What its answer says.
fn read(told: &Value) -> Result<Greeted, String> {
    let protocol = told["protocolVersion"].as_u64();
    let Some(protocol) = protocol.filter(|version| *version == session::PROTOCOL) else {
        let theirs = &told["protocolVersion"];
        let ours = session::PROTOCOL;
        return Err(format!(
            "it speaks version {theirs} of the protocol, and this release version {ours}"
        ));
    };
    let can = &told["agentCapabilities"];
    let has = |value: &Value| value.is_object() || *value == true;
    let abilities = [
        (
            &can["sessionCapabilities"]["resume"],
            "resume conversations",
        ),
        (&can["loadSession"], "load conversations"),
        (&can["promptCapabilities"]["image"], "see pictures"),
        (&can["promptCapabilities"]["audio"], "hear sounds"),
        (
            &can["mcpCapabilities"]["http"],
            "reach MCP servers on the network",
        ),
    ];
    let able = abilities.into_iter().filter(|(value, _)| has(value));
    Ok(Greeted {
        name: name(&told["agentInfo"]),
        protocol,
        can: able.map(|(_, words)| words).collect(),
    })
}

fn name(info: &Value) -> Option<String> {
    let text = |name: &str| info[name].as_str().filter(|text| !text.trim().is_empty());
    let name = text("title").or_else(|| text("name"))?;
    let version = text("version").map_or(String::new(), |version| format!(" {version}"));
    Some(short(&format!("{name}{version}")))
}

fn short(text: &str) -> String {
    text.chars().take(TOLD_CHARS_MAX).collect()
}

#[cfg(test)]
#[path = "trial_tests.rs"]
mod tests;
