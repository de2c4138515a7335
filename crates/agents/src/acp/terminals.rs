//! The terminals of an agent: commands that it lets us run, as our own tools would.
//!
//! ```text
//! create         our `terminal` in the background: the same gate, masks and limits; its process is the terminal
//! output         the end of what it said, up to the limit that the agent set
//! wait_for_exit  until it ends, whatever else happens in the conversation
//! kill           it ends; what it said can still be read
//! release        it ends, and the agent forgets it
//! ```
//!
//! Those that were not released end with the turn: nobody else would end them. A turn that only goes on elsewhere
//! keeps them.
//!
//! One exception: where the gateway died between a start and its end in the journal, and the answer stands there all the
//! same, nobody reads the request again, so nobody knows the process. It goes on until somebody ends it: it stands in
//! the conversation's list of processes.
//!
//! The start is a step of the journal, so a turn that is run again finds the same process. Which limit a
//! terminal has is known from the request that made it, which is read again then; one of an earlier turn has the
//! usual limit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use angelia_core::limits;
use angelia_core::process::{End, How, State};
use angelia_core::turn::journal::Step;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::host::Served;
use super::peer::{BAD_PARAMS, FAILED, Failure};
use super::permission::quoted;
use super::starts::Starts;
use crate::Input;
use crate::background::act::{Act, Acted, Looked, Part, Waited};
use crate::events::Ended;
use crate::tools::Toolbox;

/// Pause before a process is waited for again.
const WAIT_AGAIN: Duration = Duration::from_millis(250);

/// The signals that agents may know by name.
const SIGNALS: [(i32, &str); 8] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (6, "SIGABRT"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (15, "SIGTERM"),
];

/// The terminals of one turn.
pub(super) struct Terminals<'a> {
    input: &'a Input,
    toolbox: &'a Toolbox<'a>,
    starts: &'a Starts,
    workdir: &'a Path,
    known: Mutex<BTreeMap<String, Known>>,
}

/// What is known of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// So many bytes of its output are wanted.
    Limit(u64),
    /// The agent does not want it any more.
    Released,
}

