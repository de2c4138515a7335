//! The roles that this program plays besides its own: a holder, a bridge, and who ends what a dead
//! bridge left. Each is named by a hidden first argument; the second is the folder of the process. A holder
//! may hear in a third how far it steps back.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::{bridge, hold};

/// Plays the role that the words of the command line name, to its end; nothing if they name none.
///
/// It must be the first thing that a program does: it closes files that it did not open.
pub fn take_role(words: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut words = words.into_iter();
    let (role, folder) = (words.next()?, words.next()?);
    let (nice, nothing) = (words.next(), words.next());
    let folder = Path::new(&folder);
    match (role.to_str()?, nice, nothing) {
        (hold::ARGUMENT, None, None) => Some(hold::hold(folder, 0)),
        (hold::ARGUMENT, Some(nice), None) => {
            Some(hold::hold(folder, nice.to_str()?.parse().ok()?))
        }
        (bridge::ARGUMENT, None, None) => Some(bridge::bridge(folder)),
        (bridge::END_ARGUMENT, None, None) => Some(bridge::end(folder)),
        _ => None,
    }
}
