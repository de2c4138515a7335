//! A reply while it is being written: one message that is edited as the words arrive.
//!
//! The outbox holds the reply, and sending that is the fact; what is shown before is a hint. So a
//! [`Draft`] keeps no queue of edits. It knows what people should see now (the text so far, laid out in
//! messages) and what they do see (the last answers of the platform), and [`Draft::next`] names the one
//! step that brings the two together: latest wins, and whatever was put off or lost is made up for by
//! the next step. Time is an argument, the platform's answers are events, and nothing here is async.
//!
//! The pace: at most one step at a time, and between two of them the platform's interval. "Not now" is a
//! deadline, and doubles the interval. When the text is final, the pace ends and the deadline stays.
//!
//! [`Words`] are what people should see, also of a reply that is finished. [`Progress`] makes the lines about tools that are at work, and [`reasoning`] shows thoughts. A [`glimpse`] is what other nodes see of it.
//!
//! Not here: sending, and rows. If a gateway ends in the middle, the deliveries of the reply are sent
//! as they are, and drafts that were left behind are the courier's to edit or to remove.

mod draft;
pub mod glimpse;
mod layout;
mod lines;
pub mod progress;
pub mod reasoning;
mod words;
#[cfg(test)]
mod world;

pub use draft::Draft;
pub use lines::Lines;
pub use progress::Progress;
pub use words::Words;

use crate::outbound::Receipt;
use crate::text::render::{Dialect, Message};
use crate::text::{Limit, Unit};
use crate::time::{Span, Timestamp};

/// How drafts are shown in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The platform's writing; nothing where whoever sends writes so, and texts stay as they are here.
    pub dialect: Option<Dialect>,
    /// The longest message.
    pub limit: Limit,
    /// The least time between two steps.
    pub interval: Span,
    /// What follows text that is not finished; it is within the limit too.
    pub caret: String,
    /// Whether a message can be changed after it was sent.
    pub edits: Edits,
}

/// Whether a platform can change a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// It can: words are shown as they arrive.
    Possible,
    /// It cannot: the reply is sent when it is finished.
    Impossible,
}

/// What follows text that is not finished.
const CARET: &str = " ▉";

impl Manner {
    /// For a platform whose adapter writes Markdown in its own way, and can change messages at this pace.
    #[must_use]
    pub fn live(limit: Limit, interval: Span) -> Self {
        Self {
            dialect: None,
            limit,
            interval,
            caret: CARET.to_owned(),
            edits: Edits::Possible,
        }
    }

    /// The room for words, with or without the caret: so a cut stays where it is when the caret goes.
    fn room(&self) -> Limit {
        let caret = self.limit.unit.len(&self.caret);
        // A caret that would take a good part of a message is left out.
        let taken = if caret > self.limit.max / 8 { 0 } else { caret };
        Limit {
            max: self.limit.max - taken,
            unit: self.limit.unit,
        }
    }

    fn with_caret(&self, message: &Message) -> Message {
        let mut message = message.clone();
        let room = self.limit.max - self.room().max;
        // Behind code it would stand alone, as if something had been said.
        if room > 0 && !message.text.ends_with("```") {
            message.text.push_str(&self.caret);
        }
        message
    }
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing, until something happens or this moment comes.
    Wait(Option<Timestamp>),
    /// Send a further message.
    Send(Message),
    /// Change a message to this.
    Edit(Receipt, Message),
    /// Remove a message.
    Delete(Receipt),
    /// Nothing any more: people see the final text, or the platform refused to show it.
    Done,
}

/// What the platform answered to the last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done; with the message's id, where the platform tells one.
    Done(Option<Receipt>),
    /// Not now; perhaps at this moment.
    Later(Option<Timestamp>),
    /// The message exists and cannot be changed any more.
    Fixed,
    /// The message does not exist any more.
    Gone,
    /// Nobody knows: the answer was lost.
    Unknown,
    /// Never: whoever sends the deliveries will find out why.
    Refused,
}

/// The length of a text in the unit in which people count.
fn chars(text: &str) -> usize {
    Unit::Chars.len(text)
}
