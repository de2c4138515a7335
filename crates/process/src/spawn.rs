//! Starts a command apart from us: own session, no input, one pipe for all it says.
//!
//! Output and errors share the pipe, so they arrive in the order in which they were written.

use std::io;
use std::process::Stdio;

use tokio::net::unix::pipe::Receiver;

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
