//! Starts the command of a holder, and keeps our ends of its pipes or terminal.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::io::ioctl_fionbio;
use rustix::process::Pid;

use crate::spawn::SHELL;
use crate::spec::{Input, Size, Spec, Surface};
use crate::{apart, terminal};

/// All variables of a command.
pub(super) type Variables = BTreeMap<OsString, OsString>;

/// A command that runs.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: Pid,
    /// What it says.
    pub(super) output: OwnedFd,
    /// What it is told; nothing if it asked for none.
    pub(super) input: Option<OwnedFd>,
}

/// Starts what `spec` says, once `before` was done by the process that becomes it.
pub(super) fn start(
    spec: &Spec,
    variables: &Variables,
    before: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<Child> {
    let mut command = Command::new(SHELL);
    // After `--` a command that begins with a dash is no option.
    command.args(["-c", "--", &spec.command]);
    command.env_clear().envs(variables);
    let workdir = spec.workdir.clone();
    // In this order, and so not by `current_dir`: what is done before is done in our own directory.
    apart::do_before(&mut command, move || {
        before()?;
        workdir.as_ref().map_or(Ok(()), std::env::set_current_dir)
    });
    let child = match spec.surface {
        Surface::Pipes(input) => with_pipes(command, input),
        Surface::Terminal(size) => on_terminal(command, size),
    }?;
    ioctl_fionbio(&child.output, true)?;
    if let Some(input) = &child.input {
        ioctl_fionbio(input, true)?;
    }
    Ok(child)
}

// `command` ends with each of the two, and with it our copies of the command's ends: its output can
// end too.

fn with_pipes(mut command: Command, input: Input) -> io::Result<Child> {
    let (output, writer) = io::pipe()?;
    make_roomy(&output);
    command.stdout(writer.try_clone()?).stderr(writer);
    let input = match input {
        Input::Open | Input::Patient => {
            let (reader, input) = io::pipe()?;
            command.stdin(reader);
            Some(input.into())
        }
        Input::Closed => {
            command.stdin(Stdio::null());
            None
        }
    };
    apart::stand_apart(&mut command);
    Ok(Child {
        pid: Pid::from_child(&command.spawn()?),
        output: output.into(),
        input,
    })
}

fn on_terminal(mut command: Command, size: Size) -> io::Result<Child> {
    let terminal = terminal::open(size)?;
    command
        .stdin(terminal.theirs.try_clone()?)
        .stdout(terminal.theirs.try_clone()?)
        .stderr(terminal.theirs);
    apart::stand_apart_on_terminal(&mut command);
    Ok(Child {
        pid: Pid::from_child(&command.spawn()?),
        input: Some(terminal.ours.try_clone()?),
        output: terminal.ours,
    })
}

/// Lets a pipe hold more than usual, so that who writes much need not wait for us as often.
#[cfg(target_os = "linux")]
fn make_roomy(pipe: &io::PipeReader) {
    const PIPE_BYTES: usize = 256 * 1024;
    // Refused to a user who has many pipes; the usual size does as well.
    let _usual = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES).is_err();
}

#[cfg(not(target_os = "linux"))]
fn make_roomy(_pipe: &io::PipeReader) {}
