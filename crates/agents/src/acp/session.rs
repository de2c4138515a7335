//! A running agent that knows the conversation: started, greeted, and told which conversation it is.
//!
//! ```text
//! start → initialize → authenticate, if somebody chose a way
//!                    → resume, if it can and there is a name     it remembers
//!                    → load, if it can and there is a name       it remembers; what it replays is dropped
//!                    → new                                       it is told what was said before
//! ```
//!
//! The name that the agent gives the conversation is in the link before the first prompt. A process that was
//! not greeted to the end is not gone on with: it is ended, and another is started. That it has to be told what was
//! said before stands there too, until it has answered a prompt that told it.
//!
//! Some agents say that they have loaded a conversation before they have repeated it. So what they repeat is heard
//! out, until it is quiet for a moment.

use std::path::Path;
use std::time::Duration;

use angelia_core::agent::AgentName;
use angelia_core::command::Theirs;
use angelia_core::link::{self, Link, Memory, Sight, Stage};
use angelia_core::mask::{Masker, Surface};
use angelia_process::held::Held;
use serde_json::{Value, json};

use super::line::{Gone, Line};
use super::peer::{self, Failure};
use super::{Broken, Setup, pool, servers, sign_in};
use crate::{AgentError, Input};

/// The version of the protocol that we speak.
pub(super) const PROTOCOL: u64 = 1;

/// The number of the greeting: it is the first thing that an agent is told.
pub(super) const HELLO: u64 = 0;

/// How long an agent may take to be ready: some unpack themselves first.
const GREET_TIME: Duration = Duration::from_secs(60);

/// How an agent takes a conversation up that it repeats.
const LOAD: &str = "session/load";

/// An agent that can be prompted.
#[derive(Debug)]
pub(super) struct Seat {
    /// The line to it.
    pub(super) line: Line,
    /// What is remembered of it.
    pub(super) link: Link,
}

impl Seat {
    /// What the agent calls the conversation.
    pub(super) fn conversation(&self) -> &str {
        self.link.conversation.as_deref().unwrap_or_default()
    }

    /// Remembers what the agent of that name has told of its own commands. It is written down with the next change.
    pub(super) fn learn_commands(&mut self, agent: &AgentName) {
        let told = self.line.commands();
        if let Some(told) = told.filter(|told| told.conversation == self.conversation()) {
            let names = told.names.iter().map(String::as_str);
            self.link.commands = Some(Theirs::told(agent.clone(), names));
        }
    }
}

/// Starts an agent in place of whatever `link` says, and makes it know the conversation.
pub(super) async fn start(setup: &Setup, input: &Input, link: &Link) -> Result<Seat, Broken> {
    let links = &*input.links;
    if let Some(former) = &link.agent {
        pool::end(&setup.folder.join(former)).await;
    }
    let (agent, session) = (&input.choice.agent, links.session());
    let link = Link {
        set_up: setup.mark(agent),
        ..link.restarted(|number| link::folder(agent, session, number))
    };
    links.keep(link.clone()).await?;
    let name = link.agent.clone().unwrap_or_default();
    let held = pool::start(setup, input, &name).await?;
    let known = link.conversation.as_deref();
    let greeted = greet(setup, held, (known, link.memory)).await;
    let greeted = match greeted {
        Ok(greeted) => greeted,
        Err(why) => {
            return Err(ungreeted(
                &setup.folder.join(&name),
                &input.terms.masker,
                why,
            ));
        }
    };
    let link = Link {
        stage: Stage::Ready,
        conversation: Some(greeted.conversation),
        memory: greeted.memory,
        sight: greeted.sight,
        ..link
    };
    links.keep(link.clone()).await?;
    let line = greeted.line;
    Ok(Seat { line, link })
}

/// An agent that was greeted and told which conversation it is.
struct Greeted {
    line: Line,
    conversation: String,
    memory: Memory,
    sight: Sight,
}

/// Why an agent could not be greeted.
enum Ungreeted {
    Gone(Gone),
    Refused(Failure),
    /// It wants to know who is there; the words say what to do.
    Unknown(String),
    Version(Value),
}

impl From<Gone> for Ungreeted {
    fn from(gone: Gone) -> Self {
        Self::Gone(gone)
    }
}

