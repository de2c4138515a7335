//! Trying an agent out: it is started, greeted and ended again. Who wants more gives it a conversation of its own
//! and one message.
//!
//! For whoever looks for what is wrong, or is about to choose it. What comes back is bounded, and holds none of the
//! secrets that the agent was given. It is served with nothing: whatever it asks for is refused. It has the variables
//! that it would have in earnest, also those that the operator lets pass.

use std::time::Duration;

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_process::Piece;
use angelia_process::environment::{Environment, Passed};
use angelia_process::piped::{self, Pipes};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use super::lines::Lines;
use super::peer::{self, Failure, Message};
use super::update::{self, Update};
use super::{Setup, permission, pool, session, sign_in};
use crate::tried::{self, READ_BYTES, short};

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
pub async fn greet(setup: &Setup, passed: &Passed) -> Result<Greeted, String> {
    let time = limits::AGENT_TRIAL_TIME.to_std();
    let talk = |pipes| async move { Talk::over(pipes).greet(setup).await };
    within((setup, passed), time, talk)
        .await
        .map(|(greeted, _)| greeted)
}

/// Starts an agent, gives it one message in a conversation of its own, and ends it; what it says of itself.
///
/// # Errors
/// Why it did not answer, in words.
pub async fn call(setup: &Setup, passed: &Passed) -> Result<Greeted, String> {
    let time = limits::AGENT_CALL_TIME.to_std();
    let talk = |pipes| async move {
        let mut talk = Talk::over(pipes);
        let (greeted, told) = talk.greet(setup).await?;
        talk.prompt(setup, &told).await?;
        Ok((greeted, told))
    };
    within((setup, passed), time, talk)
        .await
        .map(|(greeted, _)| greeted)
}

/// Why a trial did not come to its end.
enum Trouble {
    /// The agent ended.
    Ended,
    /// This is wrong.
    Wrong(String),
}

async fn within<T, F>(
    (setup, passed): (&Setup, &Passed),
    time: Duration,
    talk: impl FnOnce((Sender, Receiver)) -> F,
) -> Result<T, String>
where
    F: Future<Output = Result<T, Trouble>>,
{
    let secrets = setup.variables.values();
    let masker = Masker::new(secrets.map(|secret| secret.reveal().to_owned()));
    let environment = pool::given(Environment::passing(passed), setup);
    let words = tried::placed(setup.workdir(), &setup.command);
    let started = piped::start(&words, &environment);
    let (kept, pipes) = started.map_err(|error| format!("it cannot be started: {error}"))?;
    let Pipes {
        input,
        output,
        errors,
    } = pipes;
    // Letting go of the pipes, which ends with this, is the polite way to end it.
    let came = timeout(time, tried::heeded(errors, talk((input, output)))).await;
    // How it ended does not matter: it is gone.
    let _status = kept.end().await;
    let came = match came {
        Ok((Ok(came), _)) => return Ok(came),
        Ok((Err(Trouble::Wrong(why)), _)) => why,
        Ok((Err(Trouble::Ended), complaint)) => {
            let last = complaint.map_or(String::new(), |line| format!(": {line}"));
            format!("it ended without an answer{last}")
        }
        Err(_) => format!("it did not answer within {} seconds", time.as_secs()),
    };
    Err(masker.shown(&short(&came), Surface::Log).into_owned())
}

/// What is said between us and an agent that is tried.
struct Talk {
    input: Sender,
    output: Receiver,
    lines: Lines,
    asked: u64,
    said: String,
}

impl Talk {
    fn over((input, output): (Sender, Receiver)) -> Self {
        Self {
            input,
            output,
            lines: Lines::default(),
            asked: 0,
            said: String::new(),
        }
    }

    /// Greets it, and signs in if that was chosen; what it says of itself.
    async fn greet(&mut self, setup: &Setup) -> Result<(Greeted, Value), Trouble> {
        let told = self.ask("initialize", &session::hello()).await?;
        let told = told.map_err(|failure| {
            Trouble::Wrong(format!("it refused the greeting: {}", failure.message))
        })?;
        let greeted = read(&told).map_err(Trouble::Wrong)?;
        if let Some(method) = &setup.sign_in {
            let signed = self.ask("authenticate", &sign_in::request(method)).await?;
            signed.map_err(|why| Trouble::Wrong(sign_in::refused(method, &why, &told)))?;
        }
        Ok((greeted, told))
    }

    /// Gives it one message in a conversation of its own, and waits for what it says.
    async fn prompt(&mut self, setup: &Setup, told: &Value) -> Result<(), Trouble> {
        let place = session::place(setup, None, &told["agentCapabilities"]);
        let begun = self.ask("session/new", &place).await?;
        let begun = begun.map_err(|why| unbegun(&why, told))?;
        let words = json!([{ "type": "text", "text": tried::WORDS }]);
        let prompt = json!({ "sessionId": begun["sessionId"], "prompt": words });
        let answered = self.ask("session/prompt", &prompt).await?;
        answered.map_err(|why| unbegun(&why, told))?;
        match self.said.trim().is_empty() {
            true => Err(Trouble::Wrong("it answered without a word".to_owned())),
            false => Ok(()),
        }
    }

    /// Asks for something, and waits for the answer. What it says meanwhile is kept, what it wants is refused.
    async fn ask(
        &mut self,
        method: &str,
        params: &Value,
    ) -> Result<Result<Value, Failure>, Trouble> {
        let id = self.asked;
        self.asked += 1;
        self.tell(&peer::request(id, method, params)).await;
        loop {
            match self.hear().await? {
                Message::Response { id: of, outcome } if of == id => return Ok(outcome),
                Message::Request { id, method, .. } => {
                    let refused = permission::unserved(&method);
                    self.tell(&peer::answer(&id, &refused)).await;
                }
                Message::Notice { method, params } if method == "session/update" => {
                    self.keep(&params);
                }
                Message::Response { .. } | Message::Notice { .. } | Message::Noise => (),
            }
        }
    }

    /// Keeps what it says, the beginning of it.
    fn keep(&mut self, params: &Value) {
        let ours = params["sessionId"].as_str().unwrap_or_default();
        if let Update::Said(words) = update::read(params, ours) {
            self.said = short(&(std::mem::take(&mut self.said) + &words));
        }
    }

    async fn tell(&mut self, line: &[u8]) {
        // One that reads nothing has ended, which is seen where its words are awaited.
        let _unread = self.input.write_all(line).await.is_err();
    }

    async fn hear(&mut self) -> Result<Message, Trouble> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            if let Some(line) = self.lines.next() {
                return Ok(peer::read(&line));
            }
            let bytes = match self.output.read(&mut buffer).await {
                Ok(0) | Err(_) => return Err(Trouble::Ended),
                Ok(bytes) => bytes,
            };
            self.lines.push(&Piece {
                cut: 0,
                from: 0,
                bytes: buffer.iter().take(bytes).copied().collect(),
            });
        }
    }
}

/// Why it has no conversation with us.
fn unbegun(why: &Failure, told: &Value) -> Trouble {
    Trouble::Wrong(match why.code == peer::SIGN_IN {
        true => format!("it {}", sign_in::wanted(why, told)),
        false => format!("it did not answer a message: {}", why.message),
    })
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

#[cfg(test)]
#[path = "trial_tests.rs"]
mod tests;