impl<'a> Terminals<'a> {
    /// For an agent that works in `workdir`.
    pub(super) fn new(
        input: &'a Input,
        (toolbox, starts): (&'a Toolbox<'a>, &'a Starts),
        workdir: &'a Path,
    ) -> Self {
        Self {
            input,
            toolbox,
            starts,
            workdir,
            known: Mutex::default(),
        }
    }

    /// Runs a command; its process is the terminal.
    pub(super) async fn create(&self, call: &str, params: &Value) -> Result<Served, Ended> {
        let order = match order(params, self.workdir) {
            Ok(order) => order,
            Err(why) => return Ok(Err(why)),
        };
        let result = self.toolbox.call(call, "terminal", order).await?;
        let created = self.created(&result, params);
        self.starts.heard(call);
        Ok(created)
    }

    /// The terminal of a command that was begun, which is known from now on.
    fn created(&self, result: &Value, params: &Value) -> Served {
        match result["session_id"].as_str() {
            Some(id) if result["error"].is_null() => {
                self.learn(id, Known::Limit(limit(params)));
                Ok(json!({ "terminalId": id }))
            }
            Some(_) | None => {
                let why = result["error"].as_str().unwrap_or("it was not started");
                Err(Failure::new(FAILED, why))
            }
        }
    }

    /// The end of what it said, and how it ended if it has.
    pub(super) async fn output(&self, params: &Value) -> Result<Served, Ended> {
        let (id, limit) = match self.terminal(params) {
            Ok(known) => known,
            Err(why) => return Ok(Err(why)),
        };
        let looked = match looked(self.act(Act::Poll(id.clone())).await?) {
            Ok(looked) => looked,
            Err(why) => return Ok(Err(why)),
        };
        let said = self.said(&id, (looked.output_bytes, limit)).await?;
        Ok(said.map(|(output, begun)| {
            let kept = newest(&output, limit);
            let truncated = begun > 0 || kept.len() < output.len();
            let mut told = json!({ "output": kept, "truncated": truncated });
            if let State::Ended(end) = &looked.state {
                told["exitStatus"] = exit(end);
            }
            told
        }))
    }

    /// What it said up to the place `until`, of which `limit` bytes are wanted, and where that begins.
    async fn said(
        &self,
        id: &str,
        (until, limit): (u64, u64),
    ) -> Result<Result<(String, u64), Failure>, Ended> {
        let begun = until.saturating_sub(limit);
        let (mut place, mut output) = (begun, String::new());
        while place < until {
            let acted = self.act(Act::Log(id.to_owned(), Part::After(place)));
            let acted = acted.await?;
            let Acted::Piece(_, piece) = acted else {
                return Ok(looked(acted).map(|_| (output, begun)));
            };
            if piece.next <= place {
                break;
            }
            output.push_str(&piece.text);
            place = piece.next;
        }
        Ok(Ok((output, begun)))
    }

    /// A message that arrives meanwhile does not end this waiting: the agent would not know why.
    pub(super) async fn wait(&self, params: &Value) -> Result<Served, Ended> {
        let (id, _) = match self.terminal(params) {
            Ok(known) => known,
            Err(why) => return Ok(Err(why)),
        };
        loop {
            let act = Act::Wait(id.clone(), self.input.terms.time);
            let acted = self.act(act).await?;
            if !matches!(
                acted,
                Acted::Waited(_, Waited::TimedOut | Waited::Interrupted)
            ) {
                return Ok(looked(acted).map(|looked| waited(&looked.state)));
            }
            // A message that waits would end each waiting at once.
            tokio::time::sleep(WAIT_AGAIN).await;
        }
    }

    /// Ends it.
    pub(super) async fn kill(&self, params: &Value) -> Result<Served, Ended> {
        let (id, _) = match self.terminal(params) {
            Ok(known) => known,
            Err(why) => return Ok(Err(why)),
        };
        let acted = self.act(Act::Kill(id)).await?;
        Ok(looked(acted).map(|_| json!({})))
    }

    /// Ends it, and forgets it.
    pub(super) async fn release(&self, params: &Value) -> Result<Served, Ended> {
        let served = self.kill(params).await?;
        if let (Ok(_), Some(id)) = (&served, params["terminalId"].as_str()) {
            self.learn(id, Known::Released);
        }
        Ok(served)
    }

    /// Ends every terminal of the turn that was not released, those of earlier attempts too, and those that are only
    /// being made. There is little time, so it ends all of them at once.
    pub(super) async fn end(&self) {
        let late = async {
            let late = self.starts.left().await.into_iter();
            self.kill_all(late.map(|id| id.to_string())).await;
        };
        tokio::join!(self.kill_all(self.left().into_iter()), late);
    }

    async fn kill_all(&self, ids: impl Iterator<Item = String>) {
        // Where the turn is somebody else's by now, so are its terminals.
        let _theirs = join_all(ids.map(|id| self.act(Act::Kill(id)))).await;
    }

    /// The terminals of the turn that may run: those of earlier attempts are in the journal.
    fn left(&self) -> BTreeSet<String> {
        let before = self.input.journal.iter();
        let before = before.filter_map(|recorded| begun(&recorded.step));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let all = before.chain(known.keys().cloned());
        let left = all.filter(|id| known.get(id) != Some(&Known::Released));
        let left: BTreeSet<String> = left.collect();
        left
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        self.input.background.act(act).await
    }

    fn learn(&self, id: &str, what: Known) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(id.to_owned(), what);
    }

    /// The terminal that is meant, and how much of its output is wanted.
    fn terminal(&self, params: &Value) -> Result<(String, u64), Failure> {
        let id = params["terminalId"].as_str().unwrap_or_default();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(id) {
            Some(Known::Limit(limit)) => Ok((id.to_owned(), *limit)),
            Some(Known::Released) => Err(unknown()),
            None => Ok((id.to_owned(), limits::LOG_LINES_BYTES)),
        }
    }
}

/// The terminal that a finished call of an agent began.
fn begun(step: &Step) -> Option<String> {
    let Step::ToolFinished { call, output, .. } = step else {
        return None;
    };
    let is_request = call.starts_with("acp.") && call.contains(":request ");
    let result: Value = serde_json::from_str(output).ok().filter(|_| is_request)?;
    result["session_id"].as_str().map(str::to_owned)
}

