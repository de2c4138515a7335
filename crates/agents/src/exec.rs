//! Any command as an agent: the message on its input, the reply from its output.
//!
//! ```text
//! journal: begun, with the name of the run      durable before anything is started
//!   → run      the message in a file, a holder that starts the command once, or finds what was started
//!   → hearing  its output from the first byte on: words as they come, within limits of length and silence
//! journal: finished, and the whole answer       then nothing of the run is needed any more
//! ```
//!
//! The command is held (`angelia_process::held`), so it lives on when the gateway dies: the turn's next owner
//! finds the run by its name in the journal, reads the output again from the beginning and goes on where it is. A
//! command is started once in a turn, whatever happens; one that was lost with the machine is not
//! repeated, and the turn says that its outcome is not known.
//!
//! Being stopped ends the command and everybody it started. Being dropped does not: somebody will go on.
//! What the command says is not judged here, and it has no tools of ours.

mod hearing;
pub mod message;
mod run;
mod sweep;
pub mod trial;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use angelia_core::time::Span;
use angelia_core::transcript::entry::Entry;
use angelia_core::turn::busy::Steering;
use angelia_core::turn::journal::Step;
use angelia_process::held::Program;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::events::{Ended, Events};
use crate::{AgentError, Backend, Input};
use message::Form;
use run::Run;

/// How a command becomes an agent.
#[derive(Clone)]
pub struct Setup {
    /// A program and its words, each as it is.
    pub command: Vec<String>,
    /// Where it runs.
    pub workdir: PathBuf,
    /// How it is told the message.
    pub form: Form,
    /// Variables that the operator set for it.
    pub variables: BTreeMap<String, String>,
    /// How long it may say nothing.
    pub silence: Span,
    /// Where its runs are held, one folder each. The path is absolute.
    pub folder: PathBuf,
    /// What the home with that folder is known by: elsewhere the runs of this one are not found.
    pub home: String,
    /// What holds them.
    pub program: Program,
}

/// The variables may be secrets.
impl fmt::Debug for Setup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Setup")
            .field("workdir", &self.workdir)
            .field("form", &self.form)
            .field("silence", &self.silence)
            .finish_non_exhaustive()
    }
}

/// A command as an agent.
#[derive(Debug, Clone)]
pub struct Exec {
    setup: Setup,
}

impl Exec {
    /// The agent that `setup` describes.
    pub fn new(setup: Setup) -> Self {
        Self { setup }
    }

    async fn answer(&self, run: &Run<'_>, input: &Input, events: &Events) -> Result<(), Broken> {
        if let Some(row) = answered(input) {
            return Ok(events.text(row.content.plain_text()).await?);
        }
        run.begin(events).await?;
        let held = run.started(input).await?;
        sweep::sweep(&self.setup, &run.message()).await;
        let heard = hearing::hear(&held, events, self.setup.silence).await?;
        let ended = run.ended(&held, heard.ending, input).await;
        run.finish(events, &ended).await?;
        ended?;
        events.record(Step::words(heard.words)).await?;
        run.forget();
        Ok(())
    }
}

#[async_trait]
impl Backend for Exec {
    fn name(&self) -> &'static str {
        "exec"
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
        let run = Run::of(&self.setup, &input.journal);
        let told = tokio::select! {
            biased;
            () = stop.cancelled() => Err(Broken::Ended),
            told = self.answer(&run, &input, &events) => told,
        };
        match told {
            Ok(()) => Ok(()),
            Err(Broken::Failed(why)) => Err(why),
            Err(Broken::Ended) => {
                run.end().await;
                Ok(())
            }
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
}

impl Broken {
    fn failed(why: impl Into<String>) -> Self {
        Self::Failed(AgentError::lasting(why))
    }

    /// The next run may do better.
    fn passing(why: impl Into<String>) -> Self {
        Self::Failed(AgentError::passing(why))
    }
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

/// The answer that an earlier attempt wrote down.
fn answered(input: &Input) -> Option<&Entry> {
    input
        .journal
        .iter()
        .find_map(|recorded| match &recorded.step {
            Step::Answer { row, .. } => Some(&**row),
            Step::ToolBegun { .. }
            | Step::ToolFinished { .. }
            | Step::Emitted { .. }
            | Step::Steered { .. }
            | Step::Planned { .. }
            | Step::Moved { .. }
            | Step::Compacted { .. }
            | Step::Command { .. } => None,
        })
}
