//! Identities as `/proc` tells them.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::Identity;

/// What we read of a process's line in `/proc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) is_dead: bool,
    pub(crate) parent: i32,
    pub(crate) start: u64,
}

/// What `/proc` says about a process, if there is one with this number.
pub(crate) fn stat_of(pid: i32) -> Option<Stat> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    read_stat(&String::from_utf8_lossy(&stat))
}

/// Reads `number (name) state parent …`; the name may hold anything, also brackets and blanks.
pub(super) fn read_stat(stat: &str) -> Option<Stat> {
    /// The start is field 22; after the name comes field 3.
    const START_AFTER_PARENT: usize = 22 - 3 - 2;
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace();
    let is_dead = matches!(fields.next()?, "Z" | "X" | "x");
    let parent = fields.next()?.parse().ok()?;
    let start = fields.nth(START_AFTER_PARENT)?.parse().ok()?;
    Some(Stat {
        is_dead,
        parent,
        start,
    })
}

/// The boot in which we are.
fn boot() -> io::Result<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
    Ok(boot.trim_end().to_owned())
}

impl Identity {
    /// The living process with this number.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        let stat = stat_of(pid).filter(|stat| !stat.is_dead)?;
        let boot = boot().ok()?;
        Some(Self {
            pid,
            start: stat.start,
            boot,
        })
    }

    /// Whether it lives.
    pub(crate) fn lives(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }

    /// A handle of it, if it lives.
    pub(crate) fn open(&self) -> Option<OwnedFd> {
        let handle = pidfd_open(Pid::from_raw(self.pid)?, PidfdFlags::empty()).ok()?;
        self.lives().then_some(handle)
    }

    /// Signals it and nobody else.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(handle) = self.open() {
            // Gone between the two is as good as never there.
            let _gone = pidfd_send_signal(&handle, signal).is_err();
        }
    }
}
