//! One run of the command: its name in the journal, its folder, its start and its end.
//!
//! The name is written down before the folder is made, and the folder is what the holder locks: so whoever
//! takes the turn over finds this very run, or starts it if nobody has.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Recorded, Step};
use angelia_process::environment::{Environment, Passed};
use angelia_process::exit::{Exit, How};
use angelia_process::held::{self, Found, Held, Outcome, SpawnError, adopt};
use angelia_process::spec::{Errors, Input as Stdin, Spec, Surface as Pipes};
use serde_json::{Value, json};

use super::hearing::Ending;
use super::{Broken, Setup, message};
use crate::Input;
use crate::context::Context;
use crate::events::{Ended, Events};

/// The name of the only call that a turn of this agent makes.
const CALL: &str = "command";

/// The name of the tool under which it stands in the journal.
const TOOL: &str = "exec";

/// The file with what the command is told, within the folder of its run.
const MESSAGE: &str = "message";

/// What is read of a command's last errors.
const ERRORS_BYTES: usize = 4096;

/// The code of a shell that does not find a program.
const NOT_FOUND: i32 = 127;

const UNKNOWN: &str = "the outcome of the agent's command is not known: it was lost while it ran, and is not run a second time; \
     look at what it may have done before you ask again";

/// One run.
pub(super) struct Run<'a> {
    setup: &'a Setup,
    name: String,
    progress: Progress,
    place: Whose,
}

impl<'a> Run<'a> {
    /// The run that the journal tells of, or another one.
    pub(super) fn of(setup: &'a Setup, journal: &[Recorded]) -> Self {
        Self {
            setup,
            name: begun(journal, name_in).unwrap_or_else(fresh_name),
            progress: journal::progress(journal, CALL),
            place: match begun(journal, home_in) {
                Some(home) if home != setup.home => Whose::Another,
                Some(_) | None => Whose::Ours,
            },
        }
    }

    fn folder(&self) -> PathBuf {
        self.setup.folder.join(&self.name)
    }

    /// The file with what the command is told.
    pub(super) fn message(&self) -> PathBuf {
        self.folder().join(MESSAGE)
    }

    /// Writes down that the command is about to be run, unless that was done before.
    pub(super) async fn begin(&self, events: &Events) -> Result<(), Ended> {
        if self.progress != Progress::Unbegun {
            return Ok(());
        }
        let step = Step::ToolBegun {
            call: CALL.to_owned(),
            tool: TOOL.to_owned(),
            // The words of the command are the operator's, and may hold what nobody else should read.
            arguments: json!({ "run": self.name, "home": self.setup.home }),
            effect: EffectClass::Keyed,
        };
        events.record(step).await
    }

    /// Writes down what came of it, unless that was done before.
    pub(super) async fn finish(
        &self,
        events: &Events,
        ended: &Result<(), Broken>,
    ) -> Result<(), Ended> {
        if matches!(self.progress, Progress::Finished(_)) {
            return Ok(());
        }
        let output = match ended {
            Ok(()) => json!({ "exit_code": 0 }),
            Err(Broken::Failed(why)) => json!({ "error": why.to_string() }),
            Err(Broken::Ended) => return Err(Ended),
        };
        let step = Step::finished(CALL, output.to_string());
        events.record(step).await
    }

    /// Starts the command, or finds it where it was started before.
    pub(super) async fn started(&self, input: &Input) -> Result<Held, Broken> {
        if self.place == Whose::Another {
            return Err(Broken::failed(UNKNOWN));
        }
        let found = adopt(self.folder()).await;
        match found.map_err(|why| unstarted(&why.to_string()))? {
            Found::Running(held) => Ok(held),
            Found::Ended(_) => Ok(Held::at(self.folder())),
            Found::Lost => Err(Broken::failed(UNKNOWN)),
            Found::Absent => self.start(input).await,
        }
    }

    async fn start(&self, input: &Input) -> Result<Held, Broken> {
        let told = message::told(self.setup.form, input).await?;
        self.write(&told)
            .map_err(|why| unstarted(&why.to_string()))?;
        let environment = environment(self.setup, (&input.context, &input.terms.passed));
        let (program, spec) = (&self.setup.program, self.spec());
        let started = held::spawn(program, self.folder(), &spec, &environment).await;
        started.map_err(|why| match why {
            SpawnError::NotStarted(_) | SpawnError::NotHeld { .. } => unstarted(&why.to_string()),
            SpawnError::Unknown { .. } => {
                tracing::warn!(%why, "whether an agent's command was started is not known");
                Broken::failed(UNKNOWN)
            }
        })
    }

    fn spec(&self) -> Spec {
        Spec {
            workdir: Some(self.setup.workdir.clone()),
            surface: Pipes::Pipes(Stdin::Closed),
            errors: Errors::Apart,
            // The first half of it is the beginning, which is all that is read.
            log_bytes_max: 4 * limits::COMMAND_REPLY_BYTES_MAX as u64,
            ..Spec::reading(&self.setup.command, &self.message())
        }
    }

