//! Terminals: a pair of which we keep one end and a command gets the other.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::pty::{OpenptFlags, grantpt, openpt, unlockpt};
use rustix::termios::{SpecialCodeIndex, Winsize, tcgetattr, tcsetwinsize};

use crate::spec::Size;

/// Both ends of a terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Ours: what is written here was typed, what is read was shown.
    pub(crate) ours: OwnedFd,
    /// The command's.
    pub(crate) theirs: OwnedFd,
}

/// Opens a terminal of this size.
pub(crate) fn open(size: Size) -> io::Result<Terminal> {
    // Never our own controlling terminal, whoever opens it first.
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let theirs = peer(&ours)?;
    resize(&ours, size)?;
    Ok(Terminal { ours, theirs })
}

#[cfg(target_os = "linux")]
fn peer(ours: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    Ok(rustix::pty::ioctl_tiocgptpeer(ours, flags)?)
}

#[cfg(not(target_os = "linux"))]
fn peer(ours: &OwnedFd) -> io::Result<OwnedFd> {
    use rustix::fs::{Mode, OFlags};
    let name = rustix::pty::ptsname(ours, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(name, flags, Mode::empty())?)
}

/// Changes the size; who runs in it is told by the kernel.
pub(crate) fn resize(ours: impl AsFd, size: Size) -> io::Result<()> {
    let size = Winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    Ok(tcsetwinsize(ours, size)?)
}

/// What one types there to let the input end.
pub(crate) fn end_of_input(ours: impl AsFd) -> io::Result<u8> {
    Ok(tcgetattr(ours)?.special_codes[SpecialCodeIndex::VEOF])
}
