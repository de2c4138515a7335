//! The directories that a command may be in while it is read.
//!
//! A `cd` may fail, and what a group or a subshell does to its directory may or may not last. So a command
//! can be in several directories at once, and what it names is judged in each of them. Only what stands
//! behind `cd x &&` is in one for certain. A directory that is not written out is not followed.

use super::path::joined;
use crate::limits;

/// Directories, the one in which the command began first. An empty one is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places(Vec<String>);

impl Default for Places {
    fn default() -> Self {
        Self::beginning_in("")
    }
}

impl Places {
    pub(super) fn beginning_in(directory: &str) -> Self {
        Self(vec![directory.to_owned()])
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The same command after it has gone to `text`, wherever it was.
    pub(super) fn moved(&self, text: &str) -> Self {
        let mut moved = Self(Vec::new());
        for place in self.all() {
            let there = joined(place, text);
            // No system has a directory with such a name.
            let is_real = there.len() <= limits::JUDGED_PIECE_CHARS_MAX;
            moved.put(if is_real { there } else { place.to_owned() });
        }
        moved
    }

    /// It may still be where it was before.
    pub(super) fn came_from(&mut self, before: &Self) {
        let now = std::mem::replace(self, before.clone());
        now.0.into_iter().for_each(|place| self.put(place));
    }

    /// Beyond the limit the newest takes the place of the one before: the first is always known.
    fn put(&mut self, place: String) {
        if self.0.contains(&place) {
            return;
        }
        if self.0.len() >= limits::JUDGED_PLACES_MAX {
            self.0.pop();
        }
        self.0.push(place);
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
