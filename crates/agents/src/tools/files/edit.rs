//! Replaces text in a file, once for each call.
//!
//! `plan` tries the edit on what is there and says by digests what the file is and will be. That is written
//! down before anything happens. `make` looks at the file again: it is as it was, then the edit is made; it is
//! as it will be, then it was made; it is something else, then somebody changed it, and nothing is done.

use serde_json::{Value, json};

use super::path::Inner;
use super::served::Reach;
use super::workspace::Workspace;
use super::{hidden, read, write};
use crate::tools::form::Given;

/// What is to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Edit {
    path: Inner,
    old: String,
    new: String,
    places: Places,
}

/// Where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// In the one place where it stands.
    One,
    /// Everywhere.
    All,
}

/// What an edit makes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Change {
    /// The digest of what it was tried on.
    was: String,
    /// The digest of what comes of it.
    becomes: String,
    /// In how many places.
    replaced: u64,
}

impl Change {
    /// As it stands in the journal.
    pub(super) fn noted(&self) -> Value {
        json!({ "was": self.was, "becomes": self.becomes, "replaced": self.replaced })
    }

    /// From the journal.
    pub(super) fn of(noted: &Value) -> Option<Self> {
        let text = |name: &str| noted.get(name)?.as_str().map(str::to_owned);
        Some(Self {
            was: text("was")?,
            becomes: text("becomes")?,
            replaced: noted.get("replaced")?.as_u64()?,
        })
    }
}

impl Edit {
    /// Reads what is to be done with a file.
    pub(super) fn read(path: Inner, given: &Given) -> Result<Self, String> {
        let text = |name: &str| given.text(name).unwrap_or_default().to_owned();
        let (old, new) = (text("old_text"), text("new_text"));
        if old.is_empty() {
            return Err("`old_text` is empty; to make a file use write_file".to_owned());
        }
        if old == new {
            return Err(
                "`old_text` and `new_text` are the same, so nothing would change".to_owned(),
            );
        }
        let places = match given.flag("replace_all") {
            true => Places::All,
            false => Places::One,
        };
        Ok(Self {
            path,
            old,
            new,
            places,
        })
    }

    /// The text after the edit, and in how many places it differs.
    fn applied(&self, text: &str) -> Result<(String, u64), String> {
        let (old, new) = self.as_ended_in(text);
        let (old, new) = self.at_the_end_of(text, (&old, &new));
        let count = text.matches(old).count() as u64;
        let shown = self.path.shown();
        match (count, self.places) {
            (0, _) => Err(format!(
                "`old_text` does not stand in `{shown}`; read the file again, and copy it exactly, without the \
                 line numbers"
            )),
            (2.., Places::One) => Err(format!(
                "`old_text` stands in {count} places of `{shown}`; add lines around it until it is one, or say \
                 `replace_all`"
            )),
            (1, Places::One) | (1.., Places::All) => Ok((text.replace(old, new), count)),
        }
    }

    /// Both texts with the line ends of the file: models write lines with a plain end, and are shown none.
    fn as_ended_in(&self, text: &str) -> (String, String) {
        let plain = text.matches('\n').count();
        let full = text.matches("\r\n").count();
        let is_full_only = full > 0 && full == plain;
        let is_needed = is_full_only || (full > 0 && !text.contains(&self.old));
        let ended = |text: &str| match is_needed && !text.contains('\r') {
            true => text.replace('\n', "\r\n"),
            false => text.to_owned(),
        };
        match self.old.contains('\r') {
            true => (self.old.clone(), self.new.clone()),
            false => (ended(&self.old), ended(&self.new)),
        }
    }

    /// Both texts without the end of their last line, if the last line of the file, which is meant, has none. Nobody who
    /// was shown the file knows.
    fn at_the_end_of<'a>(&self, text: &str, (old, new): (&'a str, &'a str)) -> (&'a str, &'a str) {
        let bare = |text: &'a str| {
            let bare = text.strip_suffix('\n')?;
            Some(bare.strip_suffix('\r').unwrap_or(bare))
        };
        let last = bare(old).filter(|last| !last.is_empty() && text.ends_with(*last));
        match (last, self.places) {
            (Some(last), Places::One) if !text.contains(old) => (last, bare(new).unwrap_or(new)),
            (_, Places::One | Places::All) => (old, new),
        }
    }
}

/// What the edit would make of the file; or why it cannot be made.
pub(super) fn plan(reach: &Reach, edit: &Edit) -> Result<Change, String> {
    let text = whole(&reach.workspace, &edit.path)?;
    let (after, replaced) = edit.applied(&text).map_err(|why| {
        let shown_so = hidden::only_shown(&edit.path, (&text, &edit.old), &reach.masker);
        shown_so.unwrap_or(why)
    })?;
    hidden::kept(&edit.path, (&text, &after), &reach.masker)?;
    Ok(Change {
        was: write::digest(text.as_bytes()),
        becomes: write::digest(after.as_bytes()),
        replaced,
    })
}

/// Makes the edit as it was planned, unless it was made before.
pub(super) fn make(
    workspace: &Workspace,
    edit: &Edit,
    (change, key): (&Change, &str),
) -> Result<Value, String> {
    let text = whole(workspace, &edit.path)?;
    let is = write::digest(text.as_bytes());
    if is != change.becomes {
        if is != change.was {
            let shown = edit.path.shown();
            return Err(format!(
                "`{shown}` was changed by somebody else at the same moment, so whether this edit is in it is not \
                 known; read it again"
            ));
        }
        let (after, _) = edit.applied(&text)?;
        write::replace(workspace, &edit.path, (after.as_bytes(), key))?;
    }
    Ok(json!({ "path": edit.path.shown(), "status": "edited", "replaced": change.replaced }))
}

/// All of a file, which must be a text to its last byte: what is lost in reading would be lost for good.
fn whole(workspace: &Workspace, path: &Inner) -> Result<String, String> {
    let bytes = read::bytes(workspace, path)?;
    read::text(path, &bytes)?;
    String::from_utf8(bytes).map_err(|_| {
        let shown = path.shown();
        format!("`{shown}` is no UTF-8, and editing it would spoil it")
    })
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
