//! What a node leaves for others to see of a reply that grows on it.
//!
//! Where several nodes share a store, the node that answers need not be the one whose account shows the reply, nor the one
//! whose console somebody watches. It leaves a glimpse: the reply so far, and what is done for it. Only the latest counts,
//! it is bounded, and whoever misses one sees the next; the reply itself is a delivery. What is cut off here is cut off only
//! while it grows.
//!
//! A glimpse of a newer release that this one cannot read is passed over.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::address::Address;
use crate::id::{InboxId, SessionId};
use crate::limits;
use crate::time::Timestamp;
use crate::turn::shown::Shown;

/// The version of the shape.
const VERSION: u32 = 1;

/// What is seen of a growing reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Glimpse {
    /// The conversation.
    pub session: SessionId,
    /// The messages it answers.
    pub messages: Vec<InboxId>,
    /// Where the reply goes.
    pub address: Address,
    /// The platform's id of the message that it may quote.
    pub message_id: String,
    /// What is said before the reply.
    pub notice: Option<String>,
    /// The reply so far.
    pub text: String,
    /// Where it is parted.
    pub breaks: Vec<usize>,
    /// What was thought beside it, where people want to see that.
    pub thoughts: String,
    /// What its turn does.
    pub work: Work,
    /// What was done last, in order.
    pub steps: Vec<Seen>,
}

/// What a turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// It is at work.
    Going,
    /// It waits for a person.
    Asking,
}

/// Something that a turn did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Its place in the journal; none while it is not there.
    pub seq: Option<u32>,
    /// When.
    pub at: Timestamp,
    /// How much of the reply was said before.
    pub after: usize,
    /// What.
    pub step: Shown,
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    v: u32,
    body: T,
}

impl Glimpse {
    /// Within the bounds: the beginning of the reply, and the newest of the steps.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        cut(&mut self.text, limits::GLIMPSE_TEXT_BYTES);
        cut(&mut self.thoughts, limits::STEP_SHOWN_BYTES);
        let end = self.text.len();
        self.breaks.retain(|place| *place <= end);
        let extra = self.steps.len().saturating_sub(limits::GLIMPSE_STEPS);
        self.steps.drain(..extra);
        self
    }

    /// The stored form.
    #[must_use]
    pub fn written(&self) -> String {
        let stored = Versioned {
            v: VERSION,
            body: self,
        };
        serde_json::to_string(&stored).expect("texts and lists of them can be written")
    }

    /// From its stored form; nothing if a newer release wrote it.
    #[must_use]
    pub fn read(stored: &str) -> Option<Self> {
        let stored: Versioned<Value> = serde_json::from_str(stored).ok()?;
        let body = Some(stored).filter(|stored| stored.v == VERSION)?.body;
        let read: Self = serde_json::from_value(body).ok()?;
        let is_within = |place: &usize| read.text.is_char_boundary(*place);
        read.breaks.iter().all(is_within).then_some(read)
    }

    /// Whether this goes on where `before` was: its words, and the places where they are parted.
    #[must_use]
    pub fn continues(&self, before: &Self) -> bool {
        let is_after = |place: &usize| *place >= before.text.len();
        let more = self.breaks.strip_prefix(&*before.breaks);
        let is_parted_later = more.is_some_and(|more| more.iter().all(is_after));
        is_parted_later && self.text.starts_with(&before.text)
    }
}

impl Seen {
    /// Within the bounds: a few words about it.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let words = &mut self.step.words;
        words
            .iter_mut()
            .for_each(|words| cut(words, limits::GLIMPSE_STEP_BYTES));
        let brief = |value: Value| {
            let value = brief(value);
            Some(value).filter(|value| value.to_string().len() <= limits::GLIMPSE_STEP_BYTES)
        };
        self.step.input = self.step.input.and_then(brief);
        self.step.output = self.step.output.and_then(brief);
        self
    }
}

/// The value with each of its texts cut.
fn brief(value: Value) -> Value {
    match value {
        Value::String(mut text) => {
            cut(&mut text, limits::GLIMPSE_STEP_BYTES / 4);
            text.into()
        }
        Value::Array(list) => list.into_iter().map(brief).collect(),
        Value::Object(map) => {
            let entries = map.into_iter().map(|(name, value)| (name, brief(value)));
            Value::Object(entries.collect())
        }
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain,
    }
}

fn cut(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
}

#[cfg(test)]
#[path = "glimpse_tests.rs"]
mod tests;
