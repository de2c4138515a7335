//! The terminal tool: runs a command for the shell to its end.
//!
//! A command can do anything, so nobody can say what a half-run one has done: it is never run again.
//! A call found finished in the journal gives its recorded output; one found begun says that its
//! outcome is not known.
//!
//! Whether a command may run at all is not asked here, and escape sequences in its output stay.

use angelia_core::limits;
use angelia_core::recovery::{self, CallRecovery, EffectClass};
use angelia_core::time::Span;
use angelia_core::turn::journal::{self, Progress, Step};
use angelia_process::command::Command;
use angelia_process::foreground::{self, Finished, Status};

use crate::events::Ended;
use crate::tools::Call;

/// The tool's name in the journal.
const NAME: &str = "terminal";

/// What is said of a command that began and was not seen to end.
const UNKNOWN: &str = "the outcome of this command is not known: the gateway stopped while it ran";

/// What is said of a command that said nothing.
const SILENT: &str = "(no output)";

/// The words around an output: how it ended, what was left out of it.
const WORDS_BYTES_MAX: usize = 1024;

const _: () = assert!(
    3 * limits::TOOL_OUTPUT_BYTES_MAX + WORDS_BYTES_MAX <= limits::STEP_BYTES_MAX,
    "an output, each byte of it a replacement character, fits an entry of the journal"
);

/// Runs `command`, unless the journal says that it was begun before.
pub(crate) async fn run(call: &Call<'_>, command: &Command) -> Result<String, Ended> {
    let output = match journal::progress(call.journal, call.name) {
        Progress::Finished(output) => return Ok(output),
        Progress::Begun(effect) if recovery::call(effect) == CallRecovery::TellUnknown => {
            UNKNOWN.to_owned()
        }
        Progress::Begun(_) => outcome(command).await,
        Progress::Unbegun => {
            call.events.record(begun(call, command)).await?;
            outcome(command).await
        }
    };
    let step = Step::ToolFinished {
        call: call.name.to_owned(),
        output: output.clone(),
    };
    call.events.record(step).await?;
    Ok(output)
}

fn begun(call: &Call<'_>, command: &Command) -> Step {
    Step::ToolBegun {
        call: call.name.to_owned(),
        tool: NAME.to_owned(),
        arguments: serde_json::json!({ "command": command.text }),
        effect: EffectClass::Unknown,
    }
}

/// What came of the command, in words. That it could not be run is an outcome too.
async fn outcome(command: &Command) -> String {
    match foreground::run(command).await {
        Ok(finished) => words(&finished, command.time),
        Err(error) => error.to_string(),
    }
}

/// The output, and how the command ended if that needs saying.
fn words(finished: &Finished, time: Span) -> String {
    let output = finished.output.trim_end_matches(['\n', '\r']);
    match (output, ending(finished.status, time)) {
        ("", None) => SILENT.to_owned(),
        ("", Some(ending)) => ending,
        (output, None) => output.to_owned(),
        (output, Some(ending)) => format!("{output}\n{ending}"),
    }
}

fn ending(status: Status, time: Span) -> Option<String> {
    match status {
        Status::Exited(0) => None,
        Status::Exited(code) => Some(format!("[exit {code}]")),
        Status::Signalled(signal) => Some(format!("[ended by signal {signal}]")),
        Status::TimedOut => Some(format!(
            "[timed out after {} s]",
            time.to_std().as_secs_f64()
        )),
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