    /// Writes the message, whole or not at all.
    fn write(&self, told: &str) -> io::Result<()> {
        let mut maker = fs::DirBuilder::new();
        maker.recursive(true).mode(0o700).create(self.folder())?;
        let fresh = self.folder().join("message.new");
        let mut options = fs::OpenOptions::new();
        options.create(true).write(true).truncate(true).mode(0o600);
        options.open(&fresh)?.write_all(told.as_bytes())?;
        fs::rename(fresh, self.message())
    }

    /// Whether it came to a good end, or why it did not.
    pub(super) async fn ended(
        &self,
        held: &Held,
        ending: Ending,
        input: &Input,
    ) -> Result<(), Broken> {
        let outcome = match ending {
            Ending::Said => held.wait().await,
            Ending::TooMuch | Ending::Silent => held.kill(limits::KILL_GRACE).await,
        };
        let complaint = complaint(held, input);
        match (ending, outcome) {
            (Ending::TooMuch, _) => Err(Broken::failed(format!(
                "the agent's command said more than {} KiB, and was ended",
                limits::COMMAND_REPLY_BYTES_MAX / 1024
            ))),
            (Ending::Silent, _) => Err(Broken::passing(format!(
                "the agent's command said nothing for {} seconds, and was ended",
                self.setup.silence.to_std().as_secs_f64()
            ))),
            (Ending::Said, Ok(Outcome::Ended(exit))) => judged(&exit, complaint.as_deref()),
            (Ending::Said, Ok(Outcome::Lost)) => Err(Broken::failed(UNKNOWN)),
            (Ending::Said, Err(why)) => {
                tracing::warn!(%why, "how an agent's command ended cannot be found out");
                Err(Broken::failed(UNKNOWN))
            }
        }
    }

    /// Ends the command: nobody wants its reply any more.
    pub(super) async fn end(&self) {
        let Ok(Found::Running(held)) = adopt(self.folder()).await else {
            return;
        };
        if let Err(why) = held.kill(limits::KILL_GRACE).await {
            tracing::warn!(%why, "an agent's command could not be ended");
        }
    }

    /// Lets go of a run whose answer is in the journal.
    pub(super) fn forget(&self) {
        // What stays is swept some day.
        let _kept = fs::remove_dir_all(self.folder()).is_err();
    }
}

/// Where a run is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// In this home.
    Ours,
    /// In another, which cannot be looked into from here.
    Another,
}

fn begun(journal: &[Recorded], part: fn(&Value) -> Option<String>) -> Option<String> {
    journal.iter().find_map(|recorded| match &recorded.step {
        Step::ToolBegun {
            call, arguments, ..
        } if call == CALL => part(arguments),
        Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Answer { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Command { .. } => None,
    })
}

fn home_in(arguments: &Value) -> Option<String> {
    arguments["home"].as_str().map(str::to_owned)
}

/// The name, if it can be one: it becomes part of a path.
fn name_in(arguments: &Value) -> Option<String> {
    let name = arguments["run"].as_str()?;
    let fits = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (fits && !name.is_empty()).then(|| name.to_owned())
}

/// A name that no other run has.
fn fresh_name() -> String {
    // Each state has keys of its own, drawn at random.
    let drawn = || RandomState::new().hash_one(());
    format!("{:016x}{:016x}", drawn(), drawn())
}

fn unstarted(why: &str) -> Broken {
    tracing::warn!(why, "an agent's command could not be started");
    Broken::failed("the agent's command could not be started; the gateway's log says why")
}

fn judged(exit: &Exit, complaint: Option<&str>) -> Result<(), Broken> {
    let complaint = complaint.map(|line| format!(": {line}"));
    let told = |how: &str| {
        let complaint = complaint.as_deref().unwrap_or_default();
        format!("the agent's command {how}{complaint}")
    };
    Err(match &exit.how {
        How::Exited(0) => return Ok(()),
        How::Exited(NOT_FOUND) => Broken::failed(told(
            "was not found, or did not find another: look at `agent.command`",
        )),
        How::Exited(code) => Broken::passing(told(&format!("exited with code {code}"))),
        How::Signalled(signal) => Broken::passing(told(&format!("was ended by signal {signal}"))),
        How::NotStarted(why) => unstarted(why),
    })
}

/// The last line of its errors; all that is left of them goes into the log. Secrets are hidden in both.
fn complaint(held: &Held, input: &Input) -> Option<String> {
    let bytes = held.last_errors(ERRORS_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let shown = input.terms.masker.shown(text.trim(), Surface::Egress);
    if shown.is_empty() {
        return None;
    }
    tracing::info!(errors = %shown, "an agent's command complained");
    let line = shown.lines().last().unwrap_or_default().trim();
    let line = angelia_core::text::preview(line, limits::WHY_CHARS_MAX / 2);
    (!line.is_empty()).then_some(line)
}

/// The variables of the command in a turn.
pub(super) fn environment(setup: &Setup, (context, passed): (&Context, &Passed)) -> Environment {
    // Output that is held back until a buffer is full would come late.
    let environment = context.environment(passed).with("PYTHONUNBUFFERED", "1");
    let variables = setup.variables.iter();
    variables.fold(environment, |all, (name, value)| all.given(name, value))
}
