//! Trying a command out: it is run once with one message, as a turn would run it.
//!
//! For whoever looks for what is wrong, or is about to choose it. It may do anything, so it is only run when somebody
//! wants that. It is not held: it ends with us, and nothing is left of it.

use std::process::ExitStatus;
use std::sync::Arc;

use angelia_core::context::variables::{Identity, Variables};
use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_process::environment::Passed;
use angelia_process::piped::{self, Pipes};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use super::{Setup, message, run};
use crate::Input;
use crate::background::NoBackground;
use crate::consent::NobodyAsked;
use crate::context::Context;
use crate::links::InMemory;
use crate::past::NoPast;
use crate::pictures::NoPictures;
use crate::spending::Unlimited;
use crate::tools::terms::Terms;
use crate::tried::{self, READ_BYTES, short};

/// Runs the command with one message; the beginning of what it says.
///
/// # Errors
/// Why there is no reply, in words without the secrets that it was given.
pub async fn call(setup: &Setup, passed: &Passed) -> Result<String, String> {
    let masker = Masker::new(setup.variables.values().cloned());
    let said = tried(setup, passed).await;
    let shown = |text: String| masker.shown(&short(&text), Surface::Log).into_owned();
    said.map(shown).map_err(shown)
}

async fn tried(setup: &Setup, passed: &Passed) -> Result<String, String> {
    let turn = input();
    let told = message::told(setup.form, &turn).await;
    let told = told.map_err(|why| why.to_string())?;
    let environment = run::environment(setup, (&turn.context, passed));
    let words = tried::placed(&setup.workdir, &setup.command);
    let started = piped::start(&words, &environment);
    let (kept, pipes) = started.map_err(|error| format!("it cannot be started: {error}"))?;
    let Pipes {
        input,
        output,
        errors,
    } = pipes;
    let time = limits::AGENT_CALL_TIME.to_std();
    let heard = timeout(time, tried::heeded(errors, heard((input, output), &told))).await;
    let status = kept.end().await;
    match heard {
        Err(_) => Err(format!("it was not done within {} seconds", time.as_secs())),
        Ok((said, complaint)) => judged(said, status.ok(), complaint.as_deref()),
    }
}

/// All that it says to the message.
async fn heard((mut input, mut output): (Sender, Receiver), told: &str) -> Result<String, String> {
    let telling = async {
        // One that reads nothing may answer all the same.
        let _unread = input.write_all(told.as_bytes()).await.is_err();
        drop(input);
    };
    let hearing = async {
        let (mut said, mut buffer) = (Vec::new(), vec![0; READ_BYTES]);
        while let Ok(bytes @ 1..) = output.read(&mut buffer).await {
            said.extend(buffer.iter().take(bytes));
            if said.len() > limits::COMMAND_REPLY_BYTES_MAX {
                let most = limits::COMMAND_REPLY_BYTES_MAX / 1024;
                return Err(format!("it said more than {most} KiB"));
            }
        }
        Ok(String::from_utf8_lossy(&said).trim().to_owned())
    };
    let ((), said) = tokio::join!(telling, hearing);
    said
}

fn judged(
    said: Result<String, String>,
    status: Option<ExitStatus>,
    complaint: Option<&str>,
) -> Result<String, String> {
    let last = complaint.map_or(String::new(), |line| format!(": {line}"));
    match (said?, status) {
        (_, Some(status)) if !status.success() => Err(format!("it ended with {status}{last}")),
        (said, _) if said.is_empty() => Err(format!("it said nothing{last}")),
        (said, _) => Ok(said),
    }
}

/// Whose turn it is: somebody's in the terminal, so that a command finds all that it may ask for.
fn sample() -> Identity {
    let of = |what: &str| format!("trial-{what}");
    Identity {
        platform: "local".to_owned(),
        chat_id: of("chat"),
        chat_name: of("chat"),
        thread_id: String::new(),
        user_id: of("user"),
        user_name: of("user"),
        message_id: of("message"),
        key: of("key"),
        id: of("session"),
    }
}

/// A turn in which somebody says the words of a trial.
fn input() -> Input {
    Input {
        messages: Vec::new(),
        journal: Vec::new(),
        context: Context {
            said: vec![tried::WORDS.to_owned()],
            variables: Variables::of(sample()),
            ..Context::default()
        },
        past: Arc::new(NoPast),
        pictures: Arc::new(NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(InMemory::default()),
        terms: Terms::default(),
        choice: crate::Choice::default(),
        spending: Arc::new(Unlimited),
    }
}
