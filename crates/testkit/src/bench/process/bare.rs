//! The least programs around a command: one reads its output and throws it away, one only starts it.
//!
//! The reader has a pipe of the usual size, or a terminal as it is opened, and one buffer of 64 KiB; it
//! reads until the end and then waits for the command. `posix_spawn` is what the standard library calls
//! where nothing is to be done between fork and exec, so nothing is done there.

use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::SIZE;
use crate::bench::{Trouble, clock};

const SHELL: &str = "/bin/sh";

/// What is read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// From the start to the end of a command whose output is read from a pipe.
pub(super) fn read_pipe(command: &str) -> Result<(u64, Duration), Trouble> {
    let began = clock::now();
    let (output, writer) = io::pipe()?;
    let mut shell = shell(command);
    shell.stdin(Stdio::null());
    shell.stdout(writer.try_clone()?).stderr(writer);
    let mut child = shell.spawn()?;
    drop(shell);
    let read = read_to_end(&output.into())?;
    child.wait()?;
    Ok((read, began.elapsed()))
}

/// From the start to the end of a command whose output is read from a terminal.
pub(super) fn read_terminal(command: &str) -> Result<(u64, Duration), Trouble> {
    let began = clock::now();
    let (ours, theirs) = terminal()?;
    let mut shell = shell(command);
    shell.stdin(theirs.try_clone()?);
    shell.stdout(theirs.try_clone()?).stderr(theirs);
    let mut child = shell.spawn()?;
    drop(shell);
    let read = read_to_end(&ours)?;
    child.wait()?;
    Ok((read, began.elapsed()))
}

/// Starts a command that says something at once; returns when its first byte is here.
pub(super) fn spawn(command: &str) -> Result<(Child, Duration), Trouble> {
    let began = clock::now();
    let mut shell = shell(command);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.spawn()?;
    let output = child.stdout.as_mut().ok_or("a pipe was asked for")?;
    output.read_exact(&mut [0])?;
    Ok((child, began.elapsed()))
}

fn shell(command: &str) -> Command {
    let mut shell = Command::new(SHELL);
    shell.args(["-c", "--", command]);
    shell
}

fn read_to_end(output: &OwnedFd) -> Result<u64, Trouble> {
    let (mut chunk, mut sum) = (vec![0; CHUNK_BYTES], 0);
    loop {
        match rustix::io::read(output, &mut chunk[..]) {
            // A terminal ends with an error: the last one who had it open is gone.
            Ok(0) | Err(rustix::io::Errno::IO) => return Ok(sum),
            Ok(count) => sum += count as u64,
            Err(rustix::io::Errno::INTR) => (),
            Err(error) => return Err(error.into()),
        }
    }
}

fn terminal() -> Result<(OwnedFd, OwnedFd), Trouble> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let ours = openpt(flags)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let theirs = rustix::pty::ioctl_tiocgptpeer(&ours, flags)?;
    let size = Winsize {
        ws_row: SIZE.rows,
        ws_col: SIZE.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&ours, size)?;
    Ok((ours, theirs))
}