fn unknown() -> Failure {
    Failure::new(BAD_PARAMS, "there is no such terminal")
}

/// How much of the output is wanted; no more than we look at ourselves.
fn limit(params: &Value) -> u64 {
    let wanted = params["outputByteLimit"].as_u64();
    wanted.map_or(limits::LOG_LINES_BYTES, |wanted| {
        wanted.min(limits::LOG_LINES_BYTES)
    })
}

/// The newest bytes of a text, from the beginning of a letter on.
fn newest(text: &str, bytes: u64) -> &str {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let from = text.ceil_char_boundary(text.len().saturating_sub(bytes));
    &text[from..]
}

/// The call of our own tool.
fn order(params: &Value, workdir: &Path) -> Result<Value, Failure> {
    let workdir = match params["cwd"].as_str() {
        None => workdir.display().to_string(),
        Some(cwd) if Path::new(cwd).is_absolute() => cwd.to_owned(),
        Some(_) => return Err(Failure::new(BAD_PARAMS, "`cwd` has to be absolute")),
    };
    let command = format!("{}{}", variables(params)?, command(params)?);
    Ok(json!({
        "command": command, "background": true, "stdin": "closed", "workdir": workdir,
    }))
}

/// The words for the shell: a whole line if there are no arguments, else one word each.
fn command(params: &Value) -> Result<String, Failure> {
    let command = params["command"].as_str().unwrap_or_default();
    if command.trim().is_empty() {
        let why = "it is not said what is to be run";
        return Err(Failure::new(BAD_PARAMS, why));
    }
    let arguments = params["args"].as_array().into_iter().flatten();
    let arguments: Vec<String> = arguments.filter_map(Value::as_str).map(quoted).collect();
    Ok(match arguments.is_empty() {
        true => command.to_owned(),
        false => format!("{} {}", quoted(command), arguments.join(" ")),
    })
}

/// The variables for the command, as the shell sets them before it.
fn variables(params: &Value) -> Result<String, Failure> {
    let variables = params["env"].as_array().into_iter().flatten();
    variables.map(variable).collect()
}

fn variable(one: &Value) -> Result<String, Failure> {
    let name = one["name"].as_str().unwrap_or_default();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_name = name.chars().all(is_letter) && !name.starts_with(|it: char| it.is_ascii_digit());
    match one["value"].as_str() {
        Some(value) if is_name && !name.is_empty() => {
            Ok(format!("export {name}={}; ", quoted(value)))
        }
        Some(_) | None => {
            let why =
                "a variable of `env` needs a `name` of letters, digits and `_`, and a `value`";
            Err(Failure::new(BAD_PARAMS, why))
        }
    }
}

fn looked(acted: Acted) -> Result<Looked, Failure> {
    match acted {
        Acted::Looked(looked)
        | Acted::Lines(looked, _)
        | Acted::Piece(looked, _)
        | Acted::Waited(looked, _)
        | Acted::Killed(looked, _)
        | Acted::Over(looked) => Ok(looked),
        Acted::Failed(why) => Err(Failure::new(FAILED, why)),
        Acted::NotFound | Acted::Listed(_) | Acted::Told(_) | Acted::Closed(_) => Err(unknown()),
    }
}

fn waited(state: &State) -> Value {
    match state {
        State::Ended(end) => exit(end),
        State::Starting | State::Running => json!({}),
    }
}

fn exit(end: &End) -> Value {
    match end {
        End::Itself(How::Exited(code)) | End::Killed(How::Exited(code)) => {
            json!({ "exitCode": code, "signal": null })
        }
        End::Itself(How::Signalled(signal)) | End::Killed(How::Signalled(signal)) => {
            json!({ "exitCode": null, "signal": named(*signal) })
        }
        End::Lost | End::Failed(_) => json!({ "exitCode": null, "signal": null }),
    }
}

fn named(signal: i32) -> String {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| signal.to_string(), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
#[path = "terminals_tests.rs"]
mod tests;
