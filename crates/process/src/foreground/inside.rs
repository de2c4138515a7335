//! Runs one command to its end in a target, on one line.
//!
//! The command says its words on the line's output, in the order in which it says them; the script that
//! runs it tells start and end on the line's errors. The line's input stays open as long as we wait:
//! when it ends, because the time is up, the caller let go or we died, the script takes everybody in
//! the target down. A command is never handed over twice.

use std::io;

use angelia_core::limits;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::timeout;

use super::{Finished, RunError, Status};
use crate::command::Command;
use crate::family::Family;
use crate::target::said::{Ear, Ended, Said};
use crate::target::script::Job;
use crate::{folder, ladder, spawn};

/// What is read at once.
const CHUNK_BYTES: usize = 4 * 1024;

/// Runs `command` to its end in its target.
pub(super) async fn run(command: &Command) -> Result<Finished, RunError> {
    let job = job(command).map_err(unreached)?;
    if let Some(flaw) = job.flaw() {
        return Err(RunError::Unreached(flaw.to_owned()));
    }
    let (mut family, mut output, ends) = spawn::start_on_the_way(command).map_err(unreached)?;
    let mut line = Line::new(ends, job.foreground());
    let in_time = timeout(command.time.to_std(), line.last_until_exit(&mut family));
    let watched = output.read_until(in_time).await;
    if watched.is_err() {
        line.hang_up();
        let time = limits::KILL_GRACE.to_std() + limits::TARGET_END_TIME.to_std();
        let ending = timeout(time, line.last_until_exit(&mut family));
        // A line that stays does not lead to the target any more.
        let _unreachable = output.read_until(ending).await.is_err();
    } else {
        output.drain().await;
    }
    ladder::descend(&mut family, &mut output).await;
    family.reap().map_err(RunError::Lost)?;
    let status = match watched {
        Ok(()) => line.status()?,
        Err(_) => Status::TimedOut,
    };
    Ok(Finished {
        status,
        output: output.into_text(),
    })
}

fn unreached(why: io::Error) -> RunError {
    RunError::Unreached(why.to_string())
}

fn job(command: &Command) -> io::Result<Job> {
    Ok(Job {
        id: folder::unguessable()?,
        command: command.text.clone(),
        workdir: command
            .workdir
            .as_ref()
            .map(|path| path.display().to_string()),
        input: crate::spec::Input::Closed,
        leftovers: crate::spec::Leftovers::Ended,
        grace: limits::KILL_GRACE,
        variables: command.environment.inside(),
    })
}

/// Our ends of a line, besides its output.
struct Line {
    /// None once we hung up.
    to: Option<Sender>,
    script: Vec<u8>,
    sent: usize,
    /// None after its end.
    errors: Option<Receiver>,
    ear: Ear,
    said: Vec<Said>,
}

impl Line {
    fn new((to, errors): (Sender, Receiver), script: String) -> Self {
        Self {
            to: Some(to),
            script: script.into_bytes(),
            sent: 0,
            errors: Some(errors),
            ear: Ear::default(),
            said: Vec::new(),
        }
    }

    /// Sends the script and listens until the program on the way has exited.
    async fn last_until_exit(&mut self, family: &mut Family) {
        tokio::select! {
            biased;
            () = family.exited() => (),
            () = self.talk() => (),
        }
        // Its last words may still be on their way.
        let hear = async {
            while self.errors.is_some() {
                self.hear().await;
            }
        };
        let _held_open = timeout(limits::OUTPUT_DRAIN.to_std(), hear).await.is_err();
    }

    /// Never returns; may be dropped and begun again.
    async fn talk(&mut self) {
        while let Some(to) = self.to.as_ref().filter(|_| self.sent < self.script.len()) {
            let sent = match to.writable().await {
                Ok(()) => to.try_write(&self.script[self.sent..]),
                Err(error) => Err(error),
            };
            match sent {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => (),
                // Why nobody reads stands in what is said.
                Err(_) => self.hang_up(),
            }
        }
        loop {
            self.hear().await;
        }
    }

    fn hang_up(&mut self) {
        self.to = None;
    }

    /// Waits for more words; for ever after the end.
    async fn hear(&mut self) {
        let Some(errors) = &self.errors else {
            return std::future::pending().await;
        };
        let mut chunk = [0; CHUNK_BYTES];
        let taken = match errors.readable().await {
            Ok(()) => errors.try_read(&mut chunk),
            Err(error) => Err(error),
        };
        match taken {
            Ok(count) if count > 0 => self.said.extend(self.ear.hear(&chunk[..count])),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => (),
            Ok(_) | Err(_) => self.errors = None,
        }
    }

    /// How the command ended, as far as the target told.
    fn status(&mut self) -> Result<Status, RunError> {
        let complaints = self.ear.complaints();
        let mut last = RunError::Unreached(if complaints.is_empty() {
            "the target did not answer; check `[terminal]` in the settings".to_owned()
        } else {
            complaints.clone()
        });
        for said in &self.said {
            match said {
                Said::Ended(ended) => return Ok(status(*ended)),
                Said::Failed(why) => last = RunError::Unreached(why.clone()),
                Said::Started => {
                    let why = format!("the line to the target broke {complaints}");
                    last = RunError::Lost(io::Error::other(why.trim_end().to_owned()));
                }
                Said::New
                | Said::Known
                | Said::Lost
                | Said::Runs(_)
                | Said::Fed(_)
                | Said::Gone
                | Said::Left => (),
            }
        }
        Err(last)
    }
}

fn status(ended: Ended) -> Status {
    match ended.signal {
        0 => Status::Exited(ended.code),
        signal => Status::Signalled(signal),
    }
}