async fn greet(
    setup: &Setup,
    held: Held,
    (known, memory): (Option<&str>, Memory),
) -> Result<Greeted, Ungreeted> {
    let mut line = Line::open(held, 0).await?;
    let told = asked(&mut line, "initialize", &hello()).await?;
    let told = told.map_err(Ungreeted::Refused)?;
    let version = &told["protocolVersion"];
    if version.as_u64() != Some(PROTOCOL) {
        return Err(Ungreeted::Version(version.clone()));
    }
    if let Some(method) = &setup.sign_in {
        let signed = asked(&mut line, "authenticate", &sign_in::request(method)).await?;
        signed.map_err(|why| Ungreeted::Unknown(sign_in::refused(method, &why, &told)))?;
    }
    let can = &told["agentCapabilities"];
    if let Some(known) = known
        && let Some(method) = way_back(can)
    {
        let again = place(setup, Some(known), can);
        match asked(&mut line, method, &again).await? {
            Ok(_) => {
                if method == LOAD {
                    line.calm().await?;
                }
                return Ok(Greeted {
                    line,
                    conversation: known.to_owned(),
                    memory,
                    sight: sight(can),
                });
            }
            Err(failure) => {
                let why = failure.message;
                tracing::warn!(
                    method,
                    why,
                    "an agent does not know its conversation any more"
                );
            }
        }
    }
    let begun = asked(&mut line, "session/new", &place(setup, None, can)).await?;
    let begun = begun.map_err(|why| match why.code == peer::SIGN_IN {
        true => Ungreeted::Unknown(format!("it {}", sign_in::wanted(&why, &told))),
        false => Ungreeted::Refused(why),
    })?;
    let name = begun["sessionId"].as_str().map(str::to_owned);
    let nameless = || Failure::new(peer::FAILED, "it gave the conversation no name");
    let name = name.ok_or_else(|| Ungreeted::Refused(nameless()))?;
    Ok(Greeted {
        line,
        conversation: name,
        memory: Memory::Ours,
        sight: sight(can),
    })
}

/// How an agent that can do this is shown pictures.
fn sight(can: &Value) -> Sight {
    match can["promptCapabilities"]["image"] == true {
        true => Sight::Pictures,
        false => Sight::Links,
    }
}

/// What we say of ourselves first.
pub(super) fn hello() -> Value {
    json!({
        "protocolVersion": PROTOCOL,
        "clientCapabilities": {
            "fs": { "readTextFile": true, "writeTextFile": true },
            "terminal": true,
        },
        "clientInfo": { "name": "angelia", "title": "Angelia", "version": env!("CARGO_PKG_VERSION") },
    })
}

async fn asked(
    line: &mut Line,
    method: &str,
    params: &Value,
) -> Result<Result<Value, Failure>, Gone> {
    let id = line.ask(method, params).await?;
    line.response(id, GREET_TIME).await
}

/// How an agent takes a conversation up again, if it can.
fn way_back(can: &Value) -> Option<&'static str> {
    let resumes = &can["sessionCapabilities"]["resume"];
    match (resumes, &can["loadSession"]) {
        (Value::Object(_) | Value::Bool(true), _) => Some("session/resume"),
        (_, Value::Bool(true)) => Some(LOAD),
        _ => None,
    }
}

/// Where the conversation takes place, and which one it is if that is known.
pub(super) fn place(setup: &Setup, known: Option<&str>, can: &Value) -> Value {
    let servers = servers::described(&setup.servers, &can["mcpCapabilities"]);
    let mut place = json!({ "cwd": setup.workdir(), "mcpServers": servers });
    if let Some(known) = known {
        place["sessionId"] = known.into();
    }
    place
}

fn ungreeted(folder: &Path, masker: &Masker, why: Ungreeted) -> Broken {
    let shown = |text: &str| masker.shown(text, Surface::Log).into_owned();
    let complaints = shown(&pool::complaints(folder));
    let why = match why {
        Ungreeted::Gone(Gone::Died(why)) => {
            format!(
                "its agent ended as soon as it was started ({why}); try the command of `agent.command` by hand"
            )
        }
        Ungreeted::Gone(Gone::Silent) => {
            let seconds = GREET_TIME.as_secs();
            format!(
                "its agent was not ready within {seconds} s; is `agent.command` an agent that speaks ACP?"
            )
        }
        Ungreeted::Unknown(why) => format!("its agent would not begin: {}", shown(&why)),
        Ungreeted::Refused(failure) => {
            format!("its agent would not begin: {}", shown(&failure.message))
        }
        Ungreeted::Version(version) => format!(
            "its agent speaks version {version} of the protocol, and this release version {PROTOCOL}"
        ),
    };
    tracing::warn!(why, complaints, "an agent could not be started");
    Broken::Failed(AgentError::lasting(why))
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
