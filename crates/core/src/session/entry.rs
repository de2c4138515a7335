//! One entry of an index of conversations that another gateway kept, read for taking it over.
//!
//! With us the state of a conversation is a row, written in the transaction that changes it; there is
//! no index beside it and nothing here writes one. This reads what such an index says of a
//! conversation: which key has which id, since when, where it came from, and what was agreed about it.
//! A bad entry is a problem with a name, and its neighbours are read all the same.
//!
//! Counters of tokens and costs are not read: that gateway itself no longer wrote them. Times without
//! a zone were its wall clock's, so the reader must say which zone that was.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

use super::guard;
use super::model_override::ModelOverride;
use super::reset::policy::Reading;
use super::shared::PRIVATE;
use crate::address::Platform;
use crate::loose;
use crate::source::{BadSource, Source};
use crate::time::Timestamp;
use crate::zone::Zone;

/// What an index says of one conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key it is found by.
    pub key: String,
    /// Its id there.
    pub id: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used.
    pub updated_at: Timestamp,
    /// Where its first message came from.
    pub origin: Option<Source>,
    /// The name to show.
    pub display_name: Option<String>,
    /// The kind of chat system, if it is one we know.
    pub platform: Option<Platform>,
    /// What kind of place it is, by name.
    pub kind: String,
    /// What was agreed about it.
    pub marks: BTreeSet<Mark>,
    /// The model it chose for itself.
    pub model: Option<ModelOverride>,
}

/// Something agreed about a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It must begin anew with the next message.
    Suspended,
    /// It was interrupted and is to be continued.
    ResumePending,
    /// Somebody asked for it to begin anew, and nothing was said since.
    FreshReset,
    /// It began anew by itself, and nobody was told yet.
    AutoReset,
    /// Everything to do after its end was done.
    Finished,
}

/// The fields that say so, the older name of one included.
const MARKS: [(&str, Mark); 4] = [
    ("suspended", Mark::Suspended),
    ("resume_pending", Mark::ResumePending),
    ("is_fresh_reset", Mark::FreshReset),
    ("was_auto_reset", Mark::AutoReset),
];

/// Why an entry is not taken over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// Not even a mapping.
    #[error("this is no mapping of fields")]
    Form,
    /// A field without which there is no entry.
    #[error("`{0}` is missing or not of its form")]
    Field(&'static str),
    /// A key or an id that would be a path.
    #[error("`{0}` could lead out of its folder, so it is not taken over")]
    Path(&'static str),
    /// Where it came from makes no sense.
    #[error(transparent)]
    Origin(#[from] BadSource),
}

/// An entry that is not taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Under which key it stands.
    pub entry: String,
    /// What is wrong with it.
    pub what: Wrong,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "entry `{}`: {}", self.entry, self.what)
    }
}

/// Reads every entry of an index; what begins with an underscore is a remark. `zone` is where times
/// without one were written.
pub fn read_all(
    index: &Map<String, Value>,
    zone: &Zone,
) -> Reading<BTreeMap<String, Entry>, Problem> {
    let (mut value, mut problems) = (BTreeMap::new(), Vec::new());
    for (name, written) in index.iter().filter(|(name, _)| !name.starts_with('_')) {
        match Entry::read(written, zone) {
            Ok(entry) => {
                value.insert(name.clone(), entry);
            }
            Err(what) => problems.push(Problem {
                entry: name.clone(),
                what,
            }),
        }
    }
    Reading { value, problems }
}

impl Entry {
    /// Reads one entry.
    pub fn read(written: &Value, zone: &Zone) -> Result<Self, Wrong> {
        let fields = written.as_object().ok_or(Wrong::Form)?;
        let moment = |name| {
            let text = loose::text(fields, name).ok().flatten();
            text.and_then(|text| zone.moment(&text))
                .ok_or(Wrong::Field(name))
        };
        let platform = fields.get("platform").and_then(Value::as_str);
        Ok(Self {
            key: named(fields, "session_key", guard::is_key)?,
            id: named(fields, "session_id", guard::is_id)?,
            created_at: moment("created_at")?,
            updated_at: moment("updated_at")?,
            origin: origin(fields)?,
            display_name: loose::text(fields, "display_name").ok().flatten(),
            platform: platform.and_then(|name| name.parse().ok()),
            kind: kind(fields).to_owned(),
            marks: marks(fields),
            model: fields.get("model_override").and_then(ModelOverride::of),
        })
    }
}

fn named(
    fields: &Map<String, Value>,
    name: &'static str,
    is_safe: fn(&str) -> bool,
) -> Result<String, Wrong> {
    let text = fields.get(name).and_then(Value::as_str);
    let text = text.filter(|text| !text.is_empty());
    let text = text.ok_or(Wrong::Field(name))?;
    if is_safe(text) {
        Ok(text.to_owned())
    } else {
        Err(Wrong::Path(name))
    }
}

/// The origin, if there is a mapping in its place.
fn origin(fields: &Map<String, Value>) -> Result<Option<Source>, Wrong> {
    let origin = fields.get("origin").filter(|origin| origin.is_object());
    Ok(origin.map(Source::read).transpose()?)
}

fn kind(fields: &Map<String, Value>) -> &str {
    let kind = fields.get("chat_type").and_then(Value::as_str);
    kind.unwrap_or(PRIVATE)
}

fn marks(fields: &Map<String, Value>) -> BTreeSet<Mark> {
    let finished = if fields.contains_key("expiry_finalized") {
        "expiry_finalized"
    } else {
        "memory_flushed"
    };
    let said = MARKS.into_iter().chain([(finished, Mark::Finished)]);
    said.filter(|(name, _)| loose::is_set(fields, name))
        .map(|(_, mark)| mark)
        .collect()
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
