//! Any agent that speaks the Agent Client Protocol, behind a conversation.
//!
//! The agent is a program of its own, one for each conversation, under the same holders as background
//! processes: its output is a log that is read by place, its input a socket. So an agent works on while the
//! gateway is down, and whoever takes the turn over reads on where the prompt began.
//!
//! ```text
//! pool        how many there are, start, end
//! session     greeted, and told which conversation it is
//! sign_in     by which of its ways somebody is known to it
//! servers     the MCP servers that it is told of
//! trial       started, greeted, perhaps asked one thing, and ended, for whoever looks for what is wrong
//! turn        the prompt, and what happens if somebody dies
//! listen      what is heard until it is answered
//! line, lines, peer     bytes ⇄ messages
//! update, reply, thoughts, steps, growth   what is shown
//! host, ask, files, terminals, starts   what the agent may ask of us
//! ```
//!
//! What is remembered between turns is the conversation's link (`core::link`). Everything else is the agent's
//! own: its history, its model, its tools.

mod ask;
mod files;
mod growth;
mod host;
mod line;
mod lines;
mod listen;
mod peer;
mod permission;
pub mod pool;
mod reply;
mod servers;
mod session;
mod sign_in;
mod starts;
mod steps;
mod terminals;
mod thoughts;
pub mod trial;
mod turn;
mod update;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use angelia_core::agent::AgentName;
use angelia_core::command::Theirs;
use angelia_core::turn::busy::Steering;
use angelia_core::{danger, link};
use angelia_process::held::Program;
use async_trait::async_trait;
use serde_json::json;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::events::{Ended, Events};
use crate::mcp::settings::Settings as Server;
use crate::model::provider::Secret;
use crate::tools::Toolbox;
use crate::tools::files::Workspace;
use crate::{AgentError, Backend, Input};
use host::Desk;
use line::Gone;
use starts::Starts;
use terminals::Terminals;
use turn::Turn;

/// Bytes of a fingerprint that tell a few agents of one gateway apart.
const FINGERPRINT_BYTES: usize = 8;

/// How agents of this kind are set up.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What usage is counted under: the program's name.
    pub name: String,
    /// The program and its arguments; never none.
    pub command: Vec<String>,
    /// Variables for it alone, beside the harmless ones.
    pub variables: BTreeMap<String, Secret>,
    /// The directory that it works in, and the only one whose files are served to it.
    pub workspace: Arc<Workspace>,
    /// By which of the agent's ways to sign in, if it wants that.
    pub sign_in: Option<String>,
    /// Where agents are held, one folder each.
    pub folder: PathBuf,
    /// What becomes a holder.
    pub program: Program,
    /// How many may run at once.
    pub pool: usize,
    /// How long one may say nothing while it is to answer.
    pub silence: Duration,
    /// The MCP servers that it may use. It talks to them itself.
    pub servers: Vec<Server>,
    /// What its settings are marked with: a key of this home alone that stands in no row.
    pub key: Secret,
}

impl Setup {
    /// The directory that it works in.
    fn workdir(&self) -> &Path {
        self.workspace.root()
    }

    /// What tells it from the same agent with another name, or given other things. Some of them are secrets, which
    /// cannot be read from it.
    fn mark(&self, agent: &AgentName) -> String {
        let variables = self.variables.iter();
        let variables = variables.map(|(name, value)| json!([name, value.reveal()]));
        let can_all = json!({ "http": true });
        let given = json!({
            "name": agent.as_str(),
            "variables": variables.collect::<Vec<_>>(),
            "sign_in": self.sign_in,
            "servers": servers::described(&self.servers, &can_all),
        });
        link::mark(self.key.reveal().as_bytes(), &given.to_string())
    }

    /// What tells it from other agents, which know nothing of each other.
    fn fingerprint(&self) -> String {
        let command = self.command.join("\n");
        let hash = danger::fingerprint(&command, &self.workdir().to_string_lossy(), "acp");
        let bytes = hash.iter().take(FINGERPRINT_BYTES);
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Agents that speak the Agent Client Protocol.
#[derive(Debug, Clone)]
pub struct Acp {
    setup: Arc<Setup>,
}

impl Acp {
    /// Agents that are set up like this. None is started before it is needed.
    pub fn new(setup: Setup) -> Self {
        Self {
            setup: Arc::new(setup),
        }
    }
}

#[async_trait]
impl Backend for Acp {
    fn name(&self) -> &'static str {
        "acp"
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
        self.answer(input, None, (events, stop)).await
    }

    async fn shorten(
        &self,
        input: Input,
        focus: Option<String>,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let Ok(link) = input.links.link().await else {
            return Ok(());
        };
        let link = link.seen_by(&self.setup.fingerprint());
        let theirs = link.commands_of(&input.choice.agent);
        let name = theirs.and_then(Theirs::shortening);
        let name = name.ok_or_else(crate::unshortened)?;
        let words = [Some(format!("/{name}")), focus];
        let words: Vec<String> = words.into_iter().flatten().collect();
        self.answer(input, Some(words.join(" ")), (events, stop))
            .await
    }
}

impl Acp {
    /// Answers what was said, or follows the order in place of it.
    async fn answer(
        &self,
        input: Input,
        order: Option<String>,
        (events, stop): (Events, CancellationToken),
    ) -> Result<(), AgentError> {
        let starts = Arc::new(Starts::over(input.background.clone()));
        let input = Input {
            background: starts.clone(),
            ..input
        };
        let toolbox = Toolbox::new(&input, &events);
        let desk = Desk {
            setup: &self.setup,
            input: &input,
            events: &events,
            terminals: Terminals::new(&input, (&toolbox, &starts), self.setup.workdir()),
        };
        let turn = Turn {
            setup: &self.setup,
            input: &input,
            events: &events,
            stop: &stop,
            desk: &desk,
            order,
            sequel: OnceCell::new(),
        };
        match turn.answer().await {
            Ok(()) | Err(Broken::Ended) => Ok(()),
            Err(Broken::Failed(why)) => Err(why),
            Err(Broken::Gone(_)) => Err(AgentError::passing("its agent ended")),
        }
    }
}

/// Why a turn does not go on.
#[derive(Debug)]
enum Broken {
    /// Nobody listens any more.
    Ended,
    /// There is no answer.
    Failed(AgentError),
    /// The agent is gone.
    Gone(Gone),
}

impl From<Ended> for Broken {
    fn from(Ended: Ended) -> Self {
        Self::Ended
    }
}

impl From<AgentError> for Broken {
    fn from(error: AgentError) -> Self {
        Self::Failed(error)
    }
}

impl From<Gone> for Broken {
    fn from(gone: Gone) -> Self {
        Self::Gone(gone)
    }
}
