//! What an agent may ask of us: permissions, files of its workspace, and commands.
//!
//! | asked for | served by |
//! |---|---|
//! | `session/request_permission` | `ask`: our own questions |
//! | `fs/*` | `files`: below the workspace, and nowhere else |
//! | `terminal/*` | our own tools `terminal` and `process`: the same gate, masks and limits |
//!
//! A request is served beside the others, because one may wait for another. What has an effect is a step of
//! the journal under the request's own name, so a turn that is run again does not do it again. Answers may be
//! given twice, after a crash; an agent that has its answer passes the second over.

use std::time::Duration;

use angelia_core::process::{End, How, State};
use serde_json::{Value, json};

use super::peer::{BAD_PARAMS, FAILED, Failure, NO_METHOD};
use super::permission::{self, quoted};
use super::{Setup, ask, files};
use crate::Input;
use crate::background::act::{Act, Acted, Looked, Waited};
use crate::events::{Ended, Events};
use crate::tools::Toolbox;

/// Pause before a process is waited for again.
const WAIT_AGAIN: Duration = Duration::from_millis(250);

/// What an agent is served with, in one turn.
pub(super) struct Desk<'a> {
    pub(super) setup: &'a Setup,
    pub(super) input: &'a Input,
    pub(super) events: &'a Events,
    pub(super) toolbox: &'a Toolbox<'a>,
}

/// A request of the agent.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    /// Its name in the journal.
    pub(super) call: String,
    /// The agent's own name for it.
    pub(super) id: Value,
    /// What it wants.
    pub(super) method: String,
    /// With what.
    pub(super) params: Value,
}

/// What a request came to.
pub(super) type Served = Result<Value, Failure>;

impl Desk<'_> {
    /// Serves a request. Whatever goes wrong is an answer too; only the end of the turn is none.
    pub(super) async fn serve(&self, wish: Wish) -> Result<(Value, Served), Ended> {
        let Wish {
            call,
            id,
            method,
            params,
        } = wish;
        let served = match method.as_str() {
            "session/request_permission" => self.permission(call, &params).await?,
            "fs/read_text_file" => files::read(&self.setup.workdir, &params),
            "fs/write_text_file" => self.write(call, &params).await?,
            "terminal/create" => self.create(&call, &params).await?,
            "terminal/output" => self.output(&params).await?,
            "terminal/wait_for_exit" => self.wait(&params).await?,
            "terminal/kill" | "terminal/release" => self.kill(&params).await?,
            other => Err(Failure::new(
                NO_METHOD,
                format!("`{other}` is not served here"),
            )),
        };
        Ok((id, served))
    }

    async fn permission(&self, call: String, params: &Value) -> Result<Served, Ended> {
        let Some(asked) = permission::read(params) else {
            let why = "it is not said what is to be allowed";
            return Ok(Err(Failure::new(BAD_PARAMS, why)));
        };
        let answered = ask::ask(self.input, &self.setup.workdir, (call, &asked));
        Ok(Ok(answered.await?))
    }

    async fn write(&self, call: String, params: &Value) -> Result<Served, Ended> {
        let files = files::Writing {
            root: &self.setup.workdir,
            journal: &self.input.journal,
            events: self.events,
        };
        files.write(call, params).await
    }

    /// Runs a command as our own tool would, in the background: its process is the terminal.
    async fn create(&self, call: &str, params: &Value) -> Result<Served, Ended> {
        let Some(command) = command(params) else {
            return Ok(Err(Failure::new(
                BAD_PARAMS,
                "it is not said what is to be run",
            )));
        };
        let workdir = params["cwd"].as_str().map(str::to_owned);
        let workdir = workdir.unwrap_or_else(|| self.setup.workdir.display().to_string());
        let order = json!({
            "command": command, "background": true, "stdin": "closed", "workdir": workdir,
        });
        let result = self.toolbox.call(call, "terminal", order).await?;
        Ok(match result["session_id"].as_str() {
            Some(id) if result["error"].is_null() => Ok(json!({ "terminalId": id })),
            Some(_) | None => {
                let why = result["error"].as_str().unwrap_or("it was not started");
                Err(Failure::new(FAILED, why))
            }
        })
    }

    async fn output(&self, params: &Value) -> Result<Served, Ended> {
        let acted = self.input.background.act(Act::Poll(terminal(params)));
        Ok(looked(acted.await?).map(|looked| {
            let truncated = looked.output_bytes > looked.output.len() as u64;
            let mut told = json!({ "output": looked.output, "truncated": truncated });
            if let State::Ended(end) = &looked.state {
                told["exitStatus"] = exit(end);
            }
            told
        }))
    }

    /// A message that arrives meanwhile does not end this waiting: the agent would not know why.
    async fn wait(&self, params: &Value) -> Result<Served, Ended> {
        loop {
            let act = Act::Wait(terminal(params), self.input.terms.time);
            let acted = self.input.background.act(act).await?;
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

    async fn kill(&self, params: &Value) -> Result<Served, Ended> {
        let acted = self.input.background.act(Act::Kill(terminal(params)));
        Ok(looked(acted.await?).map(|_| json!({})))
    }
}

/// The words for the shell: a whole line if there are no arguments, else one word each.
fn command(params: &Value) -> Option<String> {
    let command = params["command"]
        .as_str()
        .filter(|it| !it.trim().is_empty())?;
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(quoted).collect()
    };
    let arguments = texts(&params["args"]);
    let line = match arguments.is_empty() {
        true => command.to_owned(),
        false => format!("{} {}", quoted(command), arguments.join(" ")),
    };
    let variables = params["env"].as_array().into_iter().flatten();
    let variables = variables.filter_map(|one| {
        let (name, value) = (one["name"].as_str()?, one["value"].as_str()?);
        let is_name = |name: &str| {
            name.chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_')
        };
        (!name.is_empty() && is_name(name)).then(|| format!("export {name}={}; ", quoted(value)))
    });
    Some(format!("{}{line}", variables.collect::<String>()))
}

fn terminal(params: &Value) -> String {
    params["terminalId"].as_str().unwrap_or_default().to_owned()
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
        Acted::NotFound | Acted::Listed(_) | Acted::Told(_) | Acted::Closed(_) => {
            Err(Failure::new(BAD_PARAMS, "there is no such terminal"))
        }
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
            json!({ "exitCode": null, "signal": signal.to_string() })
        }
        End::Lost | End::Failed(_) => json!({ "exitCode": null, "signal": null }),
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
