//! Finds a background process again, after a restart or whenever its holder falls silent.
//!
//! The folder alone tells. An exit on disk is the end of all questions. Otherwise the holder must
//! live: it has its folder locked, and the process with its number started when it says it did, in
//! the boot we are in. A holder that is dead without an exit means that its process is lost, also when
//! what it wrote about itself was torn by a power cut.

use std::io;
use std::path::Path;

use crate::exit::{Exit, How};
use crate::folder::{Folder, Holding, PROTOCOL};
use crate::identity::Identity;

use super::{Held, LOOK_EVERY, START_TIME};

/// What became of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It is held, and can be talked to.
    Running(Held),
    /// It ended.
    Ended(Exit),
    /// Its holder died: how it ended, or whether, nobody knows.
    Lost,
    /// It was never started. It may be started now.
    Absent,
}

/// Finds what became of the process in `folder`.
///
/// # Errors
/// When the folder cannot be read, holds an exit that no holder wrote, or was written by a later version.
pub async fn adopt(folder: impl AsRef<Path>) -> io::Result<Found> {
    let folder = Folder::at(folder.as_ref());
    let looking = async {
        while is_starting(&folder)? {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        look(&folder)
    };
    let found = tokio::time::timeout(START_TIME, looking).await;
    found.map_err(|_| io::Error::other("somebody is starting it, and does not come to an end"))?
}

/// Whether somebody is about to start it. A start takes some thousandths of a second; only who
/// restarts within them sees this.
fn is_starting(folder: &Folder) -> io::Result<bool> {
    Ok(folder.is_held()? && folder.holding()?.is_none())
}

/// Looks at what is there now.
pub(super) fn look(folder: &Folder) -> io::Result<Found> {
    if let Some(exit) = folder.exit()? {
        return Ok(Found::Ended(exit));
    }
    let holding = match folder.holding() {
        Ok(Some(holding)) => holding,
        Ok(None) => return Ok(Found::Absent),
        // Nobody will write it anew.
        Err(why) if is_torn(&why) && !folder.is_held()? => return Ok(Found::Lost),
        Err(why) => return Err(why),
    };
    if holding.protocol > PROTOCOL {
        let why = "a later version of this program holds it; go on with that one";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    if is_alive(folder, &holding)? {
        let folder = folder.clone();
        return Ok(Found::Running(Held { folder }));
    }
    // It may have ended in good order since we looked first.
    Ok(folder.exit()?.map_or(Found::Lost, Found::Ended))
}

/// Whether a file is there and not what was written, as a power cut may leave it.
fn is_torn(why: &io::Error) -> bool {
    why.kind() == io::ErrorKind::InvalidData
}

fn is_alive(folder: &Folder, holding: &Holding) -> io::Result<bool> {
    Ok(folder.is_held()? && holding.holder.as_ref().is_none_or(Identity::lives))
}

/// Why it did not start, if that is known.
pub(super) fn why_not_started(exit: Option<Exit>) -> Option<String> {
    match exit?.how {
        How::NotStarted(why) => Some(why),
        How::Exited(_) | How::Signalled(_) => None,
    }
}
