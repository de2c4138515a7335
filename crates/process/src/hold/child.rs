//! Starts the command of a holder, and keeps our ends of its pipes or terminal.
//!
//! A command in a target is reached through a bridge, which is this program again. It is held like a
//! command, except that its errors are its own: through them it tells how the start went.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::io::ioctl_fionbio;
use rustix::process::Pid;

use crate::spawn::SHELL;
use crate::spec::{self, Input, Size, Spec, Surface};
use crate::{apart, bridge, terminal};

/// All variables of a command.
pub(super) type Variables = BTreeMap<OsString, OsString>;

/// A command that runs.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: Pid,
    /// What it says.
    pub(super) output: OwnedFd,
    /// Its errors, if they stand apart.
    pub(super) errors: Option<OwnedFd>,
    /// What it is told; nothing if it asked for none.
    pub(super) input: Option<OwnedFd>,
    /// What a bridge tells of its start; nothing for other commands.
    pub(super) word: Option<io::PipeReader>,
}

/// Where errors go.
enum Errors {
    WithOutput,
    Apart,
    /// To us: they are what a bridge tells of its start.
    Word,
}

impl Errors {
    fn of(spec: &Spec) -> Self {
        match (spec.target.is_local(), spec.errors) {
            (false, _) => Self::Word,
            (true, spec::Errors::WithOutput) => Self::WithOutput,
            (true, spec::Errors::Apart) => Self::Apart,
        }
    }
}

/// Starts what `spec` says, once `before` was done by the process that becomes it.
pub(super) fn start(
    spec: &Spec,
    variables: &Variables,
    before: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) -> io::Result<Child> {
    let mut command = match spec.target.is_local() {
        true => in_shell(spec),
        false => over_bridge()?,
    };
    command.env_clear().envs(variables);
    // A bridge stays in our folder. Its workdir is one of the target.
    let workdir = spec.workdir.clone().filter(|_| spec.target.is_local());
    // In this order, and so not by `current_dir`: what is done before is done in our own directory.
    apart::do_before(&mut command, move || {
        before()?;
        workdir.as_ref().map_or(Ok(()), std::env::set_current_dir)
    });
    let child = match (spec.target.is_local(), spec.surface) {
        (_, Surface::Pipes(input)) => with_pipes(command, input, Errors::of(spec)),
        (true, Surface::Terminal(size)) => on_terminal(command, size),
        (false, Surface::Terminal(_)) => with_pipes(command, Input::Open, Errors::of(spec)),
    }?;
    ioctl_fionbio(&child.output, true)?;
    for file in [&child.errors, &child.input].into_iter().flatten() {
        ioctl_fionbio(file, true)?;
    }
    Ok(child)
}

fn in_shell(spec: &Spec) -> Command {
    let mut command = Command::new(SHELL);
    // After `--` a command that begins with a dash is no option.
    command.args(["-c", "--", &spec.command]);
    command
}

/// This program again, also when its file was replaced. It runs in our folder, which is where we are.
fn over_bridge() -> io::Result<Command> {
    let itself = PathBuf::from("/proc/self/exe");
    let program = if itself.exists() {
        itself
    } else {
        std::env::current_exe()?
    };
    let mut command = Command::new(program);
    command.args([bridge::ARGUMENT, "."]);
    Ok(command)
}

// `command` ends with each of the two, and with it our copies of the command's ends: its output can
// end too.

fn with_pipes(mut command: Command, input: Input, errors: Errors) -> io::Result<Child> {
    let (output, writer) = io::pipe()?;
    make_roomy(&output);
    command.stdout(writer.try_clone()?);
    let (errors, word) = match errors {
        Errors::WithOutput => {
            command.stderr(writer);
            (None, None)
        }
        Errors::Apart => {
            let (errors, writer) = io::pipe()?;
            command.stderr(writer);
            (Some(errors.into()), None)
        }
        Errors::Word => {
            let (word, teller) = io::pipe()?;
            command.stderr(teller);
            (None, Some(word))
        }
    };
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
        errors,
        input,
        word,
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
        errors: None,
        word: None,
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
