//! The folder that a command is to run in, as a caller names it.
//!
//! It has plain letters only: the same name may go to a shell on another machine. A folder that is not
//! there is refused and not replaced, since `rm *` in the folder above is another command; the refusal
//! names the nearest one that is there.

use std::path::{Path, PathBuf};

/// Signs that stand in names of folders beside letters and digits.
const SIGNS: &str = "/\\:_-.~ +@=,";

/// Checks a name.
///
/// # Errors
/// The first sign that may not stand in it.
pub fn check(workdir: &str) -> Result<(), char> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || SIGNS.contains(sign);
    match workdir.chars().find(|sign| !is_plain(*sign)) {
        Some(sign) => Err(sign),
        None => Ok(()),
    }
}

/// The folder itself if it can be entered, or the nearest above it.
#[must_use]
pub fn nearest(workdir: &Path, can_be_entered: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut folders = workdir.ancestors();
    folders
        .find(|folder| can_be_entered(folder))
        .map(Path::to_owned)
}
