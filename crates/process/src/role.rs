//! The roles that this program plays besides its own: a holder, a bridge, and who ends what a dead
//! bridge left. Each is named by a hidden first argument; the second is the folder of the process.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::{bridge, hold};

/// Plays the role that the words of the command line name, to its end; nothing if they name none.
///
/// It must be the first thing that a program does: it closes files that it did not open.
pub fn take_role(words: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut words = words.into_iter();
    let (Some(role), Some(folder), None) = (words.next(), words.next(), words.next()) else {
        return None;
    };
    let folder = Path::new(&folder);
    match role.to_str()? {
        hold::ARGUMENT => Some(hold::hold(folder)),
        bridge::ARGUMENT => Some(bridge::bridge(folder)),
        bridge::END_ARGUMENT => Some(bridge::end(folder)),
        _ => None,
    }
}
