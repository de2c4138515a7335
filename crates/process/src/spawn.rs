//! Starts a command apart from us: own session, no input, one pipe for all it says.
//!
//! Output and errors share the pipe, so they arrive in the order in which they were written. A program
//! that leads to a target has three pipes: what the command says, what is said about it, and a line
//! that tells the target that we are still there.

use std::io;
use std::process::Stdio;

use tokio::net::unix::pipe::{Receiver, Sender};

use crate::apart;
use crate::command::Command;
use crate::family::Family;
use crate::output::Output;

/// The shell that every POSIX system has.
pub(crate) const SHELL: &str = "/bin/sh";

/// Starts `command`.
pub(crate) fn start(command: &Command) -> io::Result<(Family, Output)> {
    let (reader, writer) = io::pipe()?;
    let reader = Receiver::from_owned_fd(reader.into())?;
    let mut shell = std::process::Command::new(SHELL);
    // After `--` a command that begins with a dash is no option.
    shell.args(["-c", "--", &command.text]);
    shell.env_clear().envs(command.environment.variables());
    shell
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    if let Some(workdir) = &command.workdir {
        shell.current_dir(workdir);
    }
    apart::stand_apart(&mut shell);
    let family = Family::found(&mut shell)?;
    // `shell` ends here, and with it our own copies of the writing end: the pipe can end too.
    Ok((family, Output::new(reader)))
}

/// Starts the program that leads to the target of `command`: its output, and our ends of its input and
/// its errors.
pub(crate) fn start_on_the_way(
    command: &Command,
) -> io::Result<(Family, Output, (Sender, Receiver))> {
    let words = command.target.enter().unwrap_or_default();
    let nothing = || io::Error::other("no words lead to the target");
    let (name, rest) = words.split_first().ok_or_else(nothing)?;
    let (input, to) = io::pipe()?;
    let (output, output_writer) = io::pipe()?;
    let (errors, errors_writer) = io::pipe()?;
    let to = Sender::from_owned_fd(to.into())?;
    let (output, errors) = (
        Receiver::from_owned_fd(output.into())?,
        Receiver::from_owned_fd(errors.into())?,
    );
    let way = command.environment.on_the_way(std::env::vars_os());
    let mut program = std::process::Command::new(name);
    program.args(rest).env_clear().envs(way.variables());
    program
        .stdin(input)
        .stdout(output_writer)
        .stderr(errors_writer);
    apart::stand_apart(&mut program);
    let found = Family::found(&mut program);
    let family = found.map_err(|why| io::Error::new(why.kind(), format!("{name}: {why}")))?;
    Ok((family, Output::new(output), (to, errors)))
}
