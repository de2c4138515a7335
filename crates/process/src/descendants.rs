//! Everybody below a holder, wherever they went: other groups, other sessions, daemons.
//!
//! A holder is the subreaper of its family: who loses a parent becomes the holder's own child. So
//! everybody in it can be reached downward from the holder, and while the holder has a child there
//! is somebody left. Everyone is signalled through a handle whose owner was compared first.
//!
//! The kernel's lists of children are quick to read but may miss someone while the family changes; the
//! whole of `/proc` is slow and certain. Who asks politely reads the lists, who kills reads on until
//! nobody is left.
//!
//! Elsewhere than on Linux only the command's own group is reached, as long as it has not ended.

use rustix::process::{Pid, Signal};

/// Where to look for the members of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    /// In the lists of children.
    Quick,
    /// In the list of all processes.
    Certain,
}

/// Signals everybody below us once, each of the `signals` in turn. `leader` is the command, unless it
/// was reaped.
pub(crate) fn signal(leader: Option<Pid>, signals: &[Signal], search: Search) {
    #[cfg(target_os = "linux")]
    {
        let _reached_from_us = leader;
        linux::signal(signals, search);
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _only_one_way = search;
        for signal in signals {
            let _nobody = leader.map(|leader| rustix::process::kill_process_group(leader, *signal));
        }
    }
}

#[cfg(target_os = "linux")]
#[path = "descendants_linux.rs"]
mod linux;
