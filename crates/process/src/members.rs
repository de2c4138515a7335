//! Who belongs to a session, and signals to all of them.
//!
//! A process group is not enough: `timeout` and shells with job control give their children groups of
//! their own. All of them stay in the session, and `/proc` tells the session of every process.
//!
//! Elsewhere than on Linux only the group is reached. Who opens a session of their own is not found.

use rustix::process::{Pid, Signal};

/// Signals the group and, where they can be found, all other members of the session; each once.
///
/// The leader of both must not have been reaped: while it is there, even as a zombie, its number
/// belongs to nobody else.
pub(crate) fn signal(leader: Pid, signal: Signal) {
    // Nobody there to hear it is as good as being heard.
    let _nobody = rustix::process::kill_process_group(leader, signal).is_err();
    #[cfg(target_os = "linux")]
    linux::signal_outside_group(leader, signal);
}

/// The members of `leader`'s session that are not dead, where they can be found.
pub(crate) fn living(leader: Pid) -> Vec<Pid> {
    #[cfg(target_os = "linux")]
    return linux::members(leader).collect();
    #[cfg(not(target_os = "linux"))]
    return Vec::new();
}

#[cfg(target_os = "linux")]
#[path = "members_linux.rs"]
mod linux;
