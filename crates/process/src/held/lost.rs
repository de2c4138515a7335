//! The command of a dead holder. Nobody watches it any more, so it may be ended; nobody is its parent,
//! so its number could by now be another's.
//!
//! Only who is certainly the command, and who is in its session while it lives, is killed, each through
//! a handle. A command that is gone may have left others behind, who cannot be told from strangers.

use std::io;
use std::path::Path;

use crate::folder::Folder;

use super::adopt::{Found, look};

/// Ends what is left of a lost process in `folder`. Does nothing to any other.
pub fn end_lost(folder: impl AsRef<Path>) -> io::Result<()> {
    let folder = Folder::at(folder.as_ref());
    if look(&folder)? == Found::Lost {
        let holding = folder.holding()?;
        if let Some(child) = holding.and_then(|holding| holding.child) {
            end(&child);
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn end(child: &crate::identity::Identity) {
    use rustix::process::{Pid, Signal};

    use crate::identity::Identity;
    use crate::members;

    let Some(leader) = Pid::from_raw(child.pid).filter(|_| child.lives()) else {
        return;
    };
    let session = members::living(leader).into_iter();
    let others = session.filter(|pid| *pid != leader);
    for member in others.filter_map(|pid| Identity::of(pid.as_raw_pid())) {
        // As long as the leader lives, its session is nobody else's.
        if child.lives() {
            member.signal(Signal::KILL);
        }
    }
    child.signal(Signal::KILL);
}

#[cfg(not(target_os = "linux"))]
fn end(_child: &crate::identity::Identity) {}
