//! A command's family: the shell we started, and everybody in its session.
//!
//! The shell's exit is seen without reaping it. As long as it is not reaped its number stays ours, so
//! a signal to its group or session can never reach strangers. It is reaped last, and exactly once:
//! by `reap`, or, when the family is dropped before, by a thread of its own.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use tokio::signal::unix::{Signal as Bell, SignalKind, signal as listen};

use crate::members;

/// How often to look whether the last member has gone: only a child's exit rings a bell.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How often everybody is killed again, for those who were born meanwhile.
const ROUNDS: usize = 3;

/// The running family of a command.
pub(crate) struct Family {
    leader: Pid,
    /// None once somebody else reaps it.
    shell: Option<Child>,
    exits: Bell,
}

impl Family {
    /// Starts `shell`, which must open a session of its own.
    pub(crate) fn found(shell: &mut std::process::Command) -> io::Result<Self> {
        // Before the start, so that no exit is missed.
        let exits = listen(SignalKind::child())?;
        let child = shell.spawn()?;
        let leader = Pid::from_child(&child);
        Ok(Self {
            leader,
            shell: Some(child),
            exits,
        })
    }

    /// Waits for the shell's exit.
    pub(crate) async fn exited(&mut self) {
        while !has_exited(self.leader) {
            // The listener never ends; if it did, looking would have to go on by itself.
            if self.exits.recv().await.is_none() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }

    /// Waits until the shell has exited and nobody of its session is left.
    pub(crate) async fn gone(&mut self) {
        self.exited().await;
        while self.leaves_someone() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Whether someone besides the exited shell is still there.
    pub(crate) fn leaves_someone(&self) -> bool {
        !members::living(self.leader).is_empty()
    }

    /// Asks everybody to end.
    pub(crate) fn ask_to_end(&self) {
        members::signal(self.leader, Signal::TERM);
        // A stopped program hears only after it is continued.
        members::signal(self.leader, Signal::CONT);
    }

    /// Ends everybody.
    pub(crate) fn kill(&self) {
        for _ in 0..ROUNDS {
            members::signal(self.leader, Signal::KILL);
            if !self.leaves_someone() {
                break;
            }
        }
    }

    /// Lets go of the shell, which must have exited, and of its group.
    pub(crate) fn reap(mut self) -> io::Result<ExitStatus> {
        // Where the members cannot be listed, this is what ends those left behind.
        members::signal(self.leader, Signal::KILL);
        let mut shell = self
            .shell
            .take()
            .expect("only `reap` and `drop` take it, and both end us");
        shell.wait()
    }
}

/// Dropping insists: nobody outlives the call, and nobody can wait for a tidy end any more.
impl Drop for Family {
    fn drop(&mut self) {
        let Some(mut shell) = self.shell.take() else {
            return;
        };
        self.kill();
        // The end of a killed program can take a while, which a drop may not. Without a thread the
        // zombie stays until the gateway ends.
        let reaper = std::thread::Builder::new().name("reaper".to_owned());
        let _no_thread = reaper.spawn(move || shell.wait()).is_err();
    }
}

fn has_exited(leader: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is no such child any more.
    !matches!(waitid(WaitId::Pid(leader), options), Ok(None))
}
