//! The bridge: what a holder holds when its command runs in a target.
//!
//! To the holder it is a command like any other: it says what the command says, takes its input, and
//! ends when it ends. It is this very program in another role, as small as a holder. It
//!
//! 1. reads from its folder what to run and where, and from its variables what the command may see;
//! 2. opens a line to the target, starts the command there or finds it, and says so on its errors;
//! 3. passes on output, input and signals, and opens the line again whenever it breaks (`crossing`);
//! 4. takes the command down when it is asked to end: TERM in good order, ALRM at once (`ending`);
//! 5. writes the true end into the folder. A bridge that ends without it has lost its command, also one
//!    that ends before it could say whether the command was started.
//!
//! When its holder dies it ends the command, because nobody would hear of it any more. If both are
//! dead, `end` does so for whoever finds the folder.

mod crossing;
mod ending;
mod feed;
mod link;
mod way;

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use angelia_core::limits;
use rustix::event::{PollFd, poll};

use crate::folder::Folder;
use crate::hold::{STARTED, timespec};
use crate::target::script::Remains;
use crate::{apart, clock};

use crossing::{Crossing, Over};
use ending::Ending;
use way::Way;

pub(crate) use way::INSIDE;

/// The hidden first argument that makes a bridge of this program; the second is the folder.
pub(crate) const ARGUMENT: &str = "bridge";

/// The hidden first argument that ends the command of a dead bridge; the second is the folder.
pub(crate) const END_ARGUMENT: &str = "bridge-end";

/// Becomes the bridge to the command in `folder`, and returns when that has ended.
pub(crate) fn bridge(folder: &Path) -> ExitCode {
    let folder = Folder::at(folder);
    let done = cross(&folder);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            say(&why.to_string());
            let _nobody_left_to_tell = folder
                .complain(&format!("the bridge failed: {why}"))
                .is_err();
            ExitCode::FAILURE
        }
    }
}

fn cross(folder: &Folder) -> io::Result<()> {
    let way = Way::read(folder)?;
    if let Some(flaw) = way.job.flaw() {
        return Err(io::Error::other(flaw));
    }
    let mut crossing = Crossing::new(way, Box::new(|| say(STARTED)))?;
    match crossing.run()? {
        Over::Ended(how) => {
            folder.write_verdict(&how)?;
            crossing.forget();
            Ok(())
        }
        Over::NotStarted(why) => {
            folder.take_back()?;
            Err(io::Error::other(why))
        }
        Over::Lost(why) => Err(io::Error::other(why)),
    }
}

/// Tells whoever waits for the start, and lets go of the pipe to them.
fn say(what: &str) {
    let told = writeln!(io::stderr(), "{what}");
    let silent = File::options().write(true).open("/dev/null");
    let quiet = silent.and_then(|nothing| Ok(rustix::stdio::dup2_stderr(&nothing)?));
    let _nobody_waits = told.is_err() || quiet.is_err();
}

/// Ends the command in `folder`, whose bridge is dead.
pub(crate) fn end(folder: &Path) -> ExitCode {
    apart::close_inherited_files();
    let _own_session = rustix::process::setsid().is_err();
    match end_in(&Folder::at(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn end_in(folder: &Folder) -> io::Result<()> {
    let way = Way::read(folder)?;
    let begun = clock::steady();
    let until = begun + limits::TARGET_END_TIME.to_std() + way.job.grace.to_std();
    let mut ending = Ending::begin(way.job.grace, Remains::Removed, begun);
    loop {
        let now = clock::steady();
        ending.step(&way, now);
        if ending.is_done() {
            return Ok(());
        }
        if now >= until {
            let why = "the command in the target could not be ended: the target cannot be reached";
            folder.complain(why)?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        let due = ending.due().unwrap_or(until).min(until);
        let wakers = ending.wakers();
        let mut files: Vec<PollFd<'_>> = wakers
            .iter()
            .map(|(file, flags)| PollFd::from_borrowed_fd(*file, *flags))
            .collect();
        // Interrupted or not: the next round looks.
        let _woken = poll(
            &mut files,
            Some(&timespec(due.saturating_duration_since(now))),
        )
        .is_ok();
    }
}
