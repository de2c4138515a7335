//! Secrets of a file that were hidden when it was read: what only stands for one is never written in its place.
//!
//! Whoever writes a file anew has seen it with marks where its secrets are, and means the secrets, which are known to nobody
//! who could write them. However the text around was changed, there are more of these marks in it than in the file. A file may
//! have some of its own. Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use angelia_core::mask::{Masker, Surface, marks};

use super::path::Inner;

/// Refuses a text for a file if it has more of what stands for the secrets of what the file is before.
pub(super) fn kept(
    path: &Inner,
    (before, after): (&str, &str),
    masker: &Masker,
) -> Result<(), String> {
    let Cow::Owned(shown) = masker.shown(before, Surface::File) else {
        return Ok(());
    };
    let (had, shown, has) = (marks(before), marks(&shown), marks(after));
    let is_more = |counts: &BTreeMap<&str, usize>, mark: &str| counts.get(mark) > had.get(mark);
    let mut put = has.keys().filter(|mark| is_more(&shown, mark));
    match put.find(|mark| is_more(&has, mark)) {
        Some(mark) => Err(refusal(path, mark)),
        None => Ok(()),
    }
}

fn refusal(path: &Inner, mark: &str) -> String {
    let shown = path.shown();
    format!(
        "`{shown}` holds secrets that were hidden when it was read, and this text has `{mark}`, which only stands for one: \
         the secret itself would be lost; leave it where it is and change only what stands around it with edit_file, whose \
         `old_text` and `new_text` need not be whole lines, or let its owner do it"
    )
}

/// What is wrong with a text that is looked for in a file, if it stands there only as it is shown.
pub(super) fn only_shown(
    path: &Inner,
    (file, looked_for): (&str, &str),
    masker: &Masker,
) -> Option<String> {
    let shown = masker.shown(file, Surface::File);
    let shown_so = shown.contains(looked_for) && !file.contains(looked_for);
    shown_so.then(|| {
        format!(
            "`old_text` does not stand in `{}` as it is written: a secret in it was hidden when the file was read; take a \
             part of the line that has no secret in it",
            path.shown()
        )
    })
}

#[cfg(test)]
#[path = "hidden_tests.rs"]
mod tests;
