//! The processes of agents: how many there may be, how one is started, and how one ends.
//!
//! Each has a folder of its own below one place, and each folder stands for a process that may run. So the
//! folders are the count; each agent of the settings has room of its own, so only those with its name are
//! counted for it. Who needs room ends the one that rested longest; if all are at work, it waits for one to
//! rest.
//!
//! What an agent complains about goes to a small log beside the other: it must not stand between messages.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use angelia_core::agent::AgentName;
use angelia_core::{limits, link};
use angelia_process::environment::Environment;
use angelia_process::held::{self, Held};
use angelia_process::spec::{Errors, Input as Pipe, Spec, Surface};
use tokio::time::Instant;

use super::permission::quoted;
use super::{Broken, Setup};
use crate::{AgentError, Input};

/// How often to look for room.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The end of the complaints that goes into our own log when an agent died.
const COMPLAINTS_SHOWN: usize = 2_000;

/// Starts the agent in the folder `name`, once there is room for it.
pub(super) async fn start(setup: &Setup, input: &Input, name: &str) -> Result<Held, Broken> {
    make_room(setup, input).await?;
    let folder = setup.folder.join(name);
    let spec = Spec {
        workdir: Some(setup.workdir().to_owned()),
        surface: Surface::Pipes(Pipe::Open),
        errors: Errors::Apart,
        log_bytes_max: limits::AGENT_LOG_BYTES_MAX,
        ..Spec::new(command(&setup.command))
    };
    let environment = given(Environment::passing(&input.terms.passed), setup);
    let started = held::spawn(&setup.program, &folder, &spec, &environment).await;
    started.map_err(|error| {
        let why = format!("its agent could not be started: {error}");
        Broken::Failed(AgentError::lasting(why))
    })
}

/// Everything that the operator set for the agent, whatever it is called: it is meant for this very program.
pub(super) fn given(environment: Environment, setup: &Setup) -> Environment {
    let variables = setup.variables.iter();
    variables.fold(environment, |all, (name, value)| {
        all.given(name, value.reveal())
    })
}

/// The words for the shell.
fn command(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("exec {}", words.join(" "))
}

/// Waits until one more may be started, and ends one that rests if need be.
async fn make_room(setup: &Setup, input: &Input) -> Result<(), Broken> {
    let until = Instant::now() + limits::AGENT_ROOM_TIME.to_std();
    while count(&setup.folder, &input.choice.agent) >= setup.pool {
        if let Some(spare) = input.links.spare().await? {
            end(&setup.folder.join(spare)).await;
            continue;
        }
        if Instant::now() >= until {
            let why = format!(
                "{} agents are at work, and no more may run at once; try again when one of them is \
                 done, or let the operator raise `agent.pool`",
                setup.pool
            );
            return Err(Broken::Failed(AgentError::lasting(why)));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

fn count(place: &Path, agent: &AgentName) -> usize {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names
        .filter(|name| name.to_str().is_some_and(|name| link::is_of(name, agent)))
        .count()
}

/// Ends the agent in `folder`, and then the folder. What cannot be ended now is found again later.
pub async fn end(folder: &Path) {
    if let Err(error) = Held::at(folder).kill(limits::KILL_GRACE).await {
        tracing::warn!(folder = %folder.display(), %error, "an agent cannot be ended");
        return;
    }
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(folder = %folder.display(), %error, "a folder cannot be removed");
        }
        Ok(()) | Err(_) => (),
    }
}

/// The end of what an agent complained about, for our own log.
pub(super) fn complaints(folder: &Path) -> String {
    let bytes = Held::at(folder).last_errors(COMPLAINTS_SHOWN);
    let bytes = bytes.unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
