//! A program that we talk to over three pipes, for as long as we need it.
//!
//! ```text
//! start ─▶ Pipes: its input, its output, its errors      to whoever talks
//!       └▶ Kept: its family                              to whoever sees to its end
//! ```
//!
//! It stands apart like any command, but lives by our leave: letting go of `Kept` kills everybody it
//! started, and where the system offers it the program itself is killed when the gateway dies without
//! a word. Its children then find the end of their input.
//!
//! It is for servers and clients of protocols. What must outlive the gateway is `held`; what is waited
//! for is `foreground`. Nothing here reads or writes.

use std::io;
use std::process::ExitStatus;

use angelia_core::limits;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use crate::apart;
use crate::environment::Environment;
use crate::family::Family;

/// Our ends of a program's pipes.
#[derive(Debug)]
pub struct Pipes {
    /// What it reads. Dropping it is the polite way to end the program.
    pub input: Sender,
    /// What it says.
    pub output: Receiver,
    /// What it complains about.
    pub errors: Receiver,
}

/// A running program and everybody it started.
pub struct Kept(Family);

/// Starts `words`: a program, as the search path of `environment` finds it, and its arguments.
///
/// # Errors
/// There are no words, or the system does not start them. Nothing has happened then.
pub fn start(words: &[String], environment: &Environment) -> io::Result<(Kept, Pipes)> {
    let nothing = || io::Error::new(io::ErrorKind::InvalidInput, "no program is named");
    let (name, arguments) = words.split_first().ok_or_else(nothing)?;
    let (input, to) = io::pipe()?;
    let (from, output) = io::pipe()?;
    let (complaints, errors) = io::pipe()?;
    let pipes = Pipes {
        input: Sender::from_owned_fd(to.into())?,
        output: Receiver::from_owned_fd(from.into())?,
        errors: Receiver::from_owned_fd(complaints.into())?,
    };
    let mut program = std::process::Command::new(name);
    program.args(arguments);
    program.env_clear().envs(environment.variables());
    program.stdin(input).stdout(output).stderr(errors);
    apart::stand_apart_while_we_live(&mut program);
    let family = Family::found(&mut program)?;
    // `program` ends here, and with it our own copies of its ends: the pipes can end too.
    Ok((Kept(family), pipes))
}

impl Kept {
    /// Waits for the program's own exit.
    pub async fn exited(&mut self) {
        self.0.exited().await;
    }

    /// Ends everybody. Who let go of the input before gives the program a moment to end by itself;
    /// then it is asked, and then killed.
    ///
    /// # Errors
    /// Everybody has ended, but how the program did is not known.
    pub async fn end(mut self) -> io::Result<ExitStatus> {
        let grace = limits::KILL_GRACE.to_std();
        if timeout(grace, self.0.gone()).await.is_err() {
            self.0.ask_to_end();
            if timeout(grace, self.0.gone()).await.is_err() {
                self.0.kill();
                self.0.exited().await;
            }
        }
        self.0.reap()
    }
}

#[cfg(test)]
#[path = "piped_tests.rs"]
mod tests;
