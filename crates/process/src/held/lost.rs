//! The command of a dead holder. Nobody watches it any more, so it may be ended; nobody is its parent,
//! so its number could by now be another's.
//!
//! Only who is certainly the command, and who is in its session while it lives, is killed, each through
//! a handle. A command that is gone may have left others behind, who cannot be told from strangers.
//!
//! A command in a target is ended there, by a process of its own that takes the time it needs.

use std::io;
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use crate::bridge;
use crate::environment::Environment;
use crate::folder::Folder;

use super::adopt::{Found, look};
use super::start::Program;

/// Ends what is left of a lost process in `folder`. Does nothing to any other.
pub fn end_lost(program: &Program, folder: impl AsRef<Path>) -> io::Result<()> {
    let folder = Folder::at(folder.as_ref());
    if look(&folder)? != Found::Lost {
        return Ok(());
    }
    if folder.spec()?.is_some_and(|spec| !spec.target.is_local()) {
        return end_inside(program, &folder);
    }
    let holding = folder.holding()?;
    if let Some(child) = holding.and_then(|holding| holding.child) {
        end(&child);
    }
    Ok(())
}

/// Starts what ends the command in its target. Nobody waits for it; the runtime reaps it.
fn end_inside(program: &Program, folder: &Folder) -> io::Result<()> {
    let mut command = Command::new(&program.path);
    command.arg0(&program.name);
    command.arg(bridge::END_ARGUMENT).arg(folder.path());
    let way = Environment::inherited().on_the_way(std::env::vars_os());
    command.env_clear().envs(way.variables());
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null());
    command.spawn().map(drop)
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
